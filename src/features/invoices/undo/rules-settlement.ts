import type { Invoice } from "#integrations/intuit/wire.ts";
import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";
import {
  isGone,
  isVoided,
  judgeInvoice,
  type Left,
  type PostedInvoice,
} from "#features/invoices/undo/rules.ts";

/**
 * How an undo ended for one invoice: out of the books by us (no reason) or by others, or left there with a reason.
 * A posted one without a reason was not dealt with.
 */
export type UndoSettlement = {
  key: string;
  state: "posted" | "undone";
  reason: UndoReason | null;
  message: string;
};

type Keyed = { key: string };

/** The undo took it out of the books. */
export const undoneAs = ({ key }: Keyed): UndoSettlement => ({
  key,
  state: "undone",
  reason: null,
  message: "",
});

/** The undo left it, or others took it out of the books before. */
export const leftAs = ({ key }: Keyed, { reason, sentence }: Left): UndoSettlement => ({
  key,
  state: isGone(reason) ? "undone" : "posted",
  reason,
  message: sentence,
});

/**
 * How an invoice ended whose undo was sent or about to be, as the books tell. It was there, untouched, when its batch
 * was made up: one that is gone is our own write whose answer was lost.
 * @param found the invoice as it is in the books now, undefined when it is not there
 * @returns null when it is in the books as we posted it
 */
export function endInBooks(
  entry: PostedInvoice & Keyed,
  found: Invoice | undefined,
  { action, closedThrough }: { action: UndoAction; closedThrough: string | null },
): UndoSettlement | null {
  const gone = action === "delete" ? !found : found !== undefined && isVoided(found);
  if (gone && found?.SyncToken !== entry.syncToken) return undoneAs(entry);
  const left = judgeInvoice(entry, found, closedThrough);
  return left && leftAs(entry, left);
}

/** Surely nothing was done with it: as if the undo had not come to it. */
export const untouched = ({ key }: Keyed): UndoSettlement => ({
  key,
  state: "posted",
  reason: null,
  message: "",
});
