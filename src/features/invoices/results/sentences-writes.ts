import { spellDate } from "#formats/table/dates.ts";
import { capitalize } from "#formats/text/phrases.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { PLAN_SENTENCES } from "#features/invoices/results/sentences-plan.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { unknownSentence } from "#features/sheets/reading.ts";

type Because = Pick<Cause, "code" | "params">;
type SentInvoice = { docNumber: string | null; txnDate: string | null };

/** Whether the sentence of a cause names the invoice: without that, neighbours with one cause say the same. */
export const namesInvoice = ({ code }: Because): boolean => code in CREATE_SENTENCES;

/** Why an invoice was not posted, or what nobody knows of it, and what to do. */
export function createSentence(cause: Because, sent: SentInvoice): string {
  if (cause.code === "not_sent") {
    const { because, support_id: supportId } = cause.params;
    return uploadCauseSentence({ code: String(because) }, String(supportId));
  }
  const fixed = NAMELESS[cause.code] ?? PLAN_SENTENCES[cause.code]?.(cause.params);
  if (fixed) return fixed;
  const about = {
    ...sent,
    name: sent.docNumber ? `invoice ${sent.docNumber}` : "this invoice",
    detail: String(cause.params["detail"] ?? ""),
  };
  return CREATE_SENTENCES[cause.code]?.(about) ?? unknownSentence(cause.code);
}

type About = SentInvoice & { name: string; detail: string };

const CREATE_SENTENCES: Readonly<Record<string, (about: About) => string>> = {
  refused: ({ name, detail }) =>
    `QuickBooks refused ${name}: ${detail} Correct the rows and upload them again.`,
  duplicate_number: ({ docNumber }) => (docNumber ? takenNumber(docNumber) : TAKEN_GIVEN_NUMBER),
  closed_books: ({ name, detail }) =>
    `QuickBooks refused ${name}: the books are closed for its date. Change the Invoice Date, or reopen the books in QuickBooks. (${detail})`,
  bad_reference: ({ name, detail }) =>
    `QuickBooks refused ${name}: something it names was removed or made inactive meanwhile. Check its customer and items in QuickBooks and upload the rows again. (${detail})`,
  plan_limit: ({ name, detail }) =>
    `QuickBooks refused ${name}: the company's QuickBooks plan, or the user who connected it, doesn't allow what it asks for. (${detail}) Leave it out of the sheet, or change the plan in QuickBooks, then upload the rows again.`,
  in_doubt: ({ name, txnDate }) =>
    `QuickBooks gave no clear answer, so we don't know whether ${name}${txnDate ? ` of ${spellDate(txnDate)}` : ""} was stored. Look for it in QuickBooks before you send it again.`,
  altered: ({ docNumber }) =>
    `The number ${docNumber ?? ""} is in QuickBooks on an invoice of the same customer that was made when this one was sent, with other values than were sent. It may be this invoice: look at it in QuickBooks before you send these rows again.`,
};

const NAMELESS: Readonly<Record<string, string>> = {
  in_doubt_at_stop:
    "QuickBooks gave no clear answer before the upload stopped, so we don't know whether this invoice was stored. Look for it in QuickBooks before you send it again.",
  claimed:
    "QuickBooks answered with an invoice that belongs to other rows already, so we don't know whether this one was stored. Look for it in QuickBooks before you send it again.",
};

const takenNumber = (docNumber: string) =>
  `The number ${docNumber} is already in QuickBooks. Change the Invoice No in the sheet, or remove the rows if the invoice is there already.`;

const TAKEN_GIVEN_NUMBER =
  "QuickBooks gave this invoice a number that is taken already, and refused it for that. Look at the newest invoice numbers in QuickBooks, then upload the rows again, or give the invoice an Invoice No of its own.";

/** Why an undo left an invoice, or what it found done by others. */
export function undoSentence({ code, params }: Because, { number }: { number: string | null }): string {
  const inText = number ? `invoice ${number}` : "the invoice";
  const name = capitalize(inText);
  switch (code) {
    case "deleted":
      return `${name} was deleted in QuickBooks already.`;
    case "voided":
      return `${name} was voided in QuickBooks already.`;
    case "paid":
      return `${name} has a payment. Delete the payment in QuickBooks first, then undo again.`;
    case "edited":
      return `${name} was changed in QuickBooks after it was posted, so it is left as it is. Void or delete it there if you want it gone.`;
    case "closed_period":
    case "closed_books":
      return `${name} is in a period whose books are closed. Reopen the books in QuickBooks first, then undo again.`;
    case "refused":
    case "bad_reference":
    case "plan_limit":
      return `QuickBooks refused to undo ${inText}: ${String(params["detail"] ?? "")}`;
    default:
      return `QuickBooks gave no clear answer, so we don't know whether ${inText} was undone. Undo again: that looks first.`;
  }
}
