import type { IntuitError } from "#integrations/intuit/errors.ts";
import type { EndWords, StopCause } from "#features/invoices/post/rules-end.ts";

/** What QuickBooks refused, why, and what to do, for one invoice. */
export function refusalSentence(docNumber: string | null, error: IntuitError): string {
  const name = docNumber ? `invoice ${docNumber}` : "this invoice";
  const detail = error.faults
    .map((fault) => fault.detail || fault.message)
    .filter(Boolean)
    .join(" ");
  switch (error.kind) {
    case "duplicateDoc":
      if (!docNumber)
        return "QuickBooks gave this invoice a number that is taken already, and refused it for that. Look at the newest invoice numbers in QuickBooks, then upload the rows again, or give the invoice an Invoice No of its own.";
      return `The number ${docNumber} is already in QuickBooks. Change the Invoice No in the sheet, or remove the rows if the invoice is there already.`;
    case "closedBooks":
      return `QuickBooks refused ${name}: the books are closed for its date. Change the Invoice Date, or reopen the books in QuickBooks. (${detail})`;
    case "badReference":
    case "notFound":
      return `QuickBooks refused ${name}: something it names was removed or made inactive meanwhile. Check its customer and items in QuickBooks and upload the rows again. (${detail})`;
    default:
      return `QuickBooks refused ${name}: ${detail || error.message} Correct the rows and upload them again.`;
  }
}

/** Why nothing more can be posted to this company now. */
export const STOPPED: Record<StopCause, string> = {
  subscription:
    "Not posted: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then upload the file again; what is posted already is not sent twice.",
  permission:
    "Not posted: QuickBooks no longer lets us write to this company. Its QuickBooks admin must connect it again; then upload the file again.",
  quota:
    "Not posted: Intuit's monthly limit for this application is used up. Contact us; what is posted already is not sent twice.",
};

/** What is told after a failure of our own, until the next attempt. */
export const tryAgainSentence = (at: Date): string =>
  `Waiting: something failed on our side. Nothing is lost; it is tried again at ${at.toISOString().slice(11, 16)} (UTC).`;

/** What people are told of an upload that waits or ended early. */
export const uploadEndWords = (uploadId: string): EndWords => ({
  ...STOPPED,
  reconnect:
    "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the upload goes on by itself.",
  noAnswer: "Waiting: QuickBooks does not answer. Nothing is lost; the upload goes on by itself.",
  again: tryAgainSentence,
  failed: `Not posted: this upload failed again and again on our side. Contact us with the support id ${uploadId}; uploading the file again posts only what is missing.`,
});

export const BEHIND_UNDO =
  "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload goes on by itself.";

/** Said when another upload, or its end, changed what this one was compared with. */
export const PLAN_AGAIN =
  "Waiting: another upload with some of these invoices came first. Nothing is lost; this one is compared with it in a moment, by itself.";

export const UNKNOWN_AFTER_STOP =
  "QuickBooks gave no clear answer before the upload stopped, so we do not know whether this invoice was stored. Look for it in QuickBooks before you send it again.";

/** That nobody knows whether an invoice was stored, and what to do. @param sent.txnDate YYYY-MM-DD */
export const unknownSentence = ({ docNumber, txnDate }: { docNumber: string | null; txnDate: string }) =>
  `QuickBooks gave no clear answer, so we do not know whether ${docNumber ? `invoice ${docNumber}` : "this invoice"} of ${txnDate} was stored. Look for it in QuickBooks before you send it again.`;

/** That a number is taken by what may be the invoice itself, kept otherwise than it was sent. */
export const alteredSentence = (docNumber: string | null) =>
  `The number ${docNumber ?? ""} is in QuickBooks on an invoice of the same customer that was made when this one was sent, with other values than were sent. It may be this invoice: look at it in QuickBooks before you send these rows again.`;

/** That QuickBooks answered with an invoice that another row is already. */
export const TAKEN =
  "QuickBooks answered with an invoice that belongs to other rows already, so we do not know whether this one was stored. Look for it in QuickBooks before you send it again.";
