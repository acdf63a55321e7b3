import { auditBy, type Audited } from "#features/audit/index.ts";
import { findCompany, type Company } from "#features/companies/index.ts";
import { addEvent } from "#features/programs/index.ts";
import { groupProblems } from "#features/sheets/reading.ts";
import { splitSscc } from "#formats/gs1/sscc.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { formatCount, quote } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { Ending, HeldRun, RunWork } from "#platform/runs/types.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { MAX_LABELS, MAX_ATTEMPTS } from "#features/labels/limits.ts";
import { labelsRun } from "#features/labels/runs.ts";
import { refuseRows } from "#features/labels/sentences.ts";
import { listUsedPrefixes, lockSerials, numberCartons } from "#features/labels/serials.ts";
import { indexShipFroms, requireLabelSettings } from "#features/labels/settings.ts";
import type { LabelRow, LabelSettings, LabelUpload, Profile, UploadId } from "#features/labels/types.ts";
import { countLabels, expandRows, fingerprintRows } from "#features/labels/uploads/cartons.ts";
import { findUsedNumbers, isError, readLabelSheet } from "#features/labels/uploads/review.ts";
import * as store from "#features/labels/uploads/store.ts";
import { fileKey } from "#features/labels/uploads/upload.ts";

export const labelRuns = (ctx: LabelsCtx): BoundRun[] => [bindRun(labelsRun, runLabels, ctx)];

/**
 * Makes the labels of an upload, or refuses it. Safe to run again after a crash at any point; the upload ends
 * once.
 */
async function runLabels(ctx: LabelsCtx, work: RunWork): Promise<Ending> {
  const attempt = { realmId: work.run.realmId, attempt: work.run.subject };
  const upload = await store.findQueuedUpload(ctx.db, attempt);
  // Null after a demo reset, or if a process died after the commit.
  if (upload) await makeOrRefuse(ctx, work, upload);
  await ctx.objects.remove(fileKey(attempt));
  return { state: "done" };
}

/** @throws a temporary failure, so that the run is retried */
async function makeOrRefuse(ctx: LabelsCtx, work: RunWork, upload: store.NewUpload): Promise<void> {
  const { run, stop } = work;
  try {
    if (run.starts + run.failures >= MAX_ATTEMPTS)
      throw new Error("Too many processes died or hung while they made these labels.");
    await makeLabels(ctx, work, upload);
  } catch (error) {
    if (stop.aborted) throw error;
    const refused = toRefusal(error, { run, upload });
    if (!refused) throw error;
    if (refused !== error) ctx.log.error({ err: error, upload: upload.id }, "Labels could not be made");
    const { status, code, message: detail, retryAfterSeconds } = refused;
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    const refusal = { status, code, detail, ...after };
    await endUpload(ctx, work, upload, (tx) =>
      store.saveRefusal(tx, upload, { refusal, now: ctx.clock.now() }),
    );
  }
}

/** Reads the sheet, and stores numbers, labels and their print in one transaction. */
async function makeLabels(ctx: LabelsCtx, work: RunWork, upload: store.NewUpload): Promise<void> {
  const { realmId, id, fileName, uploadedBy: by, request } = upload;
  const company = await findCompany(ctx.db, realmId);
  if (!company) throw new Error(`There is no company ${realmId}.`);
  const settings = await requireLabelSettings(ctx, realmId, request.choices);
  const bytes = () => ctx.objects.read(fileKey(upload));
  const read = await readLabelSheet(ctx, company, { settings, fileName, bytes, cells: request.cells });
  const rows = request.rows === "good" || !read.problems.some(isError) ? read.rows : [];
  if (rows.length === 0) throw refuseRows(read.problems);
  work.stop.throwIfAborted();
  const remarks = groupProblems(read.problems.filter((problem) => !isError(problem)));
  const audited = { ...ctx, ...auditBy(ctx, { userId: request.userId, realmId, requestId: request.callId }) };
  await endUpload(ctx, work, upload, (tx) =>
    storeLabels(audited, { tx, company }, { id, by, fileName, rows, settings, remarks }),
  );
}

/** Ends an upload under its run's fence and announces it. */
async function endUpload(
  ctx: LabelsCtx,
  { run }: RunWork,
  { realmId }: UploadId,
  write: (tx: Db) => Promise<void>,
): Promise<void> {
  await withFence(ctx.db, run, async (tx) => {
    await write(tx);
    await publishChange(tx, { realmId, kind: "labels" });
  });
}

/** Codes of failures that last until the operator frees space. */
const WITHOUT_ROOM = ["storage_full", "database_full"];

/** Refusal for a wrong sheet, a full disk, or the last of several failures; null to retry. */
function toRefusal(error: unknown, { run, upload }: { run: HeldRun; upload: UploadId }): AppError | null {
  if (error instanceof AppError && (error.status < 500 || WITHOUT_ROOM.includes(error.code))) return error;
  if (run.starts < MAX_ATTEMPTS && run.failures + 1 < MAX_ATTEMPTS) return null;
  return new AppError({
    status: 503,
    code: "labels_not_made",
    detail: `Something failed on our side, so no labels were made. Try again, or contact us with the support ID ${upload.id}.`,
    cause: error,
  });
}

/** Labels to store for a queued upload. */
type NewLabels = {
  id: string;
  by: string;
  fileName: string;
  rows: readonly LabelRow[];
  settings: LabelSettings & { layout: Profile };
  remarks: LabelUpload["remarks"];
};

/**
 * Stores the labels of an upload with their SSCCs and first print. Rows that became labels earlier return
 * those labels.
 * @throws AppError 409 if too few serials are left
 */
export async function storeLabels(
  ctx: Ctx & Audited & Pick<LabelsCtx, "journal">,
  { tx, company }: { tx: Db; company: Company },
  { id, by, fileName, rows, settings, remarks }: NewLabels,
): Promise<void> {
  const { realmId } = company;
  const { prefix, extension, otherPrefixes, layout: profile } = settings;
  const count = countLabels(rows);
  if (count > MAX_LABELS)
    throw badRequest(
      "too_many_labels",
      `The file makes ${formatCount(count)} labels; we make at most ${formatCount(MAX_LABELS)} at once. Split it into several files.`,
    );
  if (settings.shipFroms.length === 0 && unprintableIn(company.name) !== undefined)
    throw badRequest(
      "name_not_printable",
      `The label font can't print the company's name ${quote(company.name)}. Ask its admin to enter a ship-from address in the label settings below.`,
    );
  const range = { realmId, prefix, extension };
  const fingerprint = await fingerprintRows(rows, profile.id);
  await lockSerials(tx, range);
  const now = ctx.clock.now();
  const same = await store.findSameRows(tx, realmId, fingerprint);
  if (same) await store.saveMade(tx, { realmId, id }, { made: { sameAs: same.id }, now });
  else {
    const cartons = expandRows(rows, profile.mixed);
    const numbers = await numberCartons({ tx, journal: ctx.journal }, range, cartons);
    // Another upload may have used an SSCC of the sheet since it was read.
    const used = await findUsedNumbers(tx, realmId, { rows });
    if (used.length > 0) throw refuseRows(used);
    const prefixes = [prefix, ...otherPrefixes, ...(await listUsedPrefixes(tx, realmId))];
    const shipFroms = indexShipFroms(company.name, settings);
    const labelCount = cartons.length;
    const made = { fingerprint, labelCount, profile, shipFroms, remarks };
    await store.saveMade(tx, { realmId, id }, { made, now });
    const numbered = cartons.map((carton, at) => {
      const sscc = numbers[at] ?? "";
      // An SSCC from the sheet may start with another prefix of the company.
      const own = carton.sscc === "" ? prefix : prefixes.find((each) => splitSscc(sscc, each));
      return { ...carton, sscc, seq: at + 1, prefix: own ?? prefix };
    });
    await store.addLabels(tx, { realmId, id }, numbered);
    const data = { upload_id: id, labels: labelCount };
    await addEvent(ctx, tx, { realmId, event: "gs1_labels.made", data });
  }
  const labels = same ?? { id, fileName, labelCount: count };
  const ranges = [{ first: 1, last: labels.labelCount }];
  await store.addPrint(tx, { realmId, id: labels.id }, { id, by, at: now, ranges });
  await ctx.audit(tx, {
    action: same ? "labels.print_again" : "labels.make",
    ids: { upload: labels.id },
    after: { file: labels.fileName, labels: labels.labelCount },
  });
}
