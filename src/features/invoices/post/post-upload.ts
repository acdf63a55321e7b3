import type { JobRun } from "#platform/jobs/define-job.ts";
import { checkUpload } from "#features/invoices/check/check-upload.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findUnknownInvoices } from "#features/invoices/post/find-unknown.ts";
import { planUpload, type LedgerPlan } from "#features/invoices/plan/plan-upload.ts";
import { PlanOutdated, writePlan } from "#features/invoices/plan/write-plan.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import {
  earlyReason,
  endingOf,
  MOST_SILENT,
  StillUnclear,
  type WorkEnd,
} from "#features/invoices/post/rules-end.ts";
import {
  BEHIND_UNDO,
  PLAN_AGAIN,
  UNKNOWN_AFTER_STOP,
  uploadEndWords,
} from "#features/invoices/post/rules-refusals.ts";
import { runLanes } from "#features/invoices/post/run-lanes.ts";
import { runWork } from "#features/invoices/post/run-work.ts";
import { sendBatch } from "#features/invoices/post/send-batch.ts";
import {
  claimUpload,
  findUpload,
  rememberUndo,
  setUploadState,
  type Upload,
} from "#features/invoices/store.ts";
import {
  endOpenEntries,
  findUnsettledBatches,
  needsBooksNumbers,
  takeReady,
  type Held,
} from "#features/invoices/post/store-ledger.ts";
import { findUndoAhead } from "#features/invoices/undo/store.ts";

/** Invoices a batch: Intuit takes 30, and says different things in different places. */
const BATCH_SIZE = 25;
/** Batches under way at once. Where QuickBooks gives the numbers there is one, so that they follow the sheet. */
const LANES = 3;
const SUMMARY_EVERY_MS = 700;
const PLAN_AGAIN_MS = 5_000;
/** Killed processes are no failures of a job, yet a workbook that kills every process that reads it must end. */
const MOST_DEAD_STARTS = 20;

type Checked = { kind: "checked" };

/**
 * Works on one upload until nothing of it is open: checks it, writes its ledger, settles what a dead worker left, and
 * posts the rest. May run again at any moment; what was posted is never sent as something new.
 * @returns after how many ms the upload must be taken up again, or null when this is its end or somebody else wakes it
 */
export async function postUpload(
  ctx: InvoicesCtx,
  { realmId, uploadId }: { realmId: string; uploadId: string },
  run: JobRun,
): Promise<number | null> {
  const before = await findUpload(ctx.db, realmId, uploadId);
  const claimed = await claimUpload(ctx.db, realmId, uploadId);
  if (!before || !claimed) return null;
  const held: Held = { realmId, id: uploadId, fence: claimed.fence };
  const words = uploadEndWords(uploadId);
  const tooOften = before.state === "working" && claimed.deadStarts >= MOST_DEAD_STARTS;
  return runWork<Checked>(ctx, {
    held,
    run,
    words,
    patient: before.state === "paused",
    work: () => work(ctx, held, { run, tooOften }),
    save: async (tx, end) => {
      const now = ctx.clock.now();
      if (end.kind === "checked")
        return setUploadState(tx, held, { state: "checked", reason: "", finishedAt: null });
      const stopped = earlyReason(end, words);
      if (stopped) await endOpenEntries(tx, held, { stopped, unknown: UNKNOWN_AFTER_STOP, now });
      return setUploadState(tx, held, endingOf(end, words, now));
    },
  });
}

async function work(
  ctx: InvoicesCtx,
  held: Held,
  { run, tooOften }: { run: JobRun; tooOften: boolean },
): Promise<WorkEnd | Checked> {
  const upload = await findUpload(ctx.db, held.realmId, held.id);
  if (!upload) return { kind: "settled" };
  if (!upload.planned && tooOften) return { kind: "failed" };
  const early = upload.phase === "check" || !upload.planned ? await checkOrPlan(ctx, held, upload) : null;
  if (early) return early;
  await refreshSummary(ctx, held.realmId, held.id);
  let silent = 0;
  for (const invoices of await findUnsettledBatches(ctx.db, held)) {
    const end = await sendBatch(ctx, held, { invoices, replay: true });
    if (end.kind === "open") silent += Number(end.silent);
    else if (end.kind !== "settled") return end;
  }
  const end = await postReady(ctx, held, { run, silent });
  const open = end.kind === "settled" ? (await findUnsettledBatches(ctx.db, held)).flat() : [];
  if (open.length > 0) throw new StillUnclear(Math.max(...open.map(({ vainRounds }) => vainRounds)));
  return end;
}

/** @returns an end when nothing may be posted now, else null: the ledger stands */
async function checkOrPlan(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<WorkEnd | Checked | null> {
  const undo = await findUndoAhead(ctx.db, upload);
  if (undo) return behindUndo(undo);
  await findUnknownInvoices(ctx, held.realmId);
  const plan = await planUpload(ctx, held, upload);
  if (plan.behindUndo !== null) return waitForUndo(ctx, held, { upload, undoId: plan.behindUndo });
  try {
    return (await keepPlan(ctx, held, { upload, plan })) === "checked" ? { kind: "checked" } : null;
  } catch (error) {
    if (!(error instanceof PlanOutdated)) throw error;
    if (error.undoId !== null) return waitForUndo(ctx, held, { upload, undoId: error.undoId });
    return { kind: "later", state: "queued", reason: PLAN_AGAIN, afterMs: PLAN_AGAIN_MS };
  }
}

async function keepPlan(
  ctx: InvoicesCtx,
  held: Held,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"checked" | "post"> {
  if (upload.phase === "check") return checkUpload(ctx, held, { upload, plan });
  await withFence(ctx, held, (tx) => writePlan(tx, held, plan));
  return "post";
}

/** Remembers the undo, so that further wakes ask QuickBooks nothing while it is open. */
async function waitForUndo(
  ctx: InvoicesCtx,
  held: Held,
  { upload, undoId }: { upload: Upload; undoId: string },
): Promise<WorkEnd> {
  await withFence(ctx, held, (tx) => rememberUndo(tx, held, undoId));
  // It may have ended since the plan was made; then the plan is made again soon.
  return behindUndo((await findUndoAhead(ctx.db, { ...upload, behindUndo: undoId })) ?? "queued");
}

/** An upload waits while the same invoices are taken out of the books; an undo that waits itself takes longer. */
const behindUndo = (undo: "queued" | "paused"): WorkEnd => ({
  kind: "later",
  state: undo,
  reason: BEHIND_UNDO,
  afterMs: undo === "paused" ? 60_000 : PLAN_AGAIN_MS,
});

/** Posts what is ready. Each batch without an answer takes a lane out of the work once no spare one is left. */
async function postReady(
  ctx: InvoicesCtx,
  held: Held,
  { run, silent }: { run: JobRun; silent: number },
): Promise<WorkEnd> {
  let spare = MOST_SILENT - silent;
  let lanes = Math.min((await needsBooksNumbers(ctx.db, held)) ? 1 : LANES, spare);
  let summaryDue = ctx.clock.now().getTime();
  const tell = async () => {
    const now = ctx.clock.now().getTime();
    if (now < summaryDue) return;
    summaryDue = now + SUMMARY_EVERY_MS;
    await refreshSummary(ctx, held.realmId, held.id);
  };
  return runLanes(lanes, run.stop, async () => {
    if (lanes > spare) {
      lanes -= 1;
      return null;
    }
    const batch = { id: ctx.ids.uuid(), size: BATCH_SIZE, now: ctx.clock.now() };
    const invoices = await withFence(ctx, held, (tx) => takeReady(tx, held, batch));
    if (invoices.length === 0) return null;
    // An answer may take its time, and what is on its way is not to be told as waiting meanwhile.
    await tell();
    const end = await sendBatch(ctx, held, { invoices, replay: false });
    if (end.kind === "open") spare -= Number(end.silent);
    await tell();
    return end.kind === "open" ? { kind: "settled" } : end;
  });
}
