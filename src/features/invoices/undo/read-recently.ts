import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";
import { markUndoSent } from "#features/invoices/undo/store-ledger.ts";

/** What was read from the books, or sent to them, longer ago than this, others may have touched since. */
const RECENT_MS = 3 * 60_000;

/** QuickBooks let a call wait so long that the books must be read anew before it is made. */
export class ReadLongAgo extends Error {
  override name = "ReadLongAgo";
  override message = "The books were read too long ago to undo invoices by that.";
}

export const isRecent = ({ clock }: Pick<InvoicesCtx, "clock">, at: Date): boolean =>
  clock.now().getTime() - at.getTime() < RECENT_MS;

/**
 * What is done right before each call that undoes invoices: the ledger notes that they go out.
 * @param call.readAt when the books were read for them
 * @throws ReadLongAgo, FencedOut; nothing is sent then
 */
export async function beforeUndo(
  ctx: InvoicesCtx,
  upload: Held,
  { keys, readAt }: { keys: readonly string[]; readAt: Date },
): Promise<void> {
  if (!isRecent(ctx, readAt)) throw new ReadLongAgo();
  await markUndoSent(ctx, upload, keys);
}
