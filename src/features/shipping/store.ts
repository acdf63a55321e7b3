import { sql, type Selectable, type Updateable } from "kysely";
import type { CarrierSettings } from "#features/shipping/contract.ts";
import type { Charge, ShipmentState, ShipmentTables, Stranger } from "#features/shipping/tables.ts";
import { addLabelPackages, voidPackages } from "#features/packages/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { WriteTables } from "#platform/writes/tables.ts";

const tables = (db: Db) => db.withTables<ShipmentTables & WriteTables>();

export type StoredShipment = Selectable<ShipmentTables["shipment"]>;
export type StoredLabel = Selectable<ShipmentTables["shipment_label"]>;
export type { Stranger };
export type ShipmentId = { realmId: string; id: string };

/** States in which a purchase keeps its order from another one. */
export const LIVE: readonly ShipmentState[] = ["making", "asked", "made"];

export async function findSettings(db: Db, realmId: string): Promise<CarrierSettings | null> {
  const row = await tables(db)
    .selectFrom("shipment_settings")
    .select("content")
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return row?.content ?? null;
}

export async function saveSettings(
  tx: Db,
  realmId: string,
  settings: CarrierSettings,
  now: Date,
): Promise<void> {
  const row = { content: toJson(settings), changed_at: now };
  await tables(tx)
    .insertInto("shipment_settings")
    .values({ realm_id: realmId, ...row })
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(row))
    .execute();
}

type NewShipment = Pick<
  StoredShipment,
  | "realm_id"
  | "id"
  | "order_id"
  | "request_id"
  | "seq"
  | "key"
  | "po_number"
  | "customer_name"
  | "cartons"
  | "lines"
  | "cancels"
  | "part"
  | "items"
  | "body"
  | "reference"
  | "checks_address"
  | "billed_to"
  | "requested_at"
  | "requested_by"
>;

export async function addShipment(tx: Db, shipment: NewShipment): Promise<void> {
  const { cartons, lines, cancels, body } = shipment;
  await tables(tx)
    .insertInto("shipment")
    .values({
      ...shipment,
      cartons: toJson(cartons),
      lines: toJson(lines),
      cancels: cancels && JSON.stringify(cancels),
      body: toJson(body),
    })
    .execute();
}

export const selectShipments = (db: Db, realmId: string) =>
  tables(db).selectFrom("shipment").selectAll().where("realm_id", "=", realmId);

export const findShipment = (db: Db, { realmId, id }: ShipmentId): Promise<StoredShipment | undefined> =>
  selectShipments(db, realmId).where("id", "=", id).executeTakeFirst();

export const findByKey = (db: Db, realmId: string, key: string): Promise<StoredShipment | undefined> =>
  selectShipments(db, realmId).where("key", "=", key).executeTakeFirst();

export const findByFile = (db: Db, realmId: string, file: string): Promise<StoredShipment | undefined> =>
  selectShipments(db, realmId).where("label_file", "=", file).executeTakeFirst();

export const findByNumber = (
  db: Db,
  realmId: string,
  { poNumber, number }: { poNumber: string; number: string },
): Promise<StoredShipment | undefined> =>
  selectShipments(db, realmId)
    .where("po_number", "=", poNumber)
    .where("number", "=", number)
    .executeTakeFirst();

/** The live purchases of an order, one for each part that is shipped or under way. */
export const listLive = (db: Db, realmId: string, orderId: string): Promise<StoredShipment[]> =>
  selectShipments(db, realmId)
    .where("order_id", "=", orderId)
    .where("state", "in", [...LIVE])
    .orderBy("part")
    .execute();

/** Parts of the given orders that have live purchases. */
export const listLiveParts = (
  db: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<Pick<StoredShipment, "order_id" | "part">[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("shipment")
        .select(["order_id", "part"])
        .where("realm_id", "=", realmId)
        .where("order_id", "in", [...orderIds])
        .where("state", "in", [...LIVE])
        .execute();

export const findShipments = (db: Db, realmId: string, ids: readonly string[]): Promise<StoredShipment[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : selectShipments(db, realmId)
        .where("id", "in", [...ids])
        .execute();

/** Purchases of a request. */
export const findRequested = (db: Db, realmId: string, requestId: string): Promise<StoredShipment[]> =>
  selectShipments(db, realmId).where("request_id", "=", requestId).orderBy("seq").execute();

/**
 * Purchases of all companies to ask UPS about, those first that were checked longest ago: labels for which no second shipment
 * was searched, and purchases that a user gave up, both while their UPS account is connected. Voids without an answer that were
 * asked for since then come first, whenever they were checked.
 * @param before they were checked last before then
 * @param since they were requested since then, or UPS was asked to void them
 */
export const listToCheck = (
  db: Db,
  { before, since, limit }: { before: Date; since: Date; limit: number },
): Promise<StoredShipment[]> =>
  tables(db)
    .selectFrom("shipment")
    .selectAll()
    .where("state", "in", ["made", "failed"])
    .where(sql<boolean>`(requested_at > ${since} or void_asked is not null)`)
    .where(sql<boolean>`(coalesce(checked_at, requested_at) < ${before}
      or (void_asked ->> 'at')::timestamptz > ${since})`)
    .where(
      sql<boolean>`(state = 'made' and (searched_at is null or void_asked is not null)
        or cause ->> 'code' = 'abandoned' and cause -> 'params' ->> 'voided' is null)`,
    )
    .where(
      sql<boolean>`(void_asked is not null or exists (select from carrier_link as link
        where link.realm_id = shipment.realm_id and link.account = shipment.body #>> '{shipper,account}'))`,
    )
    .orderBy(sql`coalesce((void_asked ->> 'at')::timestamptz, '-infinity') <= ${since}`)
    .orderBy(sql`coalesce(checked_at, requested_at)`)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Purchases with when UPS is asked again about one in doubt. */
const selectUnderWay = (db: Db, realmId: string) =>
  tables(db)
    .selectFrom("shipment")
    .leftJoin("write", (join) =>
      join
        .onRef("write.realm_id", "=", "shipment.realm_id")
        .onRef("write.subject", "=", "shipment.request_id")
        .on(sql`write.part`, "=", sql`shipment.id::text`),
    )
    .selectAll("shipment")
    .select([
      "write.due_at",
      sql<boolean>`coalesce(write.state = 'sent' and (write.rounds > 0 or exists (select from run
        where run.realm_id = write.realm_id and run.subject = write.subject and run.state = 'waiting')), false)`.as(
        "is_in_doubt",
      ),
    ])
    .where("shipment.realm_id", "=", realmId);

type UnderWay = StoredShipment & { due_at: Date | null; is_in_doubt: boolean };

export const findUnderWay = (db: Db, { realmId, id }: ShipmentId): Promise<UnderWay | undefined> =>
  selectUnderWay(db, realmId).where("shipment.id", "=", id).executeTakeFirst();

/** The latest purchase of each of the given orders. */
export const findLatest = (db: Db, realmId: string, orderIds: readonly string[]): Promise<UnderWay[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : selectUnderWay(db, realmId)
        .distinctOn("shipment.order_id")
        .where("shipment.order_id", "in", [...orderIds])
        .orderBy("shipment.order_id")
        .orderBy("shipment.requested_at", "desc")
        .execute();

export async function changeShipment(
  tx: Db,
  { realmId, id }: ShipmentId,
  change: Updateable<ShipmentTables["shipment"]>,
): Promise<void> {
  await tables(tx)
    .updateTable("shipment")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

/** Announces labels to those who wait for them and to tracking, and to the pages that list them. */
export async function publishShipments(tx: Db, realmId: string): Promise<void> {
  await publishChange(tx, { realmId, kind: "labels" });
  await publishChange(tx, { realmId, kind: "orders" });
}

/** Adds labels of a purchase, with their packages. */
export async function addLabels(
  tx: Db,
  { realmId, id }: ShipmentId,
  {
    labels,
    now,
  }: { labels: readonly Pick<StoredLabel, "tracking_number" | "format" | "bytes">[]; now: Date },
): Promise<void> {
  await addLabelPackages(tx, realmId, { numbers: labels.map((label) => label.tracking_number), now });
  const rows = labels.map((label, at) => ({
    realm_id: realmId,
    shipment_id: id,
    seq: at + 1,
    voided_at: null,
    ...label,
  }));
  await tables(tx).insertInto("shipment_label").values(rows).execute();
}

const selectLabels = (db: Db, realmId: string) =>
  tables(db)
    .selectFrom("shipment_label")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("shipment_id")
    .orderBy("seq");

/** Labels of purchases in the order of their cartons. */
export const findLabels = async (db: Db, realmId: string, ids: readonly string[]): Promise<StoredLabel[]> =>
  ids.length === 0
    ? []
    : selectLabels(db, realmId)
        .where("shipment_id", "in", [...ids])
        .execute();

/** Labels of the company with some tracking numbers. */
export const findLabelsByNumber = async (
  db: Db,
  realmId: string,
  numbers: readonly string[],
): Promise<StoredLabel[]> =>
  numbers.length === 0
    ? []
    : selectLabels(db, realmId)
        .where("tracking_number", "in", [...numbers])
        .execute();

export async function findTrackingNumbers(
  db: Db,
  realmId: string,
  ids: readonly string[],
): Promise<Pick<StoredLabel, "shipment_id" | "tracking_number" | "voided_at">[]> {
  if (ids.length === 0) return [];
  return selectLabels(db, realmId)
    .clearSelect()
    .select(["shipment_id", "tracking_number", "voided_at"])
    .where("shipment_id", "in", [...ids])
    .execute();
}

/** Tracking numbers of live labels that were made after a time, with the PO numbers of their orders. */
export const listNumbersSince = (
  db: Db,
  realmId: string,
  since: Date,
): Promise<{ po_number: string; tracking_number: string }[]> =>
  tables(db)
    .selectFrom("shipment_label as l")
    .innerJoin("shipment as s", (join) =>
      join.onRef("s.realm_id", "=", "l.realm_id").onRef("s.id", "=", "l.shipment_id"),
    )
    .select(["s.po_number", "l.tracking_number"])
    .where("s.realm_id", "=", realmId)
    .where("s.made_at", ">", since)
    .where("l.voided_at", "is", null)
    .orderBy("s.made_at")
    .orderBy("l.seq")
    .execute();

/** Labels of purchases that have one of some tracking numbers, with what UPS charged the company for each purchase. */
export const listCharges = (db: Db, realmId: string, numbers: readonly string[]): Promise<LabelCharge[]> =>
  numbers.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("shipment_label as l")
        .innerJoin("shipment as s", (join) =>
          join.onRef("s.realm_id", "=", "l.realm_id").onRef("s.id", "=", "l.shipment_id"),
        )
        .select(["l.shipment_id", "l.tracking_number", "l.voided_at", "s.made_at", "s.charge", "s.billed_to"])
        .where("l.realm_id", "=", realmId)
        .where("l.shipment_id", "in", (query) =>
          query
            .selectFrom("shipment_label")
            .select("shipment_id")
            .where("realm_id", "=", realmId)
            .where("tracking_number", "in", [...numbers]),
        )
        .orderBy("l.shipment_id")
        .orderBy("l.seq")
        .execute();

export type LabelCharge = Pick<StoredLabel, "shipment_id" | "tracking_number" | "voided_at"> & {
  made_at: Date | null;
  /** Null if UPS named none. */
  charge: Charge | null;
  /** Null if the company pays UPS itself. */
  billed_to: string | null;
};

/** Marks labels of a purchase, and their packages, as voided. */
export async function markVoided(
  tx: Db,
  { realmId, id }: ShipmentId,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<void> {
  await tables(tx)
    .updateTable("shipment_label")
    .set({ voided_at: sql`coalesce(voided_at, ${now})` })
    .where("realm_id", "=", realmId)
    .where("shipment_id", "=", id)
    .where("tracking_number", "in", [...numbers])
    .execute();
  await voidPackages(tx, realmId, { numbers, now });
}

export async function countPrint(db: Db, realmId: string, ids: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable("shipment")
    .set(({ eb }) => ({ prints: eb("prints", "+", 1) }))
    .where("realm_id", "=", realmId)
    .where("id", "in", [...ids])
    .execute();
}

/** Number of the next label file of an order: those of voided labels keep theirs. */
export async function countMade(tx: Db, realmId: string, orderId: string): Promise<number> {
  const row = await tables(tx)
    .selectFrom("shipment")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("realm_id", "=", realmId)
    .where("order_id", "=", orderId)
    .where("label_file", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Bytes of a company's UPS labels; their sizes are known without reading them. */
export async function measureCarrierLabels(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes
    from shipment_label where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
