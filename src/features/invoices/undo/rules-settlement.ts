import type { UndoReason } from "#features/invoices/undo/contract.ts";
import { isGone, type Left } from "#features/invoices/undo/rules.ts";

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

/** Surely nothing was done with it: as if the undo had not come to it. */
export const untouched = ({ key }: Keyed): UndoSettlement => ({
  key,
  state: "posted",
  reason: null,
  message: "",
});
