import type { Audited } from "#features/audit/index.ts";
import { requireGrant } from "#features/companies/index.ts";
import { readUploadedFile, type InvoicesCtx } from "#features/invoices/index.ts";
import { readShipmentLabels, type ShippingCtx } from "#features/shipping/index.ts";

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

async function readLabel({ shipping }: FilesCtx, realmId: string, id: string) {
  const { bytes, format } = await readShipmentLabels(shipping, realmId, id);
  return { name: `labels.${format}`, bytes };
}
