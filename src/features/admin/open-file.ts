import type { Audited } from "#features/audit/index.ts";
import type { OpenedUpload } from "#features/admin/contract.ts";
import { findCompany, requireGrant } from "#features/companies/index.ts";
import { readReceipt, readUploadedFile, type InvoicesCtx } from "#features/invoices/index.ts";
import { readShipmentLabels, type ShippingCtx } from "#features/shipping/index.ts";
import { notFound } from "#platform/errors.ts";

/** Contexts of the features that have files of companies. */
export type FilesCtx = { invoices: InvoicesCtx; shipping: ShippingCtx };

type FileRequest = { realmId: string; kind: "workbook" | "label"; file: string; userId: string };

/**
 * Reads a file of a company for an operator, under a grant, and records that in the company's trail.
 * @throws AppError 403 without a grant, whether there is such a file or not; 404 for an unknown file
 */
export async function openFile(
  ctx: FilesCtx & { audited: Audited },
  { realmId, kind, file, userId }: FileRequest,
): Promise<{ name: string; bytes: Buffer }> {
  await requireGrant(ctx.invoices, { realmId, userId });
  const found =
    kind === "workbook"
      ? await readUploadedFile(ctx.invoices, realmId, file)
      : await readLabel(ctx, realmId, file);
  await ctx.audited.audit(ctx.invoices.db, {
    action: "support.open_file",
    ids: { kind, file },
    after: { file: found.name },
  });
  return found;
}

/** Invoices of an upload that are shown at once. */
const SHOWN = 200;

/**
 * Reads what a company sees of an upload, as `openFile` opens its file.
 * @throws AppError 403 without a grant, whether there is such an upload or not; 404 for an unknown upload
 */
export async function openUpload(
  ctx: FilesCtx & { audited: Audited },
  { realmId, uploadId, userId }: { realmId: string; uploadId: string; userId: string },
): Promise<OpenedUpload> {
  const endsAt = await requireGrant(ctx.invoices, { realmId, userId });
  const company = await findCompany(ctx.invoices.db, realmId);
  if (!company) throw notFound("There is no company with this ID.");
  const page = { uploadId, after: -1, limit: SHOWN, filter: "all", search: undefined } as const;
  const receipt = await readReceipt(ctx.invoices, company, page);
  await ctx.audited.audit(ctx.invoices.db, {
    action: "support.open_upload",
    ids: { upload: uploadId },
    after: { file: receipt.filename },
  });
  return { receipt, ends_at: endsAt.toISOString() };
}

async function readLabel({ shipping }: FilesCtx, realmId: string, id: string) {
  const { bytes, format } = await readShipmentLabels(shipping, realmId, id);
  return { name: `labels.${format}`, bytes };
}
