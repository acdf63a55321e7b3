import type { BatchOutcome } from "#integrations/intuit/client.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { requestBatch, type BatchAnswer } from "#features/invoices/post/request-batch.ts";
import { settleBatch } from "#features/invoices/post/settle-batch.ts";
import {
  endOf,
  isUnclear,
  MOST_VAIN_ROUNDS,
  type BatchEnd,
  type Sent,
} from "#features/invoices/post/rules-end.ts";
import { countVainRound } from "#features/invoices/post/store-unclear.ts";
import { beforeUndo, ReadLongAgo } from "#features/invoices/undo/read-recently.ts";
import { resolveUndo } from "#features/invoices/undo/resolve-undo.ts";
import { faultLeft, unclear } from "#features/invoices/undo/rules.ts";
import {
  leftAs,
  undoneAs,
  untouched,
  type UndoSettlement,
} from "#features/invoices/undo/rules-settlement.ts";
import {
  settleUndo,
  unmarkUndoSent,
  type UndoingEntry,
  type UndoWork,
} from "#features/invoices/undo/store-ledger.ts";

type Batch = { entries: readonly UndoingEntry[]; readAt: Date };

/**
 * Voids or deletes a batch of invoices that the ledger already holds as being undone, and writes how each ended. Called
 * again for a batch whose answer was lost, it replays it: same requestid, same places, same bodies.
 * @param batch.readAt when the books were read for them
 * @returns `interrupted` when QuickBooks let it wait so long that the books must be read again first
 */
export async function sendUndo(
  ctx: InvoicesCtx,
  work: UndoWork,
  batch: Batch,
): Promise<Sent | { kind: "interrupted" }> {
  const answer = await request(ctx, work, batch);
  if (answer.kind === "interrupted") return answer;
  if (answer.kind === "refused") return refuseAll(ctx, work, { ...answer, entries: batch.entries });
  // One that stays open after its tries is enough to wait for in a round.
  let hasty = false;
  const { end, open } = await settleBatch<UndoingEntry, UndoSettlement>({
    entries: batch.entries,
    answer,
    read: (entry, outcome) => settlementOf(entry, outcome),
    resolve: async (unclearOne) => {
      const settled = await resolveUndo(ctx, work, { ...unclearOne, hasty });
      hasty ||= settled === null;
      return settled;
    },
    write: (settlements) => writeUndo(ctx, work, settlements),
  });
  if (end.kind !== "settled") return end;
  const isOpen = await leaveOpen(ctx, work, open);
  return isOpen ? { kind: "open", silent: answer.kind === "unclear" } : end;
}

async function request(
  ctx: InvoicesCtx,
  { undo, upload }: UndoWork,
  { entries, readAt }: Batch,
): Promise<BatchAnswer | { kind: "interrupted" }> {
  const items = entries.map(
    ({ batchItem, qboId, syncToken }) =>
      ({ bId: batchItem, operation: undo.action, Invoice: { Id: qboId, SyncToken: syncToken } }) as const,
  );
  const requestId = entries[0]?.batchId ?? "";
  // What never left, because its worker died, is not repeated now.
  const replay = entries.some(({ sentAt }) => sentAt !== null);
  const keys = entries.map(({ key }) => key);
  let isUnclear = false;
  const beforeSend = ({ mayBeDone }: { mayBeDone: boolean }) => {
    isUnclear = mayBeDone;
    return beforeUndo(ctx, upload, { keys, readAt });
  };
  try {
    return await requestBatch(ctx, upload.realmId, {
      uploadId: upload.id,
      items,
      requestId,
      replay,
      beforeSend,
    });
  } catch (error) {
    if (!(error instanceof ReadLongAgo)) throw error;
    if (isUnclear) return { kind: "unclear" };
    // QuickBooks only turned it away: who goes on must not take it for a call that may still be under way.
    await unmarkUndoSent(ctx, upload, entries);
    return { kind: "interrupted" };
  }
}

/** Counts a round for invoices that stay open, and leaves those that had their last. @returns false when none is open */
async function leaveOpen(ctx: InvoicesCtx, work: UndoWork, open: readonly UndoingEntry[]): Promise<boolean> {
  const isSpent = ({ vainRounds }: UndoingEntry) => vainRounds + 1 >= MOST_VAIN_ROUNDS;
  const spent = open.filter(isSpent).map((entry) => leftAs(entry, unclear(entry)));
  await writeUndo(ctx, work, spent);
  const waiting = open.filter((entry) => !isSpent(entry)).map(({ key }) => key);
  if (waiting.length === 0) return false;
  await withFence(ctx, work.upload, (tx) => countVainRound(tx, work.upload, waiting));
  return true;
}

/** Writes how invoices ended, under the fence. */
export async function writeUndo(
  ctx: InvoicesCtx,
  work: UndoWork,
  settlements: readonly UndoSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  await withFence(ctx, work.upload, (tx) => settleUndo(tx, work, { settlements, now: ctx.clock.now() }));
}

type Refused = { end: BatchEnd; replayed: boolean; entries: readonly UndoingEntry[] };

/**
 * Refused at the first try, nothing was done: whoever goes on looks at them anew, as at all others. Refused at a repeat,
 * the first try may have been done.
 */
async function refuseAll(
  ctx: InvoicesCtx,
  work: UndoWork,
  { end, replayed, entries }: Refused,
): Promise<BatchEnd> {
  if (!replayed) await writeUndo(ctx, work, entries.map(untouched));
  else if (end.kind === "stop")
    await writeUndo(
      ctx,
      work,
      entries.map((entry) => leftAs(entry, unclear(entry))),
    );
  return end;
}

/** @returns the end of one invoice, an end for the whole undo, or null when the books must be asked */
function settlementOf(
  entry: UndoingEntry,
  outcome: BatchOutcome | undefined,
): UndoSettlement | BatchEnd | null {
  if (!outcome) return null;
  if ("ok" in outcome) return undoneAs(entry);
  const { fault } = outcome;
  // "Not found" is said of an inactive name too: only the books tell whether the invoice is gone.
  if (isUnclear(fault) || fault.kind === "stale" || fault.kind === "notFound") return null;
  const end = endOf(fault);
  if (end) return end;
  return leftAs(entry, faultLeft(entry, fault));
}
