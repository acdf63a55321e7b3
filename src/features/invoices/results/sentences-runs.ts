import { refusalSentence, unknownSentence } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import type { Cause } from "#platform/runs/types.ts";

/** Explains why an upload waits or ended early. @param uploadId shown as the support id */
export function uploadCauseSentence(cause: Cause, uploadId: string): string {
  const { code, params = {} } = cause;
  switch (code) {
    case "waiting_for_undo":
      return "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload will continue by itself.";
    case "plan_changed":
      return "Waiting: another upload with some of these invoices came first. Nothing is lost; we'll compare this one with it in a moment.";
    case "file_refused":
      return refusalSentence(invoiceSheet, { code: String(params["refusal"]), params });
    case "file_missing":
      return "The file of this upload is no longer stored here, so we couldn't read it and nothing was posted. Upload it again.";
    case "failed":
      return `Not posted: this upload kept failing on our side. Contact us with the support ID ${uploadId}. If you upload the file again, only what is missing is posted.`;
    default:
      return sharedSentence(cause, UPLOAD);
  }
}

/** Explains why an undo waits, ended early or had nothing to do. @param uploadId shown as the support id */
export function undoCauseSentence(cause: Cause, uploadId: string): string {
  switch (cause.code) {
    case "nothing_posted":
      return nothingSentence(Number(cause.params?.["in_doubt"]));
    case "failed":
      return `The undo kept failing on our side. Contact us with the support ID ${uploadId}; it's safe to undo again.`;
    default:
      return sharedSentence(cause, UNDO);
  }
}

const NOT_TWICE = "; what is already posted isn't sent twice.";
const UPLOAD = {
  work: "upload",
  ended: "Not posted",
  again: "upload the file again",
  renewed: NOT_TWICE,
  quota: NOT_TWICE,
};
const UNDO = {
  work: "undo",
  ended: "The undo stopped",
  again: "undo again",
  renewed: ".",
  quota: ", and undo again later.",
};

/** Sentences shared by uploads and undos. */
function sharedSentence({ code, params = {} }: Cause, words: typeof UPLOAD): string {
  const { work, ended, again } = words;
  const sentences: Record<string, string> = {
    canceled: `${ended}: canceled by ${String(params["by"])}. To continue, ${again}${words.renewed}`,
    new_owner: `${ended}: a new owner connected the company. To continue, ${again}${words.renewed}`,
    reconnect: `Waiting: reconnect the company to QuickBooks. Nothing is lost; the ${work} will continue by itself.`,
    no_answer: `Waiting: QuickBooks isn't responding. Nothing is lost; the ${work} will continue by itself.`,
    in_doubt: `Waiting: QuickBooks gave no clear answer for some invoices. We're looking for them there; the ${work} will continue by itself.`,
    failed_once: `Waiting: something failed on our side. Nothing is lost; we'll retry the ${work} soon.`,
    subscription: `${ended}: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then ${again}${words.renewed}`,
    permission: `${ended}: QuickBooks no longer lets us write to this company. Its QuickBooks admin must reconnect it; then ${again}.`,
    environment: `${ended}: Intuit doesn't know this company in the environment we use (INTUIT_ENVIRONMENT). Contact us.`,
    quota: `${ended}: Intuit's monthly limit for this application is used up. Contact us${words.quota}`,
  };
  return sentences[code] ?? unknownSentence(code);
}

/**
 * Used if nothing of an upload is known to be in the books. @param unresolved invoices that may or may not be
 * there
 */
export function nothingSentence(unresolved: number): string {
  if (unresolved === 0) return NOTHING_LEFT;
  const look =
    unresolved === 1
      ? "For 1 invoice, we don't know whether it was stored. Look for it in QuickBooks."
      : `For ${unresolved} invoices, we don't know whether they were stored. Look for them in QuickBooks.`;
  return `No invoices were changed: none of this upload is known to be in QuickBooks. ${look}`;
}

/** Used if an undo finds no invoice of the upload in the books. */
export const NOTHING_LEFT = "No invoices were changed: everything this upload posted is undone already.";
