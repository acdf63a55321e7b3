import { IntuitError } from "#integrations/intuit/errors.ts";
import type { JobRun } from "#platform/jobs/define-job.ts";
import { checkUpload } from "#features/invoices/check/check-upload.ts";
import { enterFence, FencedOut, withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findUnknownInvoices } from "#features/invoices/find-unknown.ts";
import { planUpload, writePlan } from "#features/invoices/plan-upload.ts";
import { refreshSummary, withSummary } from "#features/invoices/refresh-summary.ts";
import type { BatchEnd } from "#features/invoices/request-batch.ts";
import { stopSentence } from "#features/invoices/rules-refusals.ts";
import { sendBatch } from "#features/invoices/send-batch.ts";
import { claimUpload, findUpload, setUploadState } from "#features/invoices/store.ts";
import {
  endOpenEntries,
  findUnsettledBatches,
  needsBooksNumbers,
  takeReady,
  type Held,
} from "#features/invoices/store-ledger.ts";

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
 * @returns `interrupted` when the process is stopping and the upload must be taken up again
 */
export async function postUpload(
  ctx: InvoicesCtx,
  { realmId, uploadId }: { realmId: string; uploadId: string },
  run: JobRun,
): Promise<"done" | "interrupted"> {
  const fence = await claimUpload(ctx.db, realmId, uploadId);
  if (fence === null) return "done";
  const held: Held = { realmId, id: uploadId, fence };
  const authorisation = await ctx.findAuthorisation(realmId);
  try {
    return await finish(ctx, { held, authorisation }, await work(ctx, held, run));
  } catch (error) {
    if (error instanceof FencedOut) throw error;
    const end = endOfFailure(error, { uploadId, isLastAttempt: run.isLastAttempt });
    if (!end) throw error;
    ctx.log.error({ err: error, upload: uploadId, end: end.kind }, "An upload ended early");
    return finish(ctx, { held, authorisation }, end);
  }
}

type End = BatchEnd | { kind: "interrupted" } | { kind: "checked" };

async function work(ctx: InvoicesCtx, held: Held, run: JobRun): Promise<End> {
  const upload = await findUpload(ctx.db, held.realmId, held.id);
  if (!upload) return { kind: "settled" };
  if (!upload.planned && held.fence > MOST_STARTS) return { kind: "stop", reason: gaveUp(held.id) };
  await refreshSummary(ctx, held.realmId, held.id);
  if (upload.phase === "check" || !upload.planned) await findUnknownInvoices(ctx, held.realmId);
  if (upload.phase === "check") {
    if ((await checkUpload(ctx, held, upload)) === "checked") return { kind: "checked" };
  } else if (!upload.planned) {
    const plan = await planUpload(ctx, held, upload);
    await withFence(ctx, held, (tx) => writePlan(tx, held, plan));
  }
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

/** Some invoices were sent and QuickBooks never said what became of them: the job comes back and asks again. */
class StillUnclear extends Error {
  override name = "StillUnclear";
  override message = "QuickBooks gave no clear answer for some invoices of an upload.";
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
): Promise<"done" | "interrupted"> {
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
  return kind === "interrupted" ? "interrupted" : "done";
}

function endingOf(end: End, now: Date) {
  switch (end.kind) {
    case "settled":
      return { state: "finished", reason: "", finishedAt: now } as const;
    case "stop":
      return { state: "stopped", reason: end.reason, finishedAt: now } as const;
    case "checked":
      return { state: "checked", reason: "", finishedAt: null } as const;
    case "interrupted":
      return { state: "queued", reason: "", finishedAt: null } as const;
    case "reconnect": {
      const reason =
        "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the upload goes on by itself.";
      return { state: "paused", reason, finishedAt: null } as const;
    }
  }
}

function endOfFailure(error: unknown, job: { uploadId: string; isLastAttempt: boolean }): End | null {
  if (error instanceof IntuitError && error.kind === "reconnect") return { kind: "reconnect" };
  const reason = error instanceof IntuitError ? stopSentence(error) : null;
  if (reason) return { kind: "stop", reason };
  return job.isLastAttempt ? { kind: "stop", reason: gaveUp(job.uploadId) } : null;
}

const UNKNOWN_AFTER_STOP =
  "QuickBooks gave no clear answer before the upload stopped, so we do not know whether this invoice was stored. Look for it in QuickBooks before you send it again.";

const gaveUp = (uploadId: string) =>
  `Not posted: this upload failed again and again on our side. Contact us with the support id ${uploadId}; uploading the file again posts only what is missing.`;
