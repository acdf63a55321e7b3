import { findPreparedOutcomes } from "#features/invoices/index.ts";
import { changeInvoice, findBooked, findOfUpload } from "#features/order-invoices/store.ts";
import { CREDIT_IT } from "#features/order-invoices/sentences.ts";
import { lockOrder, withdrawInvoiceDocument } from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict } from "#platform/errors.ts";

/**
 * Refuses the undo of an upload whose invoices the retailer already has, in the transaction that requests the undo. Documents that
 * have not left are withdrawn; one of an invoice that stays is planned again.
 * @throws AppError 409 with what to do
 */
export async function guardUndo(
  tx: Db,
  { realmId, uploadId, now }: { realmId: string; uploadId: string; now: Date },
): Promise<void> {
  const rows = new Map(
    (await findPreparedOutcomes(tx, realmId, [uploadId])).map(({ qboId, row }) => [qboId, row] as const),
  );
  // A user may have linked an order to an invoice of any upload.
  const linked = await findBooked(
    tx,
    realmId,
    [...rows.keys()].filter((id) => id !== null),
  );
  const own = await findOfUpload(tx, realmId, uploadId);
  const invoices = [...own, ...linked.filter(({ id }) => !own.some((invoice) => invoice.id === id))];
  // Orders first, as everywhere: what settles them waits for this, and never the other way around.
  for (const orderId of [...new Set(invoices.map(({ order_id: id }) => id))].toSorted())
    await lockOrder(tx, realmId, orderId);
  for (const invoice of invoices) {
    const { qbo_id: invoiceId, qbo_number: number, po_number: po } = invoice;
    if (invoiceId !== null) {
      const isKnown = await withdrawInvoiceDocument(tx, { realmId, invoiceId }, now);
      if (isKnown)
        throw conflict(
          "invoice_sent",
          `The retailer already has invoice ${number ?? ""} of PO # ${po}, so it can't be undone. ${CREDIT_IT}`,
        );
    }
    // One that isn't recorded yet too: its document isn't planned.
    const row = rows.get(invoiceId) ?? invoice.first_row;
    await changeInvoice(tx, invoice, { undo_asked_at: now, upload_id: uploadId, first_row: row });
  }
}
