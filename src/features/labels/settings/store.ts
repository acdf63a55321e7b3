import { sql } from "kysely";
import type { ResolutionName } from "#formats/label/drawing.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { ShipFrom } from "#features/labels/layout/rules-content.ts";
import type { Paper, PrintOrder } from "#features/labels/print/contract.ts";

/** What a company said of its labels. */
export type LabelSettings = {
  prefix: string;
  extension: number;
  profile: string;
  resolution: ResolutionName;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
  /** The first one is meant where a sheet names none. */
  shipFroms: ShipFrom[];
};

/** Null for a company that has said nothing yet. */
export async function findLabelSettings(db: Db, realmId: string): Promise<LabelSettings | null> {
  const { rows } = await sql<
    Omit<LabelSettings, "shipFroms">
  >`select prefix, extension, profile, resolution, paper,
      print_order as "order", separators
    from label_settings where realm_id = ${realmId}`.execute(db);
  const [found] = rows;
  return found ? { ...found, shipFroms: await findShipFroms(db, realmId) } : null;
}

async function findShipFroms(db: Db, realmId: string): Promise<ShipFrom[]> {
  const { rows } =
    await sql<ShipFrom>`select code, name, address1, address2, city, state, postal_code as "postalCode"
    from label_ship_from where realm_id = ${realmId} order by seq`.execute(db);
  return rows;
}

export async function saveLabelSettings(
  tx: Db,
  realmId: string,
  { settings, now }: { settings: LabelSettings; now: Date },
): Promise<void> {
  const { prefix, extension, profile, resolution, paper, order, separators, shipFroms } = settings;
  await sql`insert into label_settings (realm_id, prefix, extension, profile, resolution, paper, print_order,
      separators, changed_at)
    values (${realmId}, ${prefix}, ${extension}, ${profile}, ${resolution}, ${paper}, ${order}, ${separators}, ${now})
    on conflict (realm_id) do update set prefix = excluded.prefix, extension = excluded.extension,
      profile = excluded.profile, resolution = excluded.resolution, paper = excluded.paper,
      print_order = excluded.print_order, separators = excluded.separators, changed_at = excluded.changed_at`.execute(
    tx,
  );
  await sql`delete from label_ship_from where realm_id = ${realmId}`.execute(tx);
  const rows = shipFroms.map(({ postalCode, ...each }, seq) => ({
    ...each,
    realm_id: realmId,
    seq,
    postal_code: postalCode,
  }));
  await sql`insert into label_ship_from
    select * from jsonb_populate_recordset(null::label_ship_from, ${toJson(rows)}::jsonb)`.execute(tx);
}
