import { listNumbersSince } from "#features/labels/index.ts";
import { foldKey } from "#features/tracking/rules-numbers.ts";
import { KEPT_MS } from "#features/tracking/rules-follow.ts";
import { changeFollowed, type FollowedCompany } from "#features/tracking/store.ts";
import { findByKeys, linkPackages, type Link } from "#features/tracking/store-invoices.ts";
import { changePackage, findPackage, markInvoicesDirty } from "#features/tracking/store-packages.ts";
import type { Db } from "#platform/db/connect.ts";

/** A transaction may commit after a later one. */
const OVERLAP_MS = 60_000;
/** Numbers of labels come after those of the field. */
const AFTER_FIELD = 1_000;

type Since = {
  /** Whether labels that were made long ago may have an invoice now. */
  hasNewInvoices: boolean;
  now: Date;
  fenced<T>(write: (tx: Db) => Promise<T>): Promise<T>;
};

/** Links packages of labels made here to invoices that have the PO number, and notes voided ones. */
export async function linkLabels(
  db: Db,
  { realm_id: realmId, labels_at: labelsAt }: FollowedCompany,
  { hasNewInvoices, now, fenced }: Since,
): Promise<void> {
  const oldest = now.getTime() - KEPT_MS;
  const isAll = hasNewInvoices || labelsAt === null;
  const since = new Date(isAll ? oldest : labelsAt.getTime() - OVERLAP_MS);
  const labels = await listNumbersSince(db, realmId, since);
  if (labels.length === 0) return;
  await fenced(async (tx) => {
    await changeFollowed(tx, realmId, { labels_at: now });
    await linkFound(tx, realmId, { labels, now });
  });
}

type Found = { labels: Awaited<ReturnType<typeof listNumbersSince>>; now: Date };

async function linkFound(tx: Db, realmId: string, { labels, now }: Found): Promise<void> {
  const keys = [...new Set(labels.map((one) => foldKey(one.po_number)))].filter((key) => key !== "");
  const invoices = await findByKeys(tx, realmId, keys);
  const links: Link[] = [];
  for (const [at, one] of labels.entries()) {
    const key = foldKey(one.po_number);
    const ids = invoices.filter((invoice) => invoice.keys.includes(key)).map(({ qbo_id }) => qbo_id);
    if (one.voided_at !== null) await markVoided(tx, { realmId, number: one.tracking_number }, now);
    // A PO number may also be the number of another customer's invoice: only one that has no second is sure.
    else if (ids.length === 1)
      links.push(...ids.map((qbo_id) => ({ qbo_id, number: one.tracking_number, seq: AFTER_FIELD + at })));
  }
  await linkPackages(tx, realmId, { links, inBooks: false, now });
}

async function markVoided(tx: Db, id: { realmId: string; number: string }, now: Date): Promise<void> {
  const known = await findPackage(tx, id.realmId, id.number);
  if (!known || known.state === "voided") return;
  await changePackage(tx, id, { state: "voided", state_at: now, look_at: null });
  await markInvoicesDirty(tx, id.realmId, id.number);
}
