import { listNumbersSince } from "#features/shipping/index.ts";
import { KEPT_MS } from "#features/packages/index.ts";
import { foldKey } from "#features/tracking/rules-numbers.ts";
import { changeLabelsAt, type FollowedCompany } from "#features/tracking/store.ts";
import {
  findBills,
  findByKeys,
  findSharedNumbers,
  linkPackages,
  type Link,
} from "#features/tracking/store-invoices.ts";
import type { Db } from "#platform/db/connect.ts";

/** A transaction may commit after a later one. */
const OVERLAP_MS = 60_000;
/** Numbers of labels come after those of the field. */
export const AFTER_FIELD = 1_000;

type Since = {
  /** Whether labels that were made long ago may have an invoice now. */
  hasNewInvoices: boolean;
  now: Date;
  fenced<T>(write: (tx: Db) => Promise<T>): Promise<T>;
};

/** Links packages of labels made here to invoices that have the PO number, and bill no other part of its order or other order. */
export async function linkLabels(
  db: Db,
  company: FollowedCompany,
  { hasNewInvoices, now, fenced }: Since,
): Promise<void> {
  const { realm_id: realmId, labels_at: labelsAt } = company;
  const oldest = now.getTime() - KEPT_MS;
  const isAll = hasNewInvoices || labelsAt === null;
  const since = new Date(isAll ? oldest : labelsAt.getTime() - OVERLAP_MS);
  const labels = await listNumbersSince(db, realmId, since);
  if (labels.length === 0) return;
  await fenced(async (tx) => {
    await changeLabelsAt(tx, company, now);
    await linkFound(tx, realmId, { labels, now });
  });
}

type Found = { labels: Awaited<ReturnType<typeof listNumbersSince>>; now: Date };

async function linkFound(tx: Db, realmId: string, { labels, now }: Found): Promise<void> {
  const poNumbers = [...new Set(labels.map((label) => label.po_number))];
  const keys = [...new Set(poNumbers.map(foldKey))].filter((key) => key !== "");
  const invoices = await findByKeys(tx, realmId, keys);
  const bills = await findBills(tx, realmId, poNumbers);
  const shared = await findSharedNumbers(tx, realmId, poNumbers);
  const links: Link[] = [];
  for (const [at, { po_number: po, tracking_number: number }] of labels.entries()) {
    const [found, second] = invoices.filter((invoice) => invoice.keys.includes(foldKey(po)));
    // A PO number may also be the number of another customer's invoice: only one that has no second is sure.
    if (!found || second) continue;
    const ofOrder = bills.filter((bill) => bill.po_number === po);
    const own = ofOrder.find((bill) => bill.numbers.includes(number));
    // One that is being posted may be the one that was found: its packages are linked once it is recorded.
    const isTaken = ofOrder.some(
      ({ qbo_id: id, is_all: isAll }) => id === null || (id === found.qbo_id && !isAll),
    );
    // An invoice with a PO number of several orders may be of any of them: only what it bills is sure.
    if (own ? own.qbo_id === found.qbo_id : !isTaken && !shared.has(po))
      links.push({ qbo_id: found.qbo_id, number, seq: AFTER_FIELD + at });
  }
  await linkPackages(tx, realmId, { links, inBooks: false, now });
}
