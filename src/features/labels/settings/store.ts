import { sql } from "kysely";
import type { ResolutionName } from "#formats/label/drawing.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { ShipFrom } from "#features/labels/layout/rules-content.ts";
import { findBuiltIn, toProfile, type Profile } from "#features/labels/layout/rules-profiles.ts";
import type { Paper, PrintOrder } from "#features/labels/print/contract.ts";
import type { ProfileContent } from "#features/labels/profiles/contract.ts";

/** What a company said of its labels. */
export type LabelSettings = {
  prefix: string;
  /** More of its GS1 prefixes, with the same extension digit. */
  otherPrefixes: string[];
  extension: number;
  profile: string;
  /** The profile of this id. */
  printedBy: Profile;
  resolution: ResolutionName;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
  /** The first one is meant where a sheet names none. */
  shipFroms: ShipFrom[];
};

/**
 * Null for a company that has said nothing yet.
 * @param chosen a profile in place of the company's usual one
 */
export async function findLabelSettings(
  db: Db,
  realmId: string,
  chosen: string | null = null,
): Promise<LabelSettings | null> {
  const { rows } = await sql<
    Omit<LabelSettings, "shipFroms" | "printedBy"> & Own
  >`select prefix, other_prefixes as "otherPrefixes", extension,
      coalesce(${chosen}::text, profile) as profile, resolution, paper, print_order as "order", separators, own.name, own.version, own.content
    from label_settings settings
    left join label_profile own on own.realm_id = settings.realm_id and own.id::text = coalesce(${chosen}::text, settings.profile)
    where settings.realm_id = ${realmId}`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const { name, version, content, ...settings } = found;
  const { profile: id } = settings;
  const printedBy = content ? toProfile({ id, name, version }, content) : findBuiltIn(id);
  return { ...settings, printedBy, shipFroms: await findShipFroms(db, realmId) };
}

/** The company's own profile; no content for one that comes with the product. */
type Own = { name: string; version: number; content: ProfileContent | null };

async function findShipFroms(db: Db, realmId: string): Promise<ShipFrom[]> {
  const { rows } =
    await sql<ShipFrom>`select code, name, address1, address2, city, state, postal_code as "postalCode"
    from label_ship_from where realm_id = ${realmId} order by seq`.execute(db);
  return rows;
}

export async function saveLabelSettings(
  tx: Db,
  realmId: string,
  { settings, now }: { settings: Omit<LabelSettings, "printedBy">; now: Date },
): Promise<void> {
  const { prefix, otherPrefixes, extension, profile, resolution, paper, order, separators, shipFroms } =
    settings;
  await sql`insert into label_settings (realm_id, prefix, other_prefixes, extension, profile, resolution, paper, print_order,
      separators, changed_at)
    values (${realmId}, ${prefix}, ${otherPrefixes}::text[], ${extension}, ${profile}, ${resolution}, ${paper}, ${order}, ${separators}, ${now})
    on conflict (realm_id) do update set prefix = excluded.prefix,
      other_prefixes = excluded.other_prefixes, extension = excluded.extension,
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
