import { sql } from "kysely";
import type { PackageTables } from "#features/packages/index.ts";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<TrackingTables & PackageTables>();

/** Marks the invoices of packages for another comparison. */
export async function markInvoicesDirty(tx: Db, realmId: string, numbers: readonly string[]): Promise<void> {
  await sql`update tracked_invoice i set dirty = true from tracked_invoice_package l
    where l.realm_id = ${realmId} and l.number = any (${[...numbers]}::text[]) and i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
      and not i.dirty`.execute(tx);
}

/** Packages of the given invoices, in the order of their fields. */
export const findLinked = (db: Db, realmId: string, qboIds: readonly string[]) =>
  qboIds.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("tracked_invoice_package as l")
        .innerJoin("package as p", (join) =>
          join.onRef("p.realm_id", "=", "l.realm_id").onRef("p.number", "=", "l.number"),
        )
        .leftJoin("tracked_proof as t", (join) =>
          join.onRef("t.realm_id", "=", "l.realm_id").onRef("t.number", "=", "l.number"),
        )
        .select(["l.qbo_id", "l.in_books", "t.state as proof_state"])
        .selectAll("p")
        .select(sql<boolean>`t.pdf is not null`.as("has_proof"))
        .where("l.realm_id", "=", realmId)
        .where("l.qbo_id", "in", [...qboIds])
        .orderBy("l.qbo_id")
        .orderBy("l.seq")
        .execute();
export type LinkedPackage = Awaited<ReturnType<typeof findLinked>>[number];

/** Invoices in the books that packages are of. */
export async function findInvoicesWith(db: Db, realmId: string, numbers: readonly string[]) {
  if (numbers.length === 0) return [];
  const { rows } = await sql<{ number: string; qbo_id: string }>`select l.number, l.qbo_id
    from tracked_invoice_package l join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id and not i.gone
    where l.realm_id = ${realmId} and l.number = any (${[...numbers]}::text[])`.execute(db);
  return rows;
}

/** Invoices that bill orders, by their ids or their packages: one that is being posted has no id here yet. */
export async function findBilled(
  db: Db,
  realmId: string,
  { qboIds, numbers }: { qboIds: readonly string[]; numbers: readonly string[] },
): Promise<{ qbo_id: string | null; numbers: string[] }[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<{
    qbo_id: string | null;
    numbers: string[];
  }>`select qbo_id, draft -> 'trackingNumbers' as numbers from order_invoice
      where realm_id = ${realmId} and qbo_id = any (${[...qboIds]}::text[]) and state <> 'draft'
    union all select qbo_id, draft -> 'trackingNumbers' from order_invoice
      where realm_id = ${realmId} and state = 'posting' and draft -> 'trackingNumbers' ?| ${[...numbers]}::text[]`.execute(
    db,
  );
  return rows;
}

/** Numbers of the invoices that a package belongs to. */
export async function listInvoiceNumbers(db: Db, realmId: string, number: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`select i.number
    from tracked_invoice_package l join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
    where l.realm_id = ${realmId} and l.number = ${number} and not i.gone order by i.number, i.qbo_id`.execute(
    db,
  );
  return rows.map((row) => row.number);
}

/** Bytes of a company's proofs of delivery; their sizes are known without reading them. */
export async function measureProofs(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(coalesce(octet_length(pdf), 0)
      + coalesce(octet_length(page), 0) + coalesce(octet_length(signature), 0)), 0)::bigint as bytes
    from tracked_proof where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
