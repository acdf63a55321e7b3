import { auditBy } from "#features/audit/index.ts";
import { findCompany } from "#features/companies/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError } from "#platform/errors.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { Ending, HeldRun, RunWork } from "#platform/runs/types.ts";
import { readSheet, storeLabels } from "#features/labels/requests/create-labels.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { MAX_TRIES } from "#features/labels/limits.ts";
import { fileOf } from "#features/labels/requests/jobs.ts";
import {
  endRequest,
  findRequestOf,
  hasEnded,
  type LabelRequest,
  type Outcome,
} from "#features/labels/requests/store.ts";

/** Makes the labels of a request, or finds out why they can't be made. May run again at any moment: it ends once. */
export async function runRequest(ctx: LabelsCtx, work: RunWork): Promise<Ending> {
  const request = await findRequestOf(ctx.db, work.run);
  // Its rows are gone after a reset of the demo.
  if (!request) return { state: "done" };
  if (!hasEnded(request)) await makeOrRefuse(ctx, work, request);
  await ctx.objects.remove(fileOf(request.id));
  return { state: "done" };
}

/** @throws whatever may pass by itself: then the run is tried again */
async function makeOrRefuse(ctx: LabelsCtx, work: RunWork, request: LabelRequest): Promise<void> {
  const { run } = work;
  try {
    if (run.starts >= MAX_TRIES) throw new Error("Too many processes died while they made these labels.");
    await make(ctx, work, request);
  } catch (error) {
    if (work.stop.aborted) throw error;
    const refusal = refusalOf(error, { run, request });
    if (!refusal) throw error;
    if (refusal !== error) ctx.log.error({ err: error, request: request.id }, "Labels could not be made");
    const { status, code, message: detail, retryAfterSeconds } = refusal;
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    await end(ctx, { run, request }, async () => ({ refusal: { status, code, detail, ...after } }));
  }
}

async function make(ctx: LabelsCtx, { run, stop }: RunWork, request: LabelRequest): Promise<void> {
  const { realmId, callId: requestId, userId, printId, askedBy: madeBy, fileName } = request;
  const company = await findCompany(ctx.db, realmId);
  if (!company) throw new Error(`There is no company ${realmId}.`);
  const bytes = () => ctx.objects.read(fileOf(request.id));
  const sheet = await readSheet(ctx, company, { ...request, bytes });
  stop.throwIfAborted();
  const audited = { ...ctx, ...auditBy(ctx, { userId, realmId, requestId }) };
  await end(ctx, { run, request }, async (tx) => {
    const made = { ...sheet, fileName, madeBy, printId };
    return { uploadId: (await storeLabels(audited, { tx, company }, made)).id };
  });
}

type Held = { run: HeldRun; request: LabelRequest };
type Work = (tx: Db) => Promise<Outcome>;

/** Writes what became of a request in the transaction in which it did. */
async function end(ctx: LabelsCtx, { run, request }: Held, work: Work): Promise<void> {
  await withFence(ctx.db, run, async (tx) => {
    const outcome = await work(tx);
    await endRequest(tx, request, { outcome, now: ctx.clock.now() });
    await publishChange(tx, { realmId: request.realmId, kind: "labels" });
  });
}

/** Codes of what is over once somebody has made room. */
const WITHOUT_ROOM = ["storage_full", "database_full"];

/** What is wrong with the sheet, or what only somebody here can cure; null for what may pass by itself. */
function refusalOf(error: unknown, { run, request }: Held): AppError | null {
  if (error instanceof AppError && (error.status < 500 || WITHOUT_ROOM.includes(error.code))) return error;
  if (run.starts < MAX_TRIES && run.failures + 1 < MAX_TRIES) return null;
  return new AppError({
    status: 503,
    code: "labels_not_made",
    detail: `The labels couldn't be made because of a failure on our side. None was made. Try again, or contact us with the number ${request.id}.`,
    cause: error,
  });
}
