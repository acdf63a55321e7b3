import { refusalSentence } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import type { Cause } from "#platform/runs/types.ts";

/** Why an upload waits or ended early. @param uploadId stands as the support id */
export function uploadCauseSentence({ code, params = {} }: Cause, uploadId: string): string {
  const fixed = UPLOAD_SENTENCES[code];
  if (fixed) return fixed;
  switch (code) {
    case "failed_once":
      return retrySentence(params["at"]);
    case "file_refused":
      return refusalSentence(invoiceSheet, { code: String(params["refusal"]), params });
    default:
      return `Not posted: this upload failed again and again on our side. Contact us with the support id ${uploadId}; uploading the file again posts only what is missing.`;
  }
}

const UPLOAD_SENTENCES: Readonly<Record<string, string>> = {
  file_missing:
    "The file of this upload is no longer stored here, so it could not be read and nothing of it was posted. Upload it again.",
  reconnect:
    "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the upload goes on by itself.",
  no_answer: "Waiting: QuickBooks does not answer. Nothing is lost; the upload goes on by itself.",
  in_doubt:
    "Waiting: QuickBooks gave no clear answer for some invoices. They are looked for there; the upload goes on by itself.",
  behind_undo:
    "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload goes on by itself.",
  plan_changed:
    "Waiting: another upload with some of these invoices came first. Nothing is lost; this one is compared with it in a moment, by itself.",
  subscription:
    "Not posted: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then upload the file again; what is posted already is not sent twice.",
  permission:
    "Not posted: QuickBooks no longer lets us write to this company. Its QuickBooks admin must connect it again; then upload the file again.",
  environment:
    "Not posted: Intuit does not have this company where we look for it. The keys of this application belong to the other environment (INTUIT_ENVIRONMENT): contact whoever runs it.",
  quota:
    "Not posted: Intuit's monthly limit for this application is used up. Contact us; what is posted already is not sent twice.",
};

/** Why an undo waits, ended early or had nothing to do. @param uploadId stands as the support id */
export function undoCauseSentence({ code, params = {} }: Cause, uploadId: string): string {
  const fixed = UNDO_SENTENCES[code];
  if (fixed) return fixed;
  switch (code) {
    case "failed_once":
      return retrySentence(params["at"]);
    case "nothing_posted":
      return nothingSentence(Number(params["in_doubt"]));
    default:
      return `The undo failed again and again on our side. Contact us with the support id ${uploadId}; undoing again is harmless.`;
  }
}

const UNDO_SENTENCES: Readonly<Record<string, string>> = {
  reconnect:
    "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the undo goes on by itself.",
  no_answer: "Waiting: QuickBooks does not answer. Nothing is lost; the undo goes on by itself.",
  in_doubt:
    "Waiting: QuickBooks gave no clear answer for some invoices. They are looked for there; the undo goes on by itself.",
  subscription:
    "The undo stopped: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then undo again.",
  permission:
    "The undo stopped: QuickBooks no longer lets us write to this company. Its QuickBooks admin must connect it again; then undo again.",
  environment:
    "The undo stopped: Intuit does not have this company where we look for it. The keys of this application belong to the other environment (INTUIT_ENVIRONMENT): contact whoever runs it.",
  quota:
    "The undo stopped: Intuit's monthly limit for this application is used up. Contact us, and undo again later.",
};

const retrySentence = (at: unknown): string =>
  `Waiting: something failed on our side. Nothing is lost; it is tried again at ${String(at).slice(11, 16)} (UTC).`;

/** Said when nothing of an upload is known to be in the books. @param unresolved invoices that may or may not be there */
export function nothingSentence(unresolved: number): string {
  if (unresolved === 0) return NOTHING_LEFT;
  const look =
    unresolved === 1
      ? "Of 1 invoice we do not know whether it was stored: look for it in QuickBooks."
      : `Of ${unresolved} invoices we do not know whether they were stored: look for them in QuickBooks.`;
  return `Nothing was changed: no invoice of this upload is known to be in the books. ${look}`;
}

/** Said when an undo finds no invoice of the upload in the books. */
export const NOTHING_LEFT =
  "Nothing was changed: this upload has no invoice in the books that was not undone already.";
