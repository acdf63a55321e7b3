import { listNumbersSince } from "#features/shipping/index.ts";
import { KEPT_MS } from "#features/packages/index.ts";
import { foldKey } from "#features/tracking/rules-numbers.ts";
import { changeLabelsAt, type FollowedCompany } from "#features/tracking/store.ts";
import { findByKeys, linkPackages, type Link } from "#features/tracking/store-invoices.ts";
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

/** Links packages of labels made here to invoices that have the PO number. */
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
  const keys = [...new Set(labels.map((label) => foldKey(label.po_number)))].filter((key) => key !== "");
  const invoices = await findByKeys(tx, realmId, keys);
  const links: Link[] = [];
  for (const [at, label] of labels.entries()) {
    const key = foldKey(label.po_number);
    const ids = invoices.filter((invoice) => invoice.keys.includes(key)).map(({ qbo_id }) => qbo_id);
    // A PO number may also be the number of another customer's invoice: only one that has no second is sure.
    if (ids.length === 1)
      links.push(...ids.map((qbo_id) => ({ qbo_id, number: label.tracking_number, seq: AFTER_FIELD + at })));
  }
  await linkPackages(tx, realmId, { links, inBooks: false, now });
}
