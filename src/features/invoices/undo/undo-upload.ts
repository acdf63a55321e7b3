import { IntuitError } from "#integrations/intuit/errors.ts";
import type { JobRun } from "#platform/jobs/define-job.ts";
import { FencedOut, withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { refreshSummary } from "#features/invoices/refresh-summary.ts";
import { endOf, type BatchEnd } from "#features/invoices/request-batch.ts";
import { judgeInvoice, stopReason, unclear } from "#features/invoices/undo/rules.ts";
import { leftAs } from "#features/invoices/undo/rules-settlement.ts";
import { sendUndo, writeUndo } from "#features/invoices/undo/send-undo.ts";
import type { Held } from "#features/invoices/store-ledger.ts";
import { claimUndo, setUndoState } from "#features/invoices/undo/store.ts";
import {
  findPosted,
  findUndoingBatches,
  markUndoing,
  noteWaiting,
  type UndoEntry,
  type UndoWork,
} from "#features/invoices/undo/store-ledger.ts";

/** Invoices read from the books in one query, before any of them is touched. */
const READ_SIZE = 200;
const BATCH_SIZE = 25;
/** Batches under way at once. */
const LANES = 3;

type End = BatchEnd | { kind: "interrupted" };

/** With the authorisation that the undo began with. */
type Work = UndoWork & { authorisation: string | null };

/**
 * Takes the invoices of an upload out of the books again: settles what a dead worker left, then reads the posted ones
 * and undoes those that nobody touched since. May run again at any moment without harm.
 * @returns `interrupted` when the process is stopping and the undo must be taken up again
 */
export async function undoUpload(
  ctx: InvoicesCtx,
  ids: { realmId: string; undoId: string },
  run: JobRun,
): Promise<"done" | "interrupted"> {
  const claimed = await claimUndo(ctx.db, ids);
  if (!claimed) return "done";
  const { undo, fence } = claimed;
  const upload: Held = { realmId: undo.realmId, id: undo.uploadId, fence };
  const work: Work = { undo, upload, authorisation: await ctx.findAuthorisation(undo.realmId) };
  try {
    return await finish(ctx, work, await undoAll(ctx, work, run));
  } catch (error) {
    if (error instanceof FencedOut) throw error;
    const end = endOfFailure(error, { uploadId: undo.uploadId, isLastAttempt: run.isLastAttempt });
    if (!end) throw error;
    ctx.log.error({ err: error, upload: undo.uploadId, end: end.kind }, "An undo ended early");
    return finish(ctx, work, end);
  }
}

async function undoAll(ctx: InvoicesCtx, work: Work, run: JobRun): Promise<End> {
  const { upload } = work;
  await withFence(ctx, upload, (tx) => noteWaiting(tx, upload, ""));
  await refreshSummary(ctx, upload.realmId, upload.id);
  for (const entries of await findUndoingBatches(ctx.db, upload)) {
    const end = await sendUndo(ctx, work, { entries, replay: true });
    if (end.kind !== "settled") return end;
  }
  const { data: preferences } = await ctx.books(upload.realmId).preferences();
  const closedThrough = preferences.AccountingInfoPrefs.BookCloseDate ?? null;
  for (let after = -1; ;) {
    if (run.stop.aborted) return { kind: "interrupted" };
    const posted = await findPosted(ctx.db, upload, { after, limit: READ_SIZE });
    const last = posted.at(-1);
    if (!last) return { kind: "settled" };
    const entries = await leaveOthers(ctx, work, { posted, closedThrough });
    const end = await undoEntries(ctx, work, { entries, run });
    if (end.kind !== "settled") return end;
    after = last.seq;
    await refreshSummary(ctx, upload.realmId, upload.id);
  }
}

/** Reads invoices from the books and notes why some are left. @returns those that may be undone */
async function leaveOthers(
  ctx: InvoicesCtx,
  work: UndoWork,
  { posted, closedThrough }: { posted: readonly UndoEntry[]; closedThrough: string | null },
): Promise<UndoEntry[]> {
  const { data } = await ctx.books(work.upload.realmId).findInvoicesById(posted.map(({ qboId }) => qboId));
  const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
  const judged = posted.map((entry) => ({
    entry,
    left: judgeInvoice(entry, found.get(entry.qboId), closedThrough),
  }));
  await writeUndo(
    ctx,
    work,
    judged.flatMap(({ entry, left }) => (left ? [leftAs(entry, left)] : [])),
  );
  return judged.flatMap(({ entry, left }) => (left ? [] : [entry]));
}

/** Undoes invoices in a few lanes; the first lane that meets an end for all of them ends the others too. */
async function undoEntries(
  ctx: InvoicesCtx,
  work: UndoWork,
  { entries, run }: { entries: readonly UndoEntry[]; run: JobRun },
): Promise<End> {
  const { upload, undo } = work;
  let end: End = { kind: "settled" };
  let next = 0;
  const lane = async () => {
    while (end.kind === "settled" && next < entries.length) {
      if (run.stop.aborted) {
        end = { kind: "interrupted" };
        return;
      }
      const batch = entries.slice(next, (next += BATCH_SIZE));
      const place = { upload, undo, batchId: ctx.ids.uuid() };
      const marked = await withFence(ctx, upload, (tx) => markUndoing(tx, place, batch));
      const batchEnd = await sendUndo(ctx, work, { entries: marked, replay: false });
      if (batchEnd.kind !== "settled") end = batchEnd;
    }
  };
  // All lanes settle before the job ends, so that no write is left behind by one that failed.
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const failure = lanes.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
  return end;
}

/** Leaves the undo in the state its end means; the summary comes first, so that nobody reads an old one as the end. */
async function finish(ctx: InvoicesCtx, work: Work, end: End): Promise<"done" | "interrupted"> {
  const { upload, undo, authorisation } = work;
  if (end.kind === "stop") {
    const open = (await findUndoingBatches(ctx.db, upload)).flat();
    const settlements = open.map((entry) => leftAs(entry, unclear(entry)));
    await writeUndo(ctx, work, settlements);
  }
  if (end.kind !== "reconnect") await refreshSummary(ctx, upload.realmId, upload.id);
  const kind = await withFence(ctx, upload, async (tx) => {
    const refused = { realmId: upload.realmId, authorisation };
    const goesOn = end.kind === "reconnect" && !(await ctx.onReconnectNeeded(tx, refused));
    const ending: End = goesOn ? { kind: "interrupted" } : end;
    if (ending.kind === "reconnect") await noteWaiting(tx, upload, WAITING);
    await setUndoState(tx, undo, endingOf(ending, ctx.clock.now()));
    return ending.kind;
  });
  if (end.kind === "reconnect") await refreshSummary(ctx, upload.realmId, upload.id);
  return kind === "interrupted" ? "interrupted" : "done";
}

function endingOf(end: End, now: Date) {
  switch (end.kind) {
    case "settled":
      return { state: "finished", reason: "", finishedAt: now } as const;
    case "stop":
      return { state: "stopped", reason: end.reason, finishedAt: now } as const;
    case "interrupted":
      return { state: "queued", reason: "", finishedAt: null } as const;
    case "reconnect":
      return { state: "paused", reason: WAITING, finishedAt: null } as const;
  }
}

function endOfFailure(error: unknown, job: { uploadId: string; isLastAttempt: boolean }): End | null {
  const end = endOf(error);
  if (end?.kind === "stop" && error instanceof IntuitError)
    return { kind: "stop", reason: stopReason(error.kind) };
  return end ?? (job.isLastAttempt ? { kind: "stop", reason: gaveUp(job.uploadId) } : null);
}

const WAITING =
  "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the undo goes on by itself.";

const gaveUp = (uploadId: string) =>
  `The undo failed again and again on our side. Contact us with the support id ${uploadId}; undoing again is harmless.`;
