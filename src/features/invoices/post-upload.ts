import type { JobRun } from "#platform/jobs/define-job.ts";
import { checkUpload } from "#features/invoices/check/check-upload.ts";
import { enterFence, FencedOut, withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findUnknownInvoices } from "#features/invoices/find-unknown.ts";
import { planUpload, writePlan } from "#features/invoices/plan-upload.ts";
import { refreshSummary, withSummary } from "#features/invoices/refresh-summary.ts";
import { sendBatch } from "#features/invoices/send-batch.ts";
import { claimUpload, findUpload, setUploadState, type Upload } from "#features/invoices/store.ts";
import {
  endOpenEntries,
  findUnsettledBatches,
  needsBooksNumbers,
  takeReady,
  type Held,
} from "#features/invoices/store-ledger.ts";
import { findUndoOfSameFile } from "#features/invoices/undo/store.ts";
import {
  behindUndo,
  endingOf,
  endOfFailure,
  gaveUp,
  StillUnclear,
  UNKNOWN_AFTER_STOP,
  type End,
} from "#features/invoices/upload-end.ts";

/** Invoices a batch: Intuit takes 30, and says different things in different places. */
const BATCH_SIZE = 25;
/** Batches under way at once. Where QuickBooks gives the numbers there is one, so that they follow the sheet. */
const LANES = 3;
const SUMMARY_EVERY_MS = 700;
/** Killed processes are no failures of a job, yet a workbook that kills every process that reads it must end. */
const MOST_STARTS = 20;

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
  const fence = await claimUpload(ctx.db, realmId, uploadId);
  if (!before || fence === null) return null;
  const patient = before.state === "paused" || fence >= MOST_STARTS;
  // Only a start that a dead process left behind is still working.
  const tooOften = before.state === "working" && fence > MOST_STARTS;
  const held: Held = { realmId, id: uploadId, fence };
  const authorisation = await ctx.findAuthorisation(realmId);
  try {
    return await finish(ctx, { held, authorisation }, await work(ctx, held, { run, tooOften }));
  } catch (error) {
    if (error instanceof FencedOut) throw error;
    const end = endOfFailure(error, { uploadId, run, patient });
    if (!end) throw error;
    ctx.log.error({ err: error, upload: uploadId, end: end.kind }, "An upload ended early or waits");
    return finish(ctx, { held, authorisation }, end);
  }
}

async function work(
  ctx: InvoicesCtx,
  held: Held,
  { run, tooOften }: { run: JobRun; tooOften: boolean },
): Promise<End> {
  const upload = await findUpload(ctx.db, held.realmId, held.id);
  if (!upload) return { kind: "settled" };
  if (!upload.planned && tooOften) return { kind: "stop", reason: gaveUp(held.id) };
  await refreshSummary(ctx, held.realmId, held.id);
  const early = upload.phase === "check" || !upload.planned ? await checkOrPlan(ctx, held, upload) : null;
  if (early) return early;
  await refreshSummary(ctx, held.realmId, held.id);
  for (const invoices of await findUnsettledBatches(ctx.db, held)) {
    const end = await sendBatch(ctx, held, { invoices, replay: true });
    if (end.kind !== "settled") return end;
  }
  const lanes = (await needsBooksNumbers(ctx.db, held)) ? 1 : LANES;
  const end = await postReady(ctx, held, { run, lanes });
  if (end.kind === "settled" && (await findUnsettledBatches(ctx.db, held)).length > 0)
    throw new StillUnclear();
  return end;
}

/** @returns an end when nothing may be posted now, else null: the ledger stands */
async function checkOrPlan(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<End | null> {
  const undo = await findUndoOfSameFile(ctx.db, upload);
  if (undo) return behindUndo(undo);
  await findUnknownInvoices(ctx, held.realmId);
  if (upload.phase === "check")
    return (await checkUpload(ctx, held, upload)) === "checked" ? { kind: "checked" } : null;
  const plan = await planUpload(ctx, held, upload);
  await withFence(ctx, held, (tx) => writePlan(tx, held, plan));
  return null;
}

/** Posts what is ready in a few lanes; the first lane that meets an end for all of them ends the others too. */
async function postReady(
  ctx: InvoicesCtx,
  held: Held,
  options: { run: JobRun; lanes: number },
): Promise<End> {
  let end: End = { kind: "settled" };
  let summaryDue = ctx.clock.now().getTime() + SUMMARY_EVERY_MS;
  const lane = async () => {
    while (end.kind === "settled") {
      if (options.run.stop.aborted) {
        end = { kind: "interrupted" };
        return;
      }
      const batch = { id: ctx.ids.uuid(), size: BATCH_SIZE, now: ctx.clock.now() };
      const invoices = await withFence(ctx, held, (tx) => takeReady(tx, held, batch));
      if (invoices.length === 0) return;
      const batchEnd = await sendBatch(ctx, held, { invoices, replay: false });
      if (batchEnd.kind !== "settled") end = batchEnd;
      if (ctx.clock.now().getTime() < summaryDue) continue;
      summaryDue = ctx.clock.now().getTime() + SUMMARY_EVERY_MS;
      await refreshSummary(ctx, held.realmId, held.id);
    }
  };
  // All lanes settle before the job ends, so that no write is left behind by one that failed.
  const lanes = await Promise.allSettled(Array.from({ length: options.lanes }, lane));
  const failure = lanes.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
  return end;
}

/** Leaves the upload in the state its end means, for people and for the next run. */
async function finish(
  ctx: InvoicesCtx,
  { held, authorisation }: { held: Held; authorisation: string | null },
  end: End,
): Promise<number | null> {
  const now = ctx.clock.now();
  const kind = await withSummary(ctx, held, async (tx) => {
    await enterFence(tx, held);
    if (end.kind === "stop")
      await endOpenEntries(tx, held, { stopped: end.reason, unknown: UNKNOWN_AFTER_STOP, now });
    const refused = { realmId: held.realmId, authorisation };
    const goesOn = end.kind === "reconnect" && !(await ctx.onReconnectNeeded(tx, refused));
    const ending: End = goesOn ? { kind: "interrupted" } : end;
    await setUploadState(tx, held, endingOf(ending, now));
    return ending.kind;
  });
  if (kind === "interrupted") return 0;
  return end.kind === "later" ? end.afterMs : null;
}
