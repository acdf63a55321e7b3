import type { JobRun } from "#platform/jobs/define-job.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import {
  earlyReason,
  endingOf,
  MOST_SILENT,
  StillUnclear,
  type WorkEnd,
} from "#features/invoices/post/rules-end.ts";
import { runLanes } from "#features/invoices/post/run-lanes.ts";
import { runWork } from "#features/invoices/post/run-work.ts";
import { leaveOthers, leaveTouched } from "#features/invoices/undo/leave-others.ts";
import { undoEndWords, unclear } from "#features/invoices/undo/rules.ts";
import { leftAs, untouched } from "#features/invoices/undo/rules-settlement.ts";
import { sendUndo } from "#features/invoices/undo/send-undo.ts";
import { claimUndo, setUndoState } from "#features/invoices/undo/store.ts";
import {
  findPosted,
  findUndoingBatches,
  markUndoing,
  settleUndo,
  type UndoEntry,
  type UndoingEntry,
  type UndoWork,
} from "#features/invoices/undo/store-ledger.ts";

/** Invoices read from the books in one query, before any of them is touched. */
const READ_SIZE = 200;
const BATCH_SIZE = 25;
/** Batches under way at once. */
const LANES = 3;

/**
 * Takes the invoices of an upload out of the books again: settles what an earlier start left, then reads the posted ones
 * and undoes those that nobody touched since. May run again at any moment without harm.
 * @returns after how many ms the undo must be taken up again, or null when this is its end or somebody else wakes it
 */
export async function undoUpload(
  ctx: InvoicesCtx,
  ids: { realmId: string; undoId: string },
  run: JobRun,
): Promise<number | null> {
  const claimed = await claimUndo(ctx.db, ids);
  if (!claimed) return null;
  const { undo, fence, hadWaited } = claimed;
  const work: UndoWork = { undo, upload: { realmId: undo.realmId, id: undo.uploadId, fence } };
  const words = undoEndWords(undo.uploadId);
  return runWork<never>(ctx, {
    held: work.upload,
    run,
    words,
    patient: hadWaited,
    work: () => undoAll(ctx, work, run),
    save: async (tx, end) => {
      const now = ctx.clock.now();
      if (earlyReason(end, words) !== null) {
        const open = (await findUndoingBatches(tx, work.upload)).flat();
        await settleUndo(tx, work, { settlements: open.map(endOfOpen), now });
      }
      await setUndoState(tx, undo, endingOf(end, words, now));
    },
  });
}

/** An invoice that was being undone when all of the work ended. */
const endOfOpen = (entry: UndoingEntry) =>
  entry.sentAt === null ? untouched(entry) : leftAs(entry, unclear(entry));

async function undoAll(ctx: InvoicesCtx, work: UndoWork, run: JobRun): Promise<WorkEnd> {
  const { upload } = work;
  const { data: preferences } = await ctx.books(upload.realmId).preferences();
  const closedThrough = preferences.AccountingInfoPrefs.BookCloseDate ?? null;
  let spare = MOST_SILENT;
  for (const batch of await findUndoingBatches(ctx.db, upload)) {
    const readAt = ctx.clock.now();
    const entries = await leaveTouched(ctx, work, { entries: batch, closedThrough });
    if (entries.length === 0) continue;
    const end = await sendUndo(ctx, work, { entries, readAt });
    if (end.kind === "open") spare -= Number(end.silent);
    else if (end.kind !== "settled") return end;
  }
  for (let after = -1; spare > 0;) {
    if (run.stop.aborted) return { kind: "interrupted" };
    const posted = await findPosted(ctx.db, work, { after, limit: READ_SIZE });
    const last = posted.at(-1);
    if (!last) break;
    const readAt = ctx.clock.now();
    const entries = await leaveOthers(ctx, work, { entries: posted, closedThrough });
    const { end, silent } = await undoEntries(ctx, work, { entries, readAt, run, spare });
    if (end.kind !== "settled") return end;
    spare -= silent;
    after = last.seq;
    await refreshSummary(ctx, upload.realmId, upload.id);
  }
  const open = (await findUndoingBatches(ctx.db, upload)).flat();
  if (open.length > 0) throw new StillUnclear(Math.max(...open.map(({ vainRounds }) => vainRounds)));
  return { kind: "settled" };
}

/**
 * Undoes invoices in batches. Each batch without an answer takes a lane out of the work once no spare one is left.
 * @returns how that ended, and how many batches were without an answer
 */
async function undoEntries(
  ctx: InvoicesCtx,
  work: UndoWork,
  {
    entries,
    readAt,
    run,
    spare,
  }: { entries: readonly UndoEntry[]; readAt: Date; run: JobRun; spare: number },
): Promise<{ end: WorkEnd; silent: number }> {
  const { upload, undo } = work;
  let next = 0;
  let silent = 0;
  let lanes = Math.min(LANES, spare);
  const end = await runLanes(lanes, run.stop, async () => {
    if (lanes > spare - silent) {
      lanes -= 1;
      return null;
    }
    const batch = entries.slice(next, (next += BATCH_SIZE));
    if (batch.length === 0) return null;
    const place = { upload, undo, batchId: ctx.ids.uuid() };
    const marked = await withFence(ctx, upload, (tx) => markUndoing(tx, place, batch));
    const sent = await sendUndo(ctx, work, { entries: marked, readAt });
    if (sent.kind !== "open") return sent;
    silent += Number(sent.silent);
    return { kind: "settled" };
  });
  return { end, silent };
}
