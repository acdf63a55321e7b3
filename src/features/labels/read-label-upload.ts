import type { Ctx } from "#platform/ctx.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import { remarkOf } from "#features/labels/sentences.ts";
import { countPrints, listOrders, type UploadId } from "#features/labels/ledger/store.ts";

/** One upload's labels by purchase order. @throws AppError 404 when the company has no such upload */
export async function readLabelUpload({ db }: Pick<Ctx, "db">, id: UploadId): Promise<LabelUploadView> {
  const upload = await requireUpload({ db }, id);
  const orders = await listOrders(db, id);
  return {
    id: upload.id,
    filename: upload.fileName,
    label_count: upload.labelCount,
    made_at: upload.madeAt.toISOString(),
    made_by: upload.madeBy,
    prints: await countPrints(db, id),
    remarks: upload.remarks.map(remarkOf),
    orders: orders.map(({ poNumber, count, firstSeq, firstSscc, lastSscc }) => ({
      po_number: poNumber,
      count,
      first_label: firstSeq,
      first_sscc: firstSscc,
      last_sscc: lastSscc,
    })),
  };
}
