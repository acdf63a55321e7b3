import { sql, type Selectable } from "kysely";
import type { NoticeTables } from "#features/orders/notices-out/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange } from "#platform/events/change-feed.ts";

const tables = (db: Db) => db.withTables<NoticeTables>();

type NamedNotice = Pick<Selectable<NoticeTables["order_notice"]>, "id" | "order_id" | "po_number"> & {
  /** The number of its invoice; null for another document. */
  number: string | null;
};

/**
 * Finds notices to a retailer by invoice number, or by document type and PO number, newest first. For a resent invoice,
 * returns only the newest. `document` is null for all documents of invoices.
 */
export async function findNoticesByNumber(
  db: Db,
  realmId: string,
  {
    partner,
    ...by
  }: { partner: string } & (
    | { numbers: readonly string[] }
    | { document: string | null; poNumbers: readonly string[] }
  ),
): Promise<NamedNotice[]> {
  const { rows } = await sql<NamedNotice>`select id, order_id, po_number, number from (
      select distinct on (order_id, coalesce(facts -> 'invoice' ->> 'id', id::text)) id, order_id, po_number, created_at,
        facts -> 'invoice' ->> 'number' as number
      from order_notice where realm_id = ${realmId} and partner = ${partner} and state <> 'withdrawn' and ${
        "numbers" in by
          ? sql`kind = 'invoice' and facts -> 'invoice' ->> 'number' = any (${[...by.numbers]}::text[])`
          : sql`${by.document === null ? sql`kind = 'invoice'` : sql`document = ${by.document}`} and order_id in (select id
            from retail_order where realm_id = ${realmId} and partner = ${partner} and po_number = any (${[...by.poNumbers]}::text[]))`
      }
      order by order_id, coalesce(facts -> 'invoice' ->> 'id', id::text), created_at desc) n
    order by created_at desc, id`.execute(db);
  return rows;
}

export type StoredMessage = Selectable<NoticeTables["order_message"]>;

/** @returns false if the message was already stored */
export async function addMessage(tx: Db, { sentences, ...message }: StoredMessage): Promise<boolean> {
  const added = await tables(tx)
    .insertInto("order_message")
    .values({ ...message, sentences: toJson(sentences) })
    .onConflict((conflict) => conflict.columns(["realm_id", "partner", "source"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added) await publishChange(tx, { realmId: message.realm_id, kind: "orders" });
  return added !== undefined;
}

/** The newest messages from retailers: about one order, oldest first; about all orders, newest first. */
export async function listMessages(
  db: Db,
  realmId: string,
  { orderId, limit }: { orderId?: string; limit: number },
): Promise<StoredMessage[]> {
  let query = tables(db).selectFrom("order_message").selectAll().where("realm_id", "=", realmId);
  if (orderId !== undefined) query = query.where("order_id", "=", orderId);
  const newest = await query.orderBy("received_at", "desc").orderBy("id").limit(limit).execute();
  return orderId === undefined ? newest : newest.toReversed();
}
