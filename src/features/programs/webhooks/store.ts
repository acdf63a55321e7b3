import { sql, type Selectable, type Updateable } from "kysely";
import type { ProgramsTables } from "#features/programs/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

const tables = (db: Db) => db.withTables<ProgramsTables>();

export type StoredEndpoint = Selectable<ProgramsTables["webhook_endpoint"]>;
export type StoredMessage = Selectable<ProgramsTables["webhook_message"]>;
type Place = { realmId: string; id: string };

export async function insertEndpoint(tx: Db, row: StoredEndpoint): Promise<void> {
  await tables(tx).insertInto("webhook_endpoint").values(row).execute();
}

export const findEndpoints = (db: Db, realmId: string): Promise<StoredEndpoint[]> =>
  tables(db)
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/** Locks an endpoint. */
export const lockEndpoint = (tx: Db, { realmId, id }: Place): Promise<StoredEndpoint | undefined> =>
  tables(tx)
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

export async function changeEndpoint(
  tx: Db,
  { realmId, id }: Place,
  change: Updateable<ProgramsTables["webhook_endpoint"]>,
): Promise<void> {
  await tables(tx)
    .updateTable("webhook_endpoint")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

export async function deleteEndpoint(tx: Db, { realmId, id }: Place): Promise<void> {
  await tables(tx)
    .deleteFrom("webhook_endpoint")
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

/** Removes all endpoints of a company with their messages. */
export async function deleteAllEndpoints(tx: Db, realmId: string): Promise<void> {
  await tables(tx).deleteFrom("webhook_endpoint").where("realm_id", "=", realmId).execute();
}

type NewEvent = { realmId: string; event: string; data: object; now: Date };

/** Adds a message for every endpoint of the company that is sent this event. @returns their ids, with those of the endpoints */
export async function insertForSubscribers(tx: Db, { realmId, event, data, now }: NewEvent) {
  const { rows } = await sql<{ id: string; endpointId: string }>`insert into webhook_message
      (realm_id, id, endpoint_id, event, data, state, created_at, due_at)
    select realm_id, gen_random_uuid(), id, ${event}, ${toJson(data)}::jsonb, 'queued', ${now}, ${now}
    from webhook_endpoint where realm_id = ${realmId} and state = 'active' and ${event} = any (events)
    order by created_at, id returning id, endpoint_id as "endpointId"`.execute(tx);
  return rows;
}

export async function insertMessage(tx: Db, row: StoredMessage): Promise<void> {
  await tables(tx)
    .insertInto("webhook_message")
    .values({ ...row, data: toJson(row.data) })
    .execute();
}

export const findMessages = (db: Db, realmId: string, limit: number): Promise<StoredMessage[]> =>
  tables(db)
    .selectFrom("webhook_message")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Finds a message with its endpoint. */
export async function findDelivery(
  db: Db,
  { realmId, id }: Place,
): Promise<{ message: StoredMessage; endpoint: StoredEndpoint } | null> {
  const message = await tables(db)
    .selectFrom("webhook_message")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!message) return null;
  const endpoint = await tables(db)
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", message.endpoint_id)
    .executeTakeFirst();
  return endpoint ? { message, endpoint } : null;
}

export async function changeMessage(
  tx: Db,
  { realmId, id }: Place,
  change: Pick<
    Updateable<ProgramsTables["webhook_message"]>,
    "state" | "attempts" | "answer" | "attempted_at" | "due_at"
  >,
): Promise<void> {
  await tables(tx)
    .updateTable("webhook_message")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

/** Failed messages of an endpoint since a time, oldest first. */
export async function findFailed(
  db: Db,
  { realmId, id }: Place,
  { since, limit }: { since: Date; limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("webhook_message")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("endpoint_id", "=", id)
    .where("state", "=", "failed")
    .where("created_at", ">=", since)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export async function deleteMessages(db: Db, before: Date): Promise<void> {
  await tables(db).deleteFrom("webhook_message").where("created_at", "<", before).execute();
}

/** Secrets of all endpoints. */
export const findSealedSecrets = (db: Db) =>
  tables(db)
    .selectFrom("webhook_endpoint")
    .select(["realm_id", "id", "secret_sealed", "old_secret_sealed"])
    .execute();
