import { sql, type RawBuilder, type Selectable } from "kysely";
import type { NoticeTables } from "#features/orders/notices-out/tables.ts";
import type { NoticeFacts, StoredState } from "#features/orders/notices-out/types.ts";
import { reserveControlNumber } from "#features/orders/promises.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange } from "#platform/events/change-feed.ts";

export * from "#features/orders/notices-out/store-messages.ts";

const tables = (db: Db) => db.withTables<NoticeTables>();

export type StoredNotice = Selectable<NoticeTables["order_notice"]>;
export type StoredSettings = { cut_off: string; sender_id: string };

export const findNoticeSettings = (db: Db, realmId: string): Promise<StoredSettings | undefined> =>
  tables(db)
    .selectFrom("order_notice_settings")
    .select(["cut_off", "sender_id"])
    .where("realm_id", "=", realmId)
    .executeTakeFirst();

export async function saveNoticeSettings(
  tx: Db,
  realmId: string,
  settings: StoredSettings,
  now: Date,
): Promise<void> {
  const row = { ...settings, changed_at: now };
  await tables(tx)
    .insertInto("order_notice_settings")
    .values({ realm_id: realmId, ...row })
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(row))
    .execute();
}

/** Assigns the next control number for a company's documents (notices and acknowledgments) to a retailer. */
export async function takeControlNumber(
  { journal }: { journal: Journal },
  tx: Db,
  { realmId, partner }: { realmId: string; partner: string },
): Promise<number> {
  // Locks the counter, so concurrent transactions wait for this one.
  const { rows } = await sql<{ last: number }>`insert into order_notice_counter as c (realm_id, partner, last)
    values (${realmId}, ${partner}, 0)
    on conflict (realm_id, partner) do update set last = c.last returning last`.execute(tx);
  const next = await reserveControlNumber(journal, { realmId, partner, last: rows[0]?.last ?? 0 });
  await sql`update order_notice_counter set last = ${next}
    where realm_id = ${realmId} and partner = ${partner}`.execute(tx);
  return next;
}

type NewNotice = Pick<
  StoredNotice,
  | "realm_id"
  | "id"
  | "order_id"
  | "kind"
  | "shipment_id"
  | "partner"
  | "document"
  | "po_number"
  | "facts"
  | "created_at"
  | "due_at"
> & { is_held?: boolean; needs_contents?: boolean };

export async function addNotice(tx: Db, { facts, ...notice }: NewNotice): Promise<void> {
  await tables(tx)
    .insertInto("order_notice")
    .values({ ...notice, facts: toJson(facts) })
    .execute();
}

const selectNotices = (db: Db, realmId: string) =>
  tables(db).selectFrom("order_notice").selectAll().where("realm_id", "=", realmId);

const selectOldestFirst = (db: Db, realmId: string) =>
  selectNotices(db, realmId).orderBy("created_at").orderBy("control_number").orderBy("id");

/** Selects a kind's notices that were not withdrawn, oldest first. */
const selectActive = (db: Db, realmId: string, kind: StoredNotice["kind"]) =>
  selectOldestFirst(db, realmId).where("kind", "=", kind).where("state", "<>", "withdrawn");

/** Condition: the notice is due, not on hold, and has its contents. */
const isDue = (now: Date) =>
  sql<boolean>`state = 'pending' and due_at <= ${now} and not is_held and not needs_contents`;

/** Locks the given notices, always in the same order, so that callers can't deadlock; unknown ids are ignored. */
export const lockNotices = (tx: Db, realmId: string, ids: readonly string[]): Promise<StoredNotice[]> =>
  selectNotices(tx, realmId)
    .where("id", "in", [...ids])
    .orderBy("id")
    .forUpdate()
    .execute();

/** Ids of the orders that the given notices are about. */
export const findNoticeOrders = (db: Db, realmId: string, ids: readonly string[]): Promise<string[]> =>
  listOrderIds(db, realmId, sql`id = any (${[...ids]}::uuid[])`);

/** Numbers that identify orders in documents: PO numbers, invoice numbers, and control numbers of notices. */
export type OrderNumbers = {
  poNumbers: readonly string[];
  invoiceNumbers: readonly string[];
  controlNumbers: readonly number[];
};

/** Finds the orders with any of these numbers. */
export async function findOrderIdsByNumber(
  db: Db,
  realmId: string,
  { poNumbers, invoiceNumbers, controlNumbers }: OrderNumbers,
): Promise<string[]> {
  // Skips the search by invoice number when there are none: most files carry no messages.
  const { rows } = await sql<{ id: string }>`select id from retail_order
      where realm_id = ${realmId} and po_number = any (${[...poNumbers]}::text[])
    union select order_id from order_notice
      where realm_id = ${realmId} and control_number = any (${[...controlNumbers]}::int[])
    union select order_id from order_notice where ${invoiceNumbers.length > 0} and realm_id = ${realmId}
      and kind = 'invoice' and facts -> 'invoice' ->> 'number' = any (${[...invoiceNumbers]}::text[])`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Orders of a company's invoice documents, or of the given notices, that were never sent or downloaded. */
export const findUnsentInvoices = (
  db: Db,
  realmId: string,
  ids: readonly string[] | null,
): Promise<string[]> =>
  listOrderIds(
    db,
    realmId,
    sql`${IS_UNSENT_INVOICE} and (${ids}::uuid[] is null or id = any (${ids}::uuid[]))`,
  );

async function listOrderIds(db: Db, realmId: string, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`select distinct order_id from order_notice
    where realm_id = ${realmId} and ${which}`.execute(db);
  return rows.map(({ order_id: orderId }) => orderId);
}

const IS_UNSENT_INVOICE = sql<boolean>`kind = 'invoice' and state = 'pending' and tried_at is null`;

/**
 * Due notices, earliest first. Invoices not yet written come last, so that a backlog waiting for QuickBooks never
 * holds up other notices.
 */
export const listDue = (
  db: Db,
  realmId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<Pick<StoredNotice, "id" | "document">[]> =>
  tables(db)
    .selectFrom("order_notice")
    .select(["id", "document"])
    .where("realm_id", "=", realmId)
    .where(isDue(now))
    .orderBy(sql`kind = 'invoice' and content is null`)
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();

/** The latest notices. */
export function listNewest(
  db: Db,
  realmId: string,
  { limit, dueAt }: { limit: number; dueAt: Date | null },
): Promise<StoredNotice[]> {
  let query = selectNotices(db, realmId);
  if (dueAt) query = query.where(isDue(dueAt));
  return query.orderBy("created_at", "desc").orderBy("id").limit(limit).execute();
}

/** Ship notices of the given purchases of labels. */
export const findShipNotices = (
  db: Db,
  realmId: string,
  shipmentIds: readonly string[],
): Promise<StoredNotice[]> =>
  shipmentIds.length === 0
    ? Promise.resolve([])
    : selectNotices(db, realmId)
        .where("kind", "=", "ship")
        .where("shipment_id", "in", [...shipmentIds])
        .execute();

/** Ship notices of an order that were not withdrawn, oldest first. */
export const findOrderShipNotices = (db: Db, realmId: string, orderId: string): Promise<StoredNotice[]> =>
  selectActive(db, realmId, "ship").where("order_id", "=", orderId).execute();

/** Locks the invoice documents of locked orders that were never sent or downloaded. */
export const lockUnsentInvoices = (
  tx: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<StoredNotice[]> =>
  selectNotices(tx, realmId)
    .where(IS_UNSENT_INVOICE)
    .where(sql<boolean>`order_id = any (${[...orderIds]}::uuid[])`)
    .orderBy("id")
    .forUpdate()
    .execute();

/** Condition: the notice cancels the whole order, not single lines. */
const CANCELS_WHOLE_ORDER = sql<boolean>`(facts ->> 'isWhole')::boolean`;

/** Cancellations of the given orders that were not withdrawn: at most one each. */
export const findCancelNotices = (
  db: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<StoredNotice[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : selectActive(db, realmId, "cancel")
        .where(CANCELS_WHOLE_ORDER)
        .where("order_id", "in", [...orderIds])
        .execute();

/** Cancellations of an order's lines that were not withdrawn, highest sequence first. */
export const findLineCancels = (db: Db, realmId: string, orderId: string): Promise<StoredNotice[]> =>
  selectNotices(db, realmId)
    .where("order_id", "=", orderId)
    .where(sql<boolean>`kind = 'cancel' and not ${CANCELS_WHOLE_ORDER} and state <> 'withdrawn'`)
    .orderBy(sql`(facts ->> 'sequence')::int`, "desc")
    .execute();

/** Number of cancellations of a whole order that its retailer has seen. */
export async function countSeenCancels(db: Db, realmId: string, orderId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from order_notice
    where realm_id = ${realmId} and order_id = ${orderId} and kind = 'cancel' and ${CANCELS_WHOLE_ORDER} and tried_at is not null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Active invoice documents for an invoice id, an order, or an invoice number, oldest first. */
export const findInvoiceNotices = (
  db: Db,
  realmId: string,
  which: { invoiceId: string } | { orderId: string } | { number: string },
): Promise<StoredNotice[]> =>
  selectActive(db, realmId, "invoice")
    .where((where) =>
      "orderId" in which
        ? where("order_id", "=", which.orderId)
        : "number" in which
          ? where(sql<string>`facts -> 'invoice' ->> 'number'`, "=", which.number)
          : where(sql<string>`facts -> 'invoice' ->> 'id'`, "=", which.invoiceId),
    )
    .execute();

type Which = { realmId: string } & ({ shipmentId: string } | { cancelOf: string } | { invoiceId: string });

const selectOne = (which: Which) =>
  "invoiceId" in which
    ? sql`realm_id = ${which.realmId} and kind = 'invoice' and facts -> 'invoice' ->> 'id' = ${which.invoiceId}`
    : "shipmentId" in which
      ? sql`realm_id = ${which.realmId} and shipment_id = ${which.shipmentId}::uuid and kind = 'ship'`
      : sql`realm_id = ${which.realmId} and order_id = ${which.cancelOf}::uuid and kind = 'cancel' and ${CANCELS_WHOLE_ORDER}`;

/** Withdraws a notice that was never sent or downloaded, and a cancellation that the retailer rejected. */
export async function withdrawNotice(tx: Db, which: Which, now: Date): Promise<void> {
  await sql`update order_notice set state = 'withdrawn', ended_at = ${now}
    where ${selectOne(which)} and (state = 'pending' and tried_at is null or state = 'rejected' and kind = 'cancel')`.execute(
    tx,
  );
}

/** Marks an invoice as gone from the books, so that none of its documents is sent again. */
export async function markInvoiceGone(tx: Db, which: { realmId: string; invoiceId: string }): Promise<void> {
  await sql`update order_notice set facts = facts || '{"isOver": true}' where ${selectOne(which)}`.execute(
    tx,
  );
}

/** Holds the ship notice while its labels are being voided, or releases it. */
export async function holdNotice(
  tx: Db,
  { realmId, shipmentId }: { realmId: string; shipmentId: string },
  { isHeld }: { isHeld: boolean },
): Promise<void> {
  await tables(tx)
    .updateTable("order_notice")
    .set({ is_held: isHeld })
    .where("realm_id", "=", realmId)
    .where("shipment_id", "=", shipmentId)
    .where("kind", "=", "ship")
    .execute();
}

/** Reschedules notices that are waiting for a cutoff. */
export async function rescheduleWaiting(
  tx: Db,
  realmId: string,
  { now, due }: { now: Date; due: Date },
): Promise<void> {
  await sql`update order_notice set due_at = ${due} where realm_id = ${realmId} and state = 'pending' and kind <> 'invoice'
    and content is null and due_at > ${now}`.execute(tx);
}

/** Makes a waiting notice due now. */
export async function makeNoticeDue(tx: Db, which: Which, now: Date): Promise<void> {
  await sql`update order_notice set due_at = least(due_at, ${now})
    where ${selectOne(which)} and state = 'pending' and content is null`.execute(tx);
}

/** Replaces a notice's facts, unless its document has already been written. */
export async function changeFacts(tx: Db, id: NoticeId, facts: NoticeFacts): Promise<void> {
  await sql`update order_notice set facts = ${toJson(facts)}, needs_contents = needs_contents
      and exists (select from jsonb_array_elements(${toJson(facts)}::jsonb -> 'cartons') c where c -> 'contents' = 'null')
    where realm_id = ${id.realmId} and id = ${id.id}::uuid and content is null and state = 'pending'`.execute(
    tx,
  );
}

export type NoticeId = { realmId: string; id: string };

type Change = {
  state?: StoredState;
  is_held?: boolean;
  due_at?: Date;
  control_number?: number;
  content?: Buffer;
  tried_at?: Date;
  sent_at?: Date;
  ended_at?: Date;
  problems?: readonly string[];
};

export async function changeNotice(
  tx: Db,
  { realmId, id }: NoticeId,
  { problems, ...change }: Change,
): Promise<void> {
  await tables(tx)
    .updateTable("order_notice")
    .set({ ...change, ...(problems && { problems: toJson(problems) }) })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
  await publishChange(tx, { realmId, kind: "orders" });
}

/** Marks notices as sent, except those already answered. */
export async function markNoticesSent(
  db: Db,
  realmId: string,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tables(db)
    .updateTable("order_notice")
    .set({ state: "sent", sent_at: now })
    .where("realm_id", "=", realmId)
    .where("id", "in", [...ids])
    .where("state", "=", "pending")
    .where("tried_at", "is not", null)
    .execute();
  await publishChange(db, { realmId, kind: "orders" });
}

/** Pending notices without a document: the given ones of a company, or all of every company. */
export function listUnwritten(
  db: Db,
  which: { realmId: string; ids: readonly string[] } | null,
): Promise<StoredNotice[]> {
  let query = tables(db)
    .selectFrom("order_notice")
    .selectAll()
    .where("state", "=", "pending")
    .where("content", "is", null);
  if (which) query = query.where("realm_id", "=", which.realmId).where("id", "in", [...which.ids]);
  return query.execute();
}

/** Locks the notice that left under a control number. */
export const lockByNumber = (
  tx: Db,
  realmId: string,
  { partner, controlNumber }: { partner: string; controlNumber: number },
): Promise<StoredNotice | undefined> =>
  selectNotices(tx, realmId)
    .where("partner", "=", partner)
    .where("control_number", "=", controlNumber)
    .forUpdate()
    .executeTakeFirst();

/** All notices about an order, oldest first. */
export const listOrderNotices = (db: Db, realmId: string, orderId: string): Promise<StoredNotice[]> =>
  selectOldestFirst(db, realmId).where("order_id", "=", orderId).execute();
