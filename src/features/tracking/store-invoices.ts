import { sql, type Selectable } from "kysely";
import { addInvoicePackages, followPackages } from "#features/packages/index.ts";
import { findInvoicesWith } from "#features/tracking/store-packages.ts";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

export type StoredInvoice = Selectable<TrackingTables["tracked_invoice"]>;

/** An invoice as it was read, with the tracking numbers in its field. */
export type ReadInvoice = Omit<StoredInvoice, "realm_id" | "gone" | "dirty"> & {
  gone: boolean;
  numbers: string[];
};

/**
 * Stores invoices dated `since` or later, and changes to known ones; an older version never replaces a newer one. Links the
 * packages whose numbers are in their tracking fields, and unlinks the others.
 * @param since YYYY-MM-DD
 */
export async function saveInvoices(
  tx: Db,
  realmId: string,
  { invoices, since, now }: { invoices: readonly ReadInvoice[]; since: string; now: Date },
): Promise<void> {
  const { rows: saved } = await sql<{ qbo_id: string }>`insert into tracked_invoice as known
      (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_date, ship_via, tracking_text, keys, other_carriers,
       currency, shipping_cents, is_paid, gone)
    select ${realmId}, n.qbo_id, n.sync_token, n.number, n.customer, n.txn_date, n.ship_date, n.ship_via, n.tracking_text,
      n.keys, n.other_carriers, n.currency, n.shipping_cents, n.is_paid, n.gone
    from jsonb_to_recordset(${toJson(invoices)}::jsonb) as n (qbo_id text, sync_token text, number text, customer text,
      txn_date text, ship_date text, ship_via text, tracking_text text, keys text[], other_carriers text[],
      currency text, shipping_cents int, is_paid boolean, gone boolean)
    where n.txn_date >= ${since}
      or exists (select from tracked_invoice t where t.realm_id = ${realmId} and t.qbo_id = n.qbo_id)
    on conflict (realm_id, qbo_id) do update set sync_token = excluded.sync_token, number = excluded.number,
      customer = excluded.customer, txn_date = excluded.txn_date, ship_date = excluded.ship_date,
      ship_via = excluded.ship_via, tracking_text = excluded.tracking_text, keys = excluded.keys,
      other_carriers = excluded.other_carriers, currency = excluded.currency,
      shipping_cents = excluded.shipping_cents, is_paid = excluded.is_paid, gone = excluded.gone, dirty = true
    where known.sync_token <> excluded.sync_token and not (known.sync_token ~ '^\d{1,9}$' and excluded.sync_token ~ '^\d{1,9}$'
      and excluded.sync_token::int < known.sync_token::int)
    returning qbo_id`.execute(tx);
  const ids = new Set(saved.map((row) => row.qbo_id));
  const links = invoices
    .filter((invoice) => ids.has(invoice.qbo_id))
    .flatMap(({ qbo_id, numbers }) => numbers.map((number, at) => ({ qbo_id, number, seq: at + 1 })));
  const unlinked = await unlink(tx, realmId, { ids: [...ids], links });
  await linkPackages(tx, realmId, { links, inBooks: true, now });
  await updateFollowed(tx, realmId, { numbers: unlinked, now });
}

export type Link = { qbo_id: string; number: string; seq: number };

/** Removes links to numbers that users took out of the fields. */
async function unlink(
  tx: Db,
  realmId: string,
  { ids, links }: { ids: readonly string[]; links: readonly Link[] },
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`delete from tracked_invoice_package l
    where realm_id = ${realmId} and qbo_id = any (${[...ids]}::text[]) and in_books
      and not exists (select from jsonb_to_recordset(${toJson(links)}::jsonb) as n (qbo_id text, number text)
        where n.qbo_id = l.qbo_id and n.number = l.number)
    returning number`.execute(tx);
  return rows.map((row) => row.number);
}

/** Removes links by the PO number of an invoice to packages other than its own, and of its own to other invoices. */
export async function unlinkOthers(
  tx: Db,
  realmId: string,
  { qboId, numbers, now }: { qboId: string; numbers: readonly string[]; now: Date },
): Promise<void> {
  const { rows } = await sql<{ number: string; qbo_id: string }>`delete from tracked_invoice_package
    where realm_id = ${realmId} and not in_books and (qbo_id = ${qboId}) <> (number = any (${[...numbers]}::text[]))
      and (qbo_id = ${qboId} or number = any (${[...numbers]}::text[]))
    returning number, qbo_id`.execute(tx);
  await markDirty(tx, realmId, rows);
  await updateFollowed(tx, realmId, { numbers: rows.map(({ number }) => number), now });
}

const markDirty = (tx: Db, realmId: string, links: readonly { qbo_id: string }[]) =>
  sql`update tracked_invoice set dirty = true
    where realm_id = ${realmId} and qbo_id = any (${links.map(({ qbo_id: id }) => id)}::text[])`.execute(tx);

/** Links packages to invoices, and adds new packages; existing links stay unchanged. */
export async function linkPackages(
  tx: Db,
  realmId: string,
  { links, inBooks, now }: { links: readonly Link[]; inBooks: boolean; now: Date },
): Promise<void> {
  if (links.length === 0) return;
  const json = toJson(links);
  await addInvoicePackages(tx, realmId, { numbers: links.map(({ number }) => number), now });
  const { rows } = await sql<{
    number: string;
    qbo_id: string;
  }>`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
    select ${realmId}, n.qbo_id, n.number, n.seq, ${inBooks}
    from jsonb_to_recordset(${json}::jsonb) as n (qbo_id text, number text, seq int)
    on conflict do nothing returning number, qbo_id`.execute(tx);
  await markDirty(tx, realmId, rows);
  await updateFollowed(tx, realmId, { numbers: links.map(({ number }) => number), now });
}

/** Follows packages that an invoice in the books has, and stops following the others. */
async function updateFollowed(
  tx: Db,
  realmId: string,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<void> {
  const invoices = await findInvoicesWith(tx, realmId, numbers);
  const live = new Set(invoices.map(({ number }) => number));
  const dropped = numbers.filter((number) => !live.has(number));
  await followPackages(tx, realmId, { followed: [...live], dropped, now });
}

/** Marks invoices that are no longer in the books, and stops following their packages. */
export async function markGone(
  tx: Db,
  realmId: string,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`update tracked_invoice set gone = true where realm_id = ${realmId} and qbo_id = any (${[...ids]}::text[])`.execute(
    tx,
  );
  const { rows } = await sql<{ number: string }>`select distinct number from tracked_invoice_package
    where realm_id = ${realmId} and qbo_id = any (${[...ids]}::text[])`.execute(tx);
  await updateFollowed(tx, realmId, { numbers: rows.map((row) => row.number), now });
}

/** Finds invoices by the keys that they share with labels. */
export async function findByKeys(
  db: Db,
  realmId: string,
  keys: readonly string[],
): Promise<{ qbo_id: string; keys: string[] }[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ qbo_id: string; keys: string[] }>`select qbo_id, keys from tracked_invoice
    where realm_id = ${realmId} and keys && ${[...keys]}::text[] and not gone`.execute(db);
  return rows;
}

/**
 * Invoices of orders, with the packages that they bill.
 * @returns `qbo_id` null for one that is being posted, `is_all` for one that bills whatever ships of its order
 */
export async function findBills(
  db: Db,
  realmId: string,
  poNumbers: readonly string[],
): Promise<{ po_number: string; qbo_id: string | null; is_all: boolean; numbers: string[] }[]> {
  const { rows } = await sql<{
    po_number: string;
    qbo_id: string | null;
    is_all: boolean;
    numbers: string[];
  }>`select po_number, qbo_id, shipment_id is null as is_all, draft -> 'trackingNumbers' as numbers
    from order_invoice where realm_id = ${realmId} and po_number = any (${[...poNumbers]}::text[])
      and state <> 'draft'`.execute(db);
  return rows;
}

/** Finds which of the given PO numbers belong to several orders, of several stores or retailers. */
export async function findSharedNumbers(
  db: Db,
  realmId: string,
  poNumbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ po_number: string }>`select po_number from retail_order
    where realm_id = ${realmId} and po_number = any (${[...poNumbers]}::text[]) and state <> 'cancelled'
    group by po_number having count(*) > 1`.execute(db);
  return new Set(rows.map((row) => row.po_number));
}

/** Invoices that need their writes planned: they changed, and have no open write. */
export async function listDirty(db: Db, realmId: string, limit: number): Promise<StoredInvoice[]> {
  return tables(db)
    .selectFrom("tracked_invoice as i")
    .selectAll()
    .where("i.realm_id", "=", realmId)
    .where("i.dirty", "=", true)
    .where(
      sql<boolean>`not exists (select from tracking_write w where w.realm_id = i.realm_id and w.qbo_id = i.qbo_id
        and w.state = 'open')`,
    )
    .orderBy("i.qbo_id")
    .limit(limit)
    .execute();
}

export async function markPlanned(tx: Db, realmId: string, ids: readonly string[]): Promise<void> {
  await sql`update tracked_invoice set dirty = false where realm_id = ${realmId} and qbo_id = any (${[...ids]}::text[])`.execute(
    tx,
  );
}

export async function markAllDirty(tx: Db, realmId: string): Promise<void> {
  await sql`update tracked_invoice set dirty = true where realm_id = ${realmId} and not dirty`.execute(tx);
}

/** Stores an invoice as QuickBooks returned it after a write. */
export async function saveWritten(
  tx: Db,
  realmId: string,
  invoice: Pick<
    StoredInvoice,
    | "qbo_id"
    | "sync_token"
    | "ship_date"
    | "ship_via"
    | "tracking_text"
    | "currency"
    | "shipping_cents"
    | "is_paid"
  >,
): Promise<void> {
  const { qbo_id: qboId, ...values } = invoice;
  await tables(tx)
    .updateTable("tracked_invoice")
    .set(values)
    .where("realm_id", "=", realmId)
    .where("qbo_id", "=", qboId)
    .execute();
}
