import type { BooksInvoice } from "#features/books/index.ts";
import { toRead } from "#features/tracking/find-invoices.ts";
import { AFTER_FIELD } from "#features/tracking/link-labels.ts";
import { findFollowed } from "#features/tracking/store.ts";
import { linkPackages, saveInvoices } from "#features/tracking/store-invoices.ts";
import type { Db } from "#platform/db/connect.ts";

/** Links an invoice of an order to the packages of its labels at once, where the company's packages are followed. */
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
  await saveInvoices(tx, realmId, { invoices: [toRead(invoice)], since: invoice.txnDate, now });
  const links = trackingNumbers.map((number, at) => ({
    qbo_id: invoice.qboId,
    number,
    seq: AFTER_FIELD + at,
  }));
  await linkPackages(tx, realmId, { links, inBooks: false, now });
}
