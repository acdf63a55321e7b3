import type { IntuitError } from "#integrations/intuit/errors.ts";

/** What QuickBooks refused, why, and what to do, for one invoice. */
export function refusalSentence(docNumber: string | null, error: IntuitError): string {
  const name = docNumber ? `invoice ${docNumber}` : "this invoice";
  const detail = error.faults
    .map((fault) => fault.detail || fault.message)
    .filter(Boolean)
    .join(" ");
  switch (error.kind) {
    case "duplicateDoc":
      return `The number ${docNumber ?? ""} is already in QuickBooks. Change the Invoice No in the sheet, or remove the rows if the invoice is there already.`;
    case "closedBooks":
      return `QuickBooks refused ${name}: the books are closed for its date. Change the Invoice Date, or reopen the books in QuickBooks. (${detail})`;
    case "badReference":
    case "notFound":
      return `QuickBooks refused ${name}: something it names was removed or made inactive meanwhile. Check its customer and items in QuickBooks and upload the rows again. (${detail})`;
    default:
      return `QuickBooks refused ${name}: ${detail || error.message} Correct the rows and upload them again.`;
  }
}

/** Why nothing more can be posted to this company now, or null when only one invoice is concerned. */
export function stopSentence(error: IntuitError): string | null {
  switch (error.kind) {
    case "subscription":
      return "Not posted: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then upload the file again; what is posted already is not sent twice.";
    case "permission":
      return "Not posted: QuickBooks no longer lets us write to this company. Its QuickBooks admin must connect it again; then upload the file again.";
    case "quota":
      return "Not posted: Intuit's monthly limit for this application is used up. Contact us; what is posted already is not sent twice.";
    default:
      return null;
  }
}
