import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import type { Company } from "#features/companies/index.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { Received } from "#integrations/objects/receive-file.ts";
import type { UploadMode, UploadSummary } from "#features/invoices/contract.ts";
import { findColumnChoices, findDateOrder, readForRequest, receiveFile } from "#features/sheets/index.ts";
import type { CallCtx } from "#features/invoices/ctx.ts";
import { isTextName, type Inspection, type InspectInput } from "#features/sheets/reading.ts";
import { addPostUpload } from "#features/invoices/runs.ts";
import { toSummary } from "#features/invoices/results/list-uploads.ts";
import { unplannedSummary } from "#features/invoices/results/refresh-summary.ts";
import { addUpload, findUpload, noUpload, type Uploader } from "#features/invoices/ledger/store.ts";

/**
 * Uploading user or API key, whether the file is reviewed before it is posted, and whether it may be posted in part. `fixes`: the upload
 * whose problem rows the file contains.
 */
type UploadRequest = {
  uploadedBy: Uploader;
  mode: UploadMode;
  stage: "checking" | "confirmed";
  fixes: string | null;
};

/**
 * Stores an uploaded workbook or CSV file and queues its run, in one transaction; refuses other files and
 * files that don't use the template. Once this returns, a crash loses nothing.
 * @throws AppError 400 with a sentence for each kind of unusable file; 404 if the company has no upload
 * `fixes`; 413 over the size limit or if the company has no space; 503 if too many workbooks are being read
 */
export async function acceptUpload(
  ctx: CallCtx,
  company: Company,
  { file, ...request }: UploadRequest & { file: IncomingFile },
): Promise<UploadSummary> {
  return receiveFile(ctx, file, async (received) => {
    const { realmId } = company;
    await ctx.quotas.requireSpace(realmId, "workbooks", received.sizeBytes);
    if (request.fixes !== null && !(await findUpload(ctx.db, realmId, request.fixes))) throw noUpload();
    const choices = { realmId, kind: invoiceSheet.kind };
    const chosen = await findColumnChoices(ctx.db, choices);
    const dateOrder = await findDateOrder(ctx.db, choices);
    const fileName = plainName(file.name);
    const inspection = await readForRequest<Inspection>(invoiceSheet, INSPECTION, {
      bytes: () => received.read(),
      input: { fileName, chosen, dateOrder } satisfies InspectInput,
      owner: realmId,
    });
    return store(ctx, company, { received, inspection, fileName, ...request });
  });
}

const INSPECTION = new URL("../workbook/inspect-workbook.ts", import.meta.url);

type Accepted = UploadRequest & { received: Received; inspection: Inspection; fileName: string };

async function store(
  ctx: CallCtx,
  { realmId }: Company,
  { received, inspection, fileName, ...request }: Accepted,
): Promise<UploadSummary> {
  const id = ctx.ids.uuid();
  const objectKey = `uploads/${id}.${isTextName(fileName) ? "csv" : "xlsx"}`;
  const uploadedAt = ctx.clock.now();
  const { dataRows } = inspection;
  const summary = unplannedSummary({ dataRows, state: "queued", cause: null });
  await received.keep(objectKey);
  await ctx.db.transaction().execute(async (tx) => {
    const { sizeBytes, sha256 } = received;
    await addUpload(tx, {
      realmId,
      id,
      fileName,
      sha256,
      objectKey,
      sizeBytes,
      dataRows,
      uploadedAt,
      ...request,
      summary,
    });
    await addPostUpload(ctx, tx, { realmId, uploadId: id, requestedBy: request.uploadedBy.name });
    const action = request.stage === "confirmed" ? "invoices.upload" : "invoices.check";
    await ctx.audit(tx, { action, ids: { upload: id }, after: { file: fileName, mode: request.mode } });
  });
  return toSummary(ctx, { realmId, id, fileName, uploadedAt, summary });
}

/** Name of the file for display: without folders, at most 200 characters. */
function plainName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  return base.slice(0, 200).toWellFormed() || "workbook.xlsx";
}
