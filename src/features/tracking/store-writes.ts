import { sql, type Insertable, type Selectable } from "kysely";
import type { ShippingFields, TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Cause } from "#platform/writes/evidence.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

export type StoredWrite = Selectable<TrackingTables["tracking_write"]>;
export type Batch = { batch_id: string; operation: StoredWrite["operation"] };

export const findWrites = (db: Db, realmId: string, qboIds: readonly string[]): Promise<StoredWrite[]> =>
  qboIds.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("tracking_write")
        .selectAll()
        .where("realm_id", "=", realmId)
        .where("qbo_id", "in", [...qboIds])
        .orderBy("planned_at", "desc")
        .orderBy("id")
        .execute();

/** Numbers of the packages whose proofs of delivery an attachment contains. */
export const listNumbers = ({ number }: Pick<StoredWrite, "number">): string[] => number?.split(" ") ?? [];

export async function addWrites(
  tx: Db,
  rows: readonly Insertable<TrackingTables["tracking_write"]>[],
): Promise<void> {
  if (rows.length > 0)
    await tables(tx)
      .insertInto("tracking_write")
      .values([...rows])
      .execute();
}

/** Batches with open writes, oldest plan first. Shipping fields come before amounts, because amounts reread the invoice. */
export async function listOpenBatches(db: Db, realmId: string): Promise<Batch[]> {
  const { rows } = await sql<Batch>`select batch_id, operation from tracking_write
    where realm_id = ${realmId} and state = 'open' group by batch_id, operation
    order by min(planned_at), operation desc`.execute(db);
  return rows;
}

/** Writes of a batch, each with its invoice as last read. */
export const findBatch = (db: Db, realmId: string, batchId: string) =>
  tables(db)
    .selectFrom("tracking_write as w")
    .innerJoin("tracked_invoice as i", (join) =>
      join.onRef("i.realm_id", "=", "w.realm_id").onRef("i.qbo_id", "=", "w.qbo_id"),
    )
    .selectAll("w")
    .select(["i.sync_token as current_token", "i.tracking_text as current_text"])
    .where("w.realm_id", "=", realmId)
    .where("w.batch_id", "=", batchId)
    .execute();
export type BatchWrite = Awaited<ReturnType<typeof findBatch>>[number];

export async function settleWrite(
  tx: Db,
  { realmId, id }: { realmId: string; id: string },
  outcome: {
    state: "done" | "refused" | "unresolved";
    cause: Cause | null;
    fields?: ShippingFields;
    now: Date;
  },
): Promise<void> {
  const { state, cause, fields, now } = outcome;
  await tables(tx)
    .updateTable("tracking_write")
    .set({
      state,
      settled_at: now,
      cause: cause && toJson(cause),
      file: null,
      ...(fields && { fields: toJson(fields) }),
    })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .where("state", "=", "open")
    .execute();
}

/** Files attached to invoices between two times, with the numbers of the invoices. */
export async function listAttached(db: Db, realmId: string, { since, until }: { since: Date; until: Date }) {
  const { rows } = await sql<{
    id: string;
    qbo_id: string;
    file_name: string;
    invoice: string;
    planned_at: Date;
  }>`select w.id, w.qbo_id, w.file_name, i.number as invoice, w.planned_at
    from tracking_write w join tracked_invoice i on i.realm_id = w.realm_id and i.qbo_id = w.qbo_id
    where w.realm_id = ${realmId} and w.operation = 'attach' and w.state = 'done'
      and w.settled_at > ${since} and w.settled_at <= ${until}
    order by w.id`.execute(db);
  return rows;
}

/** The bytes of an attachment that is not settled: its own file, or the proof of its package. */
export async function findFile(db: Db, realmId: string, id: string): Promise<Buffer> {
  const { rows } = await sql<{ bytes: Buffer | null }>`select coalesce(w.file, p.pdf) as bytes
    from tracking_write w left join tracked_proof p on p.realm_id = w.realm_id and p.number = w.number
    where w.realm_id = ${realmId} and w.id = ${id}::uuid`.execute(db);
  const bytes = rows[0]?.bytes;
  if (!bytes) throw new Error(`The file of ${id} is missing.`);
  return bytes;
}

/** The stored proofs of packages, in the order of the numbers. */
export async function findProofs(db: Db, realmId: string, numbers: readonly string[]): Promise<Buffer[]> {
  if (numbers.length === 0) return [];
  const rows = await tables(db)
    .selectFrom("tracked_proof")
    .select(["number", "pdf"])
    .where("realm_id", "=", realmId)
    .where("number", "in", [...numbers])
    .execute();
  return numbers.flatMap((number) => {
    const pdf = rows.find((row) => row.number === number)?.pdf;
    return pdf ? [pdf] : [];
  });
}

/**
 * Finds which of the given invoices we changed since a time, with the time of the last change; null while a change is in progress.
 * A write that QuickBooks refused changed nothing.
 */
export async function findRecentWrites(
  db: Db,
  realmId: string,
  { ids, since }: { ids: readonly string[]; since: Date },
): Promise<ReadonlyMap<string, Date | null>> {
  const { rows } = await sql<{ qbo_id: string; at: Date | null }>`select qbo_id,
      case when bool_or(state = 'open') then null else max(settled_at) end as at
    from tracking_write
    where realm_id = ${realmId} and qbo_id = any (${[...ids]}::text[]) and operation <> 'attach'
      and (state = 'open' or (state = 'done' and settled_at >= ${since})) group by qbo_id`.execute(db);
  return new Map(rows.map((row) => [row.qbo_id, row.at]));
}
