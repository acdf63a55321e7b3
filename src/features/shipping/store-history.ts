import { sql } from "kysely";
import { selectShipments, type StoredShipment } from "#features/shipping/store.ts";
import type { ShipmentTables } from "#features/shipping/tables.ts";
import type { PackageState } from "#features/packages/contract.ts";
import type { PackageTables } from "#features/packages/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { likePattern } from "#platform/db/like-pattern.ts";

const tables = (db: Db) => db.withTables<ShipmentTables & PackageTables>();

/** States and first scans of the live packages of purchases. */
export const findPackages = (
  db: Db,
  realmId: string,
  ids: readonly string[],
): Promise<{ shipment_id: string; state: PackageState; scanned_at: Date | null }[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("shipment_label as l")
        .innerJoin("package as p", (join) =>
          join.onRef("p.realm_id", "=", "l.realm_id").onRef("p.number", "=", "l.tracking_number"),
        )
        .select(["l.shipment_id", "p.state", "p.scanned_at"])
        .where("l.realm_id", "=", realmId)
        .where("l.shipment_id", "in", [...ids])
        .where("l.voided_at", "is", null)
        .execute();

/** Numbers of the shipments that orders have now, by part. */
export const findNewShipments = (
  db: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<Pick<StoredShipment, "order_id" | "part" | "number">[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("shipment")
        .select(["order_id", "part", "number"])
        .where("realm_id", "=", realmId)
        .where("order_id", "in", [...orderIds])
        .where("state", "=", "made")
        .execute();

type HistoryPage = {
  limit: number;
  before: { madeAt: Date; id: string } | null;
  q: string;
  show: "all" | "unscanned" | "voided";
};

const SHOWN = {
  all: sql<boolean>`true`,
  unscanned: sql<boolean>`(state = 'made' and not exists (select from shipment_label l
    join package p on p.realm_id = l.realm_id and p.number = l.tracking_number and p.scanned_at is not null
    where l.realm_id = shipment.realm_id and l.shipment_id = shipment.id and l.voided_at is null))`,
  voided: sql<boolean>`state = 'voided'`,
};

/** Purchases that were made, the latest first. */
export function listMade(
  db: Db,
  realmId: string,
  { limit, before, q, show }: HistoryPage,
): Promise<StoredShipment[]> {
  let query = selectShipments(db, realmId).where("made_at", "is not", null).where(SHOWN[show]);
  if (before) query = query.where(sql<boolean>`(made_at, id) < (${before.madeAt}, ${before.id}::uuid)`);
  if (q !== "") {
    const like = likePattern(q);
    query = query.where(({ or, eb }) =>
      or([
        eb("po_number", "ilike", like),
        eb("customer_name", "ilike", like),
        eb("number", "ilike", like.replaceAll(" ", "")),
      ]),
    );
  }
  return query.orderBy("made_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function countHistory(db: Db, realmId: string) {
  const count = (show: keyof typeof SHOWN) => sql<number>`count(*) filter (where ${SHOWN[show]})::int`;
  const { rows } = await sql<{
    all: number;
    unscanned: number;
    voided: number;
  }>`select ${count("all")} as "all",
      ${count("unscanned")} as unscanned, ${count("voided")} as voided
    from shipment where realm_id = ${realmId} and made_at is not null`.execute(db);
  return rows[0] ?? { all: 0, unscanned: 0, voided: 0 };
}
