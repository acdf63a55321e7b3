import { sql } from "kysely";
import type { EventView } from "#integrations/stripe/client.ts";
import type { Db } from "#platform/db/connect.ts";
import type { BillingTables } from "#features/billing/tables.ts";

const tables = (db: Db) => db.withTables<BillingTables>();

export type StoredEvent = BillingTables["stripe_event"];

/** Stores new events. @returns how many were new */
export async function addEvents(
  db: Db,
  events: readonly EventView[],
  { now, by }: { now: Date; by: StoredEvent["received_by"] },
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ id, type, subject, createdAt }) => ({
    id,
    type,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    created_at: createdAt,
    received_at: now,
    received_by: by,
    // Events that don't concern us need no reading.
    handled_at: subject ? null : now,
  }));
  const added = await tables(db)
    .insertInto("stripe_event")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  return added.length;
}

/**
 * Lists events to process, newest first: their order doesn't matter, and a failed one blocks no
 * other.
 */
export const listOpenEvents = (db: Db, limit: number): Promise<StoredEvent[]> =>
  tables(db)
    .selectFrom("stripe_event")
    .selectAll()
    .where("handled_at", "is", null)
    .orderBy("received_at", "desc")
    .limit(limit)
    .execute();

export async function settleEvents(db: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tables(db).updateTable("stripe_event").set({ handled_at: now }).where("id", "in", ids).execute();
}

/** Makes a settled event open again. @returns false if there is none, or it concerns nothing of ours */
export async function reopenEvent(tx: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable("stripe_event")
    .set({ handled_at: null })
    .where("id", "=", id)
    .where("subject_id", "is not", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export const findReadUntil = async (db: Db): Promise<Date | null> =>
  (await tables(db).selectFrom("stripe_cursor").select("read_until").executeTakeFirst())?.read_until ?? null;

export async function saveReadUntil(db: Db, at: Date): Promise<void> {
  await sql`insert into stripe_cursor (read_until) values (${at})
    on conflict (only_one) do update set read_until = greatest(stripe_cursor.read_until, excluded.read_until)`.execute(
    db,
  );
}

/** Stripe itself forgets events after 30 days. */
export async function removeEventsBefore(db: Db, at: Date): Promise<void> {
  await tables(db)
    .deleteFrom("stripe_event")
    .where("handled_at", "is not", null)
    .where("received_at", "<", at)
    .execute();
}
