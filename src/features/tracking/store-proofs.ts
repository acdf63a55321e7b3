import { sql, type Updateable } from "kysely";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

/** Adds the proofs of delivered packages, due now. @returns the numbers of those that are new */
export async function addProofs(
  tx: Db,
  realmId: string,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`insert into tracked_proof (realm_id, number, due_at)
    select ${realmId}, n, ${now}::timestamptz from unnest(${[...numbers]}::text[]) as n
    on conflict do nothing returning number`.execute(tx);
  return rows.map((row) => row.number);
}

export type DueProof = { number: string; requests: number; requested_at: Date | null };

/** Proofs that are due, of packages that an invoice in the books has. */
export async function listDueProofs(
  db: Db,
  realmId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<DueProof[]> {
  const { rows } = await sql<DueProof>`select t.number, t.requests, t.requested_at from tracked_proof t
    join package p on p.realm_id = t.realm_id and p.number = t.number and p.of_invoice
    where t.realm_id = ${realmId} and t.due_at <= ${now} order by t.due_at limit ${limit}`.execute(db);
  return rows;
}

export async function changeProof(
  tx: Db,
  { realmId, number }: { realmId: string; number: string },
  change: Updateable<TrackingTables["tracked_proof"]>,
): Promise<void> {
  await tables(tx)
    .updateTable("tracked_proof")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("number", "=", number)
    .execute();
}
