import type { Company } from "#features/companies/index.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { Received } from "#integrations/objects/file-store.ts";
import { RESULT_STATUS, type UploadMode, type UploadSummary } from "#features/invoices/contract.ts";
import { removeCheckLater } from "#features/invoices/check/jobs.ts";
import { findColumnChoices, findDateOrder } from "#features/invoices/choices/store.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { Inspection, ToInspect } from "#features/invoices/workbook/inspect-workbook.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { isTextName } from "#features/invoices/workbook/open-file.ts";
import { receiveFile } from "#features/invoices/accept/receive-file.ts";
import { runForRequest } from "#features/invoices/workbook/run-for-request.ts";
import { addUpload } from "#features/invoices/store.ts";

/** Who uploads, whether it is only to be checked, and whether the file may be posted in part. */
type Wish = { uploadedBy: string; mode: UploadMode; phase: "check" | "post" };

/**
 * Takes a workbook or a CSV file in: refuses one that is none or not the template, and otherwise keeps it, notes it and adds its
 * job in one transaction. Once this returns, a crash loses nothing.
 * @throws AppError 400 with a sentence for each kind of unusable file; 413 over the size limit;
 * 503 while too many workbooks are being read
 */
export async function acceptUpload(
  ctx: InvoicesCtx,
  company: Company,
  { file, ...wish }: Wish & { file: IncomingFile },
): Promise<UploadSummary> {
  return receiveFile(ctx, file, async (received) => {
    const chosen = await findColumnChoices(ctx.db, company.realmId);
    const dateOrder = await findDateOrder(ctx.db, company.realmId);
    const fileName = plainName(file.name);
    const inspection = await inspect(await received.read(), { fileName, chosen, dateOrder });
    return store(ctx, company, { received, inspection, fileName, ...wish });
  });
}

const inspect = (bytes: Buffer, input: ToInspect) =>
  runForRequest<Inspection>(new URL("../workbook/inspect-workbook.ts", import.meta.url), { bytes, input });

type Accepted = Wish & { received: Received; inspection: Inspection; fileName: string };

async function store(
  ctx: InvoicesCtx,
  { realmId }: Company,
  { received, inspection, fileName, ...wish }: Accepted,
): Promise<UploadSummary> {
  const id = ctx.ids.uuid();
  const objectKey = `uploads/${id}.${isTextName(fileName) ? "csv" : "xlsx"}`;
  const uploadedAt = ctx.clock.now();
  const { dataRows } = inspection;
  const rows = dataRows > 1 ? `2-${dataRows + 1}` : "2";
  const summary = {
    results: [{ status: RESULT_STATUS.queued, rows, message: "" }],
    result_count: 1,
    counts: { total: dataRows, completed: 0, problems: 0, open: dataRows },
  };
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
      ...wish,
      summary,
    });
    await addPostUpload(tx, { realmId, uploadId: id });
    if (wish.phase === "check") await removeCheckLater(tx, { realmId, uploadId: id }, uploadedAt);
  });
  return { id, filename: fileName, timestamp: uploadedAt.toISOString(), ...summary };
}

/** The file's own name for the screen: without folders and control characters, at most 200 characters. */
function plainName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is taken out
  return (
    base
      .replaceAll(/[\u0000-\u001f\u007f]/g, "")
      .slice(0, 200)
      .toWellFormed() || "workbook.xlsx"
  );
}
