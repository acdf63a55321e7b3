import type { BooksInvoice } from "#features/books/index.ts";
import { toRead } from "#features/tracking/find-invoices.ts";
import { AFTER_FIELD } from "#features/tracking/link-labels.ts";
import { wakeWatch } from "#features/tracking/runs.ts";
import { findFollowed } from "#features/tracking/store.ts";
import { linkPackages, saveInvoices, unlinkOthers } from "#features/tracking/store-invoices.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * Links an invoice of an order to the packages of its labels at once, where the company's packages are followed. By its PO number it
 * may have been linked to packages of the order's other parts, and its own to another invoice.
 */
export async function linkInvoice(
  tx: Db,
  {
    realmId,
    invoice,
    trackingNumbers,
    now,
  }: { realmId: string; invoice: BooksInvoice; trackingNumbers: readonly string[]; now: Date },
): Promise<void> {
  if (!(await findFollowed(tx, realmId))) return;
  // Before its invoices, as everywhere: a pass locks several of them.
  await wakeWatch(tx, realmId, now);
  await saveInvoices(tx, realmId, { invoices: [toRead(invoice)], since: invoice.txnDate, now });
  const links = trackingNumbers.map((number, at) => ({
    qbo_id: invoice.qboId,
    number,
    seq: AFTER_FIELD + at,
  }));
  await linkPackages(tx, realmId, { links, inBooks: false, now });
  await unlinkOthers(tx, realmId, { qboId: invoice.qboId, numbers: trackingNumbers, now });
}
