import { createHash } from "node:crypto";
import type { IntuitError } from "#integrations/intuit/errors.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { EndWords, StopCause } from "#features/invoices/post/rules-end.ts";
import { tryAgainSentence } from "#features/invoices/post/rules-refusals.ts";
import type { EntryState, UploadState } from "#features/invoices/tables.ts";
import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";
import type { UndoState } from "#features/invoices/undo/tables.ts";

/** What is known of an invoice we posted: its number for people, and the state in which QuickBooks answered it. */
export type PostedInvoice = { number: string | null; syncToken: string };

type Named = Pick<PostedInvoice, "number">;

/** Why an invoice is left alone, as a code and a sentence. */
export type Left = { reason: UndoReason; sentence: string };

/** QuickBooks gives every new invoice this one; ledger rows of before it was kept have none. */
export const FIRST_SYNC_TOKEN = "0";

/**
 * Decides whether an invoice may be undone. What others did to it stands first, so that the reason tells the most.
 * @param found the invoice as it is in the books now, undefined when it is not there
 * @param closedThrough last day of the closed period, YYYY-MM-DD
 * @returns null when it may
 */
export function judgeInvoice(
  posted: PostedInvoice,
  found: Invoice | undefined,
  closedThrough: string | null,
): Left | null {
  const name = nameOf(posted);
  if (!found) return { reason: "deleted", sentence: `${name} was deleted in QuickBooks already.` };
  const changed = found.SyncToken !== posted.syncToken;
  if (changed && isVoided(found))
    return { reason: "voided", sentence: `${name} was voided in QuickBooks already.` };
  if (isPaid(found)) {
    const sentence = `${name} has a payment. Delete the payment in QuickBooks first, then undo again.`;
    return { reason: "paid", sentence };
  }
  if (changed) {
    const sentence = `${name} was changed in QuickBooks after it was posted, so it is left as it is. Void or delete it there if you want it gone.`;
    return { reason: "edited", sentence };
  }
  if (closedThrough && found.TxnDate && found.TxnDate <= closedThrough) return closedPeriod(posted);
  return null;
}

/** Why there is nothing that we can undo for an invoice in this state of the ledger. */
export function neverPosted(state: EntryState): Left {
  if (state === "unknown") {
    const sentence = "We do not know whether it was stored. Look for it in QuickBooks.";
    return { reason: "unknown", sentence };
  }
  const earlier = "This upload did not post it: it was posted by an earlier one.";
  return { reason: "not_posted", sentence: state === "skipped" ? earlier : "It was never posted." };
}

/** Whether work on an upload, or an undo, goes on or waits. */
export const isOpen = (state: UploadState | UndoState) =>
  state === "queued" || state === "working" || state === "paused";

/** Why QuickBooks refused one invoice. */
export function faultLeft(posted: Named, error: IntuitError): Left {
  if (error.kind === "closedBooks") return closedPeriod(posted);
  const detail = error.faults
    .map((fault) => fault.detail || fault.message)
    .filter(Boolean)
    .join(" ");
  const sentence = `QuickBooks refused to undo ${lowerName(posted)}: ${detail || error.message}`;
  return { reason: "refused", sentence };
}

export const unclear = (posted: Named): Left => ({
  reason: "unclear",
  sentence: `QuickBooks gave no clear answer, so we do not know whether ${lowerName(posted)} was undone. Undo again: that looks first.`,
});

const closedPeriod = (posted: Named): Left => ({
  reason: "closed_period",
  sentence: `${nameOf(posted)} is in a period whose books are closed. Reopen the books in QuickBooks first, then undo again.`,
});

/** A void sets all amounts to zero and says so in the memo. */
export const isVoided = ({ TotalAmt, Balance, PrivateNote }: Invoice) =>
  TotalAmt === 0 && (Balance ?? 0) === 0 && (PrivateNote ?? "").includes("Voided");

const isPaid = ({ TotalAmt, Balance, LinkedTxn }: Invoice) =>
  (Balance !== undefined && Balance < TotalAmt) ||
  (LinkedTxn ?? []).some(({ TxnType }) => TxnType === "Payment" || TxnType === "CreditMemo");

const nameOf = ({ number }: Named) => (number ? `Invoice ${number}` : "The invoice");
const lowerName = ({ number }: Named) => (number ? `invoice ${number}` : "the invoice");

/** Reasons that say the invoice is out of the books: uploading the file again makes it anew. */
export const isGone = (reason: UndoReason): reason is GoneReason =>
  reason === "voided" || reason === "deleted";

/** How others took an invoice out of the books. */
export type GoneReason = Extract<UndoReason, "voided" | "deleted">;

/** Why nothing more can be undone in this company now. */
export const UNDO_STOPPED: Record<StopCause, string> = {
  subscription:
    "The undo stopped: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then undo again.",
  permission:
    "The undo stopped: QuickBooks no longer lets us write to this company. Its QuickBooks admin must connect it again; then undo again.",
  quota:
    "The undo stopped: Intuit's monthly limit for this application is used up. Contact us, and undo again later.",
};

/** What people are told of an undo that waits or ended early. */
export const undoEndWords = (uploadId: string): EndWords => ({
  ...UNDO_STOPPED,
  reconnect:
    "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the undo goes on by itself.",
  noAnswer: "Waiting: QuickBooks does not answer. Nothing is lost; the undo goes on by itself.",
  again: tryAgainSentence,
  failed: `The undo failed again and again on our side. Contact us with the support id ${uploadId}; undoing again is harmless.`,
});

type UndoKey = { realmId: string; uploadId: string; key: string; generation: number; undoId: string };

/**
 * requestid of one undo of one ledger row, when it is sent alone: the same for ever, at most 50 characters. A later
 * undo has another one, since QuickBooks may repeat a refusal under an old id.
 */
export function undoRequestId(row: UndoKey, action: UndoAction): string {
  return createHash("sha256")
    .update([row.realmId, row.uploadId, row.key, row.generation, row.undoId, action].join("\n"))
    .digest("base64url")
    .slice(0, 40);
}

type Told = { action: UndoAction; undone: number; skipped: number };

/** What came of an undo, in a sentence. */
export function runSentence({ action, undone, skipped }: Told): string {
  const left = skipped === 1 ? "1 invoice was left" : `${skipped} invoices were left`;
  if (undone === 0) return skipped === 0 ? NOTHING_LEFT : `Nothing was changed: ${left} untouched.`;
  const done = `${undone === 1 ? "1 invoice was" : `${undone} invoices were`} ${action === "void" ? "voided" : "deleted"}`;
  return skipped === 0 ? `${done}.` : `${done}, ${left}.`;
}

/** Said when nothing of an upload is known to be in the books. @param unknown invoices that may or may not be there */
export function nothingSentence(unknown: number): string {
  if (unknown === 0) return NOTHING_LEFT;
  const look =
    unknown === 1
      ? "Of 1 invoice we do not know whether it was stored: look for it in QuickBooks."
      : `Of ${unknown} invoices we do not know whether they were stored: look for them in QuickBooks.`;
  return `Nothing was changed: no invoice of this upload is known to be in the books. ${look}`;
}

/** Said when an undo finds no invoice of the upload in the books. */
const NOTHING_LEFT =
  "Nothing was changed: this upload has no invoice in the books that was not undone already.";
