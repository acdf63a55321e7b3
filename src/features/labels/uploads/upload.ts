import type { Company } from "#features/companies/index.ts";
import { busyReply, receiveFile } from "#features/sheets/index.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { waitForChange } from "#platform/events/wait-for-change.ts";
import type { Ctx } from "#platform/ctx.ts";
import { AppError, notFound } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { addRun } from "#platform/runs/store.ts";
import type { LabelUploads, LabelUploadView } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { KEEP_ENDED_MS, LISTED_UPLOADS, MAX_QUEUED } from "#features/labels/limits.ts";
import { labelsRun } from "#features/labels/runs.ts";
import { warningGroup } from "#features/labels/sentences.ts";
import type { LabelUpload, UploadId } from "#features/labels/types.ts";
import * as store from "#features/labels/uploads/store.ts";

/** Folder of the files of queued uploads. */
const FOLDER = "labels";

/**
 * Key of the stored file of a queued upload. Each attempt has its own, so a late one never overwrites
 * another's file.
 */
export const fileKey = ({ realmId, attempt }: { realmId: string; attempt: string }): string =>
  `${FOLDER}/${realmId}-${attempt}`;

/** Name of a file for the screen: without folders, at most 200 characters. */
export function plainName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  return base.slice(0, 200).toWellFormed() || "labels.xlsx";
}

export const withoutEnding = (name: string): string => name.replace(/\.(?:xlsx|csv|tsv|tab|txt)$/i, "");

type Upload = Pick<store.NewUpload, "id" | "uploadedBy" | "request"> & { file: IncomingFile };

/**
 * Stores the uploaded sheet and queues label generation. Once this returns, a crash loses nothing. Sending
 * the same id again has no effect unless that upload was refused.
 * @throws AppError 413 over the size limit or if the company has no space; 503 if too many of its uploads are
 * queued; 507 if the disk is full
 */
export async function acceptSheet(
  ctx: LabelsCtx,
  { realmId }: Company,
  { file, id, uploadedBy, request }: Upload,
): Promise<void> {
  await receiveFile(ctx, file, async (received) => {
    const state = await store.findUploadState(ctx.db, { realmId, id });
    if (state && state.state !== "refused") return;
    if ((await store.countQueued(ctx.db, realmId)) >= MAX_QUEUED)
      throw busyReply(new Error("Too many label uploads of one company are queued."));
    const { sizeBytes } = received;
    await ctx.quotas.requireSpace(realmId, "labels", sizeBytes);
    const uploadedAt = ctx.clock.now();
    const attempt = ctx.ids.uuid();
    await received.keep(fileKey({ realmId, attempt }));
    const fileName = plainName(file.name);
    const upload = { realmId, id, attempt, fileName, sizeBytes, uploadedBy, uploadedAt, request };
    const isAdded = await ctx.db.transaction().execute(async (tx) => {
      if (!(await store.addUpload(tx, upload))) return false;
      const run = { realmId, id: ctx.ids.uuid(), subject: attempt, requestedBy: uploadedBy };
      await addRun(tx, labelsRun, { ...run, requestedAt: uploadedAt });
      return true;
    });
    if (!isAdded) await ctx.objects.remove(fileKey(upload));
  });
}

/**
 * Waits until any process has made an upload.
 * @param gone aborted when the caller hangs up
 * @returns the upload that has the labels; null if it takes too long, or if the caller is gone
 * @throws AppError with the reason for a refusal, which is then no longer listed, because its caller knows it
 */
export function waitForLabels(
  ctx: Ctx & { changes: ChangeFeed },
  id: UploadId,
  gone: AbortSignal,
): Promise<string | null> {
  const read = async () => {
    const upload = await store.findUploadState(ctx.db, id);
    if (upload?.refusal && !gone.aborted) {
      await store.markRefusalAnswered(ctx.db, id);
      throw new AppError(upload.refusal);
    }
    // The row is gone after a demo reset.
    return upload === null ? null : (upload.labelsOf ?? undefined);
  };
  return waitForChange(ctx, { realmId: id.realmId, kind: "labels" }, { read, gone });
}

/** @throws AppError 404 if the company has no such labels */
export async function requireLabels({ db }: Pick<Ctx, "db">, id: UploadId): Promise<LabelUpload> {
  const upload = await store.findMadeUpload(db, id);
  if (!upload) throw notFound("We can't find these labels. Reload the page.");
  return upload;
}

/**
 * Reads an upload: its labels by purchase order, or null while it is queued.
 * @throws AppError 404 for an unknown upload; the reason for a refused one
 */
export async function readUpload(
  ctx: Pick<Ctx, "db">,
  id: UploadId,
): Promise<{ state: "queued" | "made"; labels: LabelUploadView | null }> {
  const upload = await store.findUploadState(ctx.db, id);
  if (!upload)
    throw notFound(
      "We can't find these labels. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
    );
  if (upload.refusal) throw new AppError(upload.refusal);
  if (upload.labelsOf === null) return { state: "queued", labels: null };
  const made = await requireLabels(ctx, id);
  const own = { realmId: id.realmId, id: made.id };
  const orders = await store.listOrders(ctx.db, own);
  const labels = {
    id: made.id,
    filename: made.fileName,
    label_count: made.labelCount,
    made_at: made.madeAt.toISOString(),
    made_by: made.madeBy,
    prints: await store.countPrints(ctx.db, own),
    remarks: made.remarks.map(warningGroup),
    orders: orders.map(({ poNumber, count, firstSeq, firstSscc, lastSscc }) => ({
      po_number: poNumber,
      count,
      first_label: firstSeq,
      first_sscc: firstSscc,
      last_sscc: lastSscc,
    })),
  };
  return { state: "made", labels };
}

/** Lists the newest uploads of a company. */
export async function listUploads({ db }: Pick<Ctx, "db">, realmId: string): Promise<LabelUploads> {
  const uploads = await store.listUploads(db, realmId, LISTED_UPLOADS);
  return {
    uploads: uploads.map((upload) => ({
      id: upload.id,
      state: upload.state,
      filename: upload.fileName,
      uploaded_at: upload.uploadedAt.toISOString(),
      uploaded_by: upload.uploadedBy,
      label_count: upload.labelCount,
      problem: upload.refusal?.detail ?? null,
    })),
  };
}

export const measureSheets = store.measureSheets;

/** Removes refused uploads and finished runs after a day. */
export const removeOldUploads = ({ db, clock }: LabelsCtx): Promise<void> =>
  store.removeEnded(db, clock.now());

/** Removes files left by dead processes that no queued upload needs. @returns their count */
export async function removeOrphanSheets({ db, clock, objects }: LabelsCtx): Promise<number> {
  const files: string[] = [];
  const before = new Date(clock.now().getTime() - KEEP_ENDED_MS);
  for await (const key of objects.listOlder(FOLDER, before)) files.push(key.slice(FOLDER.length + 1));
  const needed = await store.findNeededFiles(db, files);
  const orphans = files.filter((file) => !needed.has(file));
  for (const file of orphans) await objects.remove(`${FOLDER}/${file}`);
  return orphans.length;
}
