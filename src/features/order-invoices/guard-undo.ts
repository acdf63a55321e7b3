import { changeInvoice, findOfUpload } from "#features/order-invoices/store.ts";
import { hasInvoice } from "#features/order-invoices/recheck-booked.ts";
import { CREDIT_IT } from "#features/order-invoices/sentences.ts";
import { findInvoiceNotices, lockOrder, withdrawInvoiceDocument } from "#features/orders/index.ts";
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
  const invoices = await findOfUpload(tx, realmId, uploadId);
  // Orders first, as everywhere: what settles them waits for this, and never the other way around.
  for (const orderId of [...new Set(invoices.map(({ order_id: id }) => id))].toSorted())
    await lockOrder(tx, realmId, orderId);
  for (const invoice of invoices) {
    if (invoice.qbo_id === null) continue;
    const documents = await findInvoiceNotices(tx, realmId, { invoiceId: invoice.qbo_id });
    if (hasInvoice(documents))
      throw conflict(
        "invoice_sent",
        `The retailer already has invoice ${invoice.qbo_number ?? ""} of PO # ${invoice.po_number}, so it can't be undone. ${CREDIT_IT}`,
      );
    await withdrawInvoiceDocument(tx, { realmId, invoiceId: invoice.qbo_id }, now);
    await changeInvoice(tx, invoice, { undo_asked_at: now });
  }
}
