import { sql, type Updateable, type Generated } from "kysely";
import type { Db } from "#platform/db/connect.ts";

type CarrierTables = {
  carrier_link: {
    realm_id: string;
    id: string;
    account: string;
    access_token_sealed: string;
    access_expires_at: Date;
    refresh_token_sealed: string;
    refresh_expires_at: Date;
    linked_by: string | null;
    linked_at: Date;
    refreshed_at: Date;
    used_at: Date;
    /** Since when UPS refuses to refresh it; null while it does not. */
    refused_at: Date | null;
    /** How often since then. */
    refusals: number;
    /** Whether UPS sends the events of all packages of the account, or refused to; null if it was not asked. */
    alerts: "sent" | "refused" | null;
  };
  carrier_app_fault: { is_only: Generated<boolean>; code: string; message: string; at: Date };
  carrier_request: {
    state_hash: Buffer;
    session_hash: Buffer;
    user_id: string;
    realm_id: string;
    account: string;
    created_at: Date;
  };
};

const tables = (db: Db) => db.withTables<CarrierTables>();

export type Link = CarrierTables["carrier_link"];
export type LinkRequest = CarrierTables["carrier_request"];

export async function addRequest(db: Db, request: LinkRequest): Promise<void> {
  await tables(db).insertInto("carrier_request").values(request).execute();
}

/** Reads and removes a request, so that it works once. Removes those from before `oldest`, too. */
export async function takeRequest(db: Db, stateHash: Buffer, oldest: Date): Promise<LinkRequest | null> {
  const request = await tables(db)
    .deleteFrom("carrier_request")
    .where("state_hash", "=", stateHash)
    .returningAll()
    .executeTakeFirst();
  await tables(db).deleteFrom("carrier_request").where("created_at", "<", oldest).execute();
  return request && request.created_at >= oldest ? request : null;
}

/** Stores a new authorization of a company and replaces an older one. */
export async function saveLink(db: Db, link: Link): Promise<void> {
  await tables(db)
    .insertInto("carrier_link")
    .values(link)
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(link))
    .execute();
}

export const findLink = (db: Db, realmId: string): Promise<Link | undefined> =>
  tables(db).selectFrom("carrier_link").selectAll().where("realm_id", "=", realmId).executeTakeFirst();

/** Whether another company is linked with an account whose events UPS sends. */
export async function isAlertedElsewhere(
  db: Db,
  { realm_id: realmId, account }: Pick<Link, "realm_id" | "account">,
): Promise<boolean> {
  const other = await tables(db)
    .selectFrom("carrier_link")
    .select("realm_id")
    .where("account", "=", account)
    .where("realm_id", "<>", realmId)
    .where("alerts", "=", "sent")
    .executeTakeFirst();
  return other !== undefined;
}

/** Companies whose account's events UPS was not asked for since it was connected. */
export async function findUnalerted(db: Db): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("carrier_link")
    .select("realm_id")
    .where("alerts", "is", null)
    .execute();
  return rows.map((row) => row.realm_id);
}

/** Reads a link and locks its row until the transaction ends, so that only one caller refreshes tokens. */
export const lockLink = (tx: Db, realmId: string): Promise<Link | undefined> =>
  tables(tx)
    .selectFrom("carrier_link")
    .selectAll()
    .where("realm_id", "=", realmId)
    .forUpdate()
    .executeTakeFirst();

/** Changes a link that was read. @returns false if another account, or the same one again, has been connected since */
export async function changeLink(
  db: Db,
  { realm_id: realmId, id }: Pick<Link, "realm_id" | "id">,
  change: Updateable<Link>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable("carrier_link")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a company's link. @returns the account that it was for; null for none */
export async function removeLink(db: Db, realmId: string): Promise<string | null> {
  const removed = await tables(db)
    .deleteFrom("carrier_link")
    .where("realm_id", "=", realmId)
    .returning("account")
    .executeTakeFirst();
  return removed?.account ?? null;
}

/** Companies whose tokens were refreshed last before a time, or were refused since; the longest ago first. */
export async function findIdleLinks(db: Db, refreshedBefore: Date): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("carrier_link")
    .select("realm_id")
    .where((row) => row.or([row("refreshed_at", "<=", refreshedBefore), row("refused_at", "is not", null)]))
    .orderBy("refreshed_at")
    .execute();
  return rows.map((row) => row.realm_id);
}

/** The keys that sealed the tokens of each company. */
export async function findSeals(db: Db) {
  const { rows } = await sql<{ realmId: string; keyId: string }>`select realm_id as "realmId",
      split_part(sealed, '.', 2) as "keyId"
    from carrier_link, unnest(array[access_token_sealed, refresh_token_sealed]) as sealed
    order by realm_id`.execute(db);
  return rows;
}

/** Records that UPS refuses the client ID or the secret of this installation, or that it no longer does. */
export async function noteAppFault(
  db: Db,
  fault: { code: string; message: string; at: Date } | null,
): Promise<void> {
  if (!fault) return void (await tables(db).deleteFrom("carrier_app_fault").execute());
  await tables(db)
    .insertInto("carrier_app_fault")
    .values(fault)
    .onConflict((conflict) => conflict.column("is_only").doUpdateSet(fault))
    .execute();
}

/** Why UPS refuses this installation, in a sentence for its operator; null if it does not. */
export async function findAppFault(db: Db): Promise<string | null> {
  const row = await tables(db).selectFrom("carrier_app_fault").selectAll().executeTakeFirst();
  return row
    ? `UPS refuses the client ID or the secret of this installation (${row.code}: ${row.message}). Correct UPS_CLIENT_ID and UPS_CLIENT_SECRET.`
    : null;
}
