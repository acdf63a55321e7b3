import { sql } from "kysely";
import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import { characterName } from "#features/sheets/reading.ts";
import { countSerials } from "#formats/gs1/sscc.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { joinList } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { badRequest } from "#platform/errors.ts";
import type { LabelChoices, LabelSettingsChange, LabelSettingsView } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { WARN_SHARE } from "#features/labels/limits.ts";
import { generic } from "#features/labels/profiles/generic-profiles.ts";
import { findProfile, PROFILES } from "#features/labels/profiles/profiles.ts";
import { findNextSerial, listOthersDigits, raiseNextSerial } from "#features/labels/serials.ts";
import type { LabelSettings, Profile, ShipFrom } from "#features/labels/types.ts";

/** Reads the settings for the page. */
export async function readLabelSettings(
  { db, journal }: LabelsCtx,
  { realmId }: Company,
): Promise<LabelSettingsView> {
  const settings = await findLabelSettings(db, realmId);
  const profiles = PROFILES.map(({ id, name }) => ({ id, name }));
  if (!settings)
    return {
      profiles,
      prefix: null,
      extension: 0,
      next_serial: 0,
      profile: generic.id,
      resolution: "203",
      paper: "roll",
      order: "file",
      separators: false,
      ship_froms: [],
      serials: null,
      other_prefixes: [],
      shared: null,
    };
  const { shipFroms, otherPrefixes, ...others } = settings;
  const { prefix: usual, extension } = others;
  const describePrefix = async (prefix: string) => {
    const next = await findNextSerial({ tx: db, journal }, { realmId, prefix, extension });
    const total = countSerials(prefix);
    const left = total - next;
    return { prefix, next_serial: next, serials: { total, left, is_low: next >= total * WARN_SHARE } };
  };
  const other_prefixes = [];
  for (const prefix of otherPrefixes) other_prefixes.push(await describePrefix(prefix));
  return {
    profiles,
    ...others,
    ...(await describePrefix(usual)),
    other_prefixes,
    shared: await findShared(db, { realmId, prefixes: [usual, ...otherPrefixes], extension }),
    ship_froms: shipFroms.map(({ postalCode, ...each }) => ({ ...each, postal_code: postalCode })),
  };
}

/**
 * Finds prefixes that another company uses with the same digit, and a digit that is free for all of this
 * company's prefixes.
 */
async function findShared(
  db: Db,
  { realmId, prefixes, extension }: { realmId: string; prefixes: string[]; extension: number },
): Promise<LabelSettingsView["shared"]> {
  const shared: string[] = [];
  const taken = new Set<number>();
  for (const prefix of prefixes) {
    const digits = await listOthersDigits(db, { realmId, prefix });
    if (digits.includes(extension)) shared.push(prefix);
    for (const digit of digits) taken.add(digit);
  }
  const free = Array.from({ length: 10 }, (_, digit) => digit).find((digit) => !taken.has(digit));
  return shared.length === 0 ? null : { prefixes: shared, free_digit: free ?? null };
}

/**
 * Reads the settings for some labels: the user's choices, else the company's settings, with the profile.
 * @throws AppError 400 without a GS1 prefix, and for an unknown profile or prefix
 */
export async function requireLabelSettings(
  { db }: Pick<Ctx, "db">,
  realmId: string,
  chosen: LabelChoices = {},
): Promise<LabelSettings & { layout: Profile }> {
  const settings = await findLabelSettings(db, realmId);
  if (!settings)
    throw badRequest(
      "prefix_missing",
      "This company has no GS1 company prefix yet, and every SSCC begins with it. Its admin can enter it in the label settings below.",
    );
  const prefixes = [settings.prefix, ...settings.otherPrefixes];
  const { prefix = settings.prefix, profile = settings.profile } = chosen;
  const { paper = settings.paper, order = settings.order, separators = settings.separators } = chosen;
  const layout = findProfile(profile);
  if (!layout) throw unknownProfile();
  if (!prefixes.includes(prefix))
    throw badRequest(
      "unknown_prefix",
      `Choose one of the company's GS1 prefixes: ${joinList(prefixes, "or")}.`,
    );
  const otherPrefixes = prefixes.filter((each) => each !== prefix);
  return { ...settings, prefix, otherPrefixes, profile, layout, paper, order, separators };
}

const unknownProfile = () => badRequest("unknown_profile", "Choose one of the label profiles.");

/**
 * Replaces the label settings.
 * @throws AppError 400 for a profile or code that is not allowed, 409 for a next serial that was already
 * assigned
 */
export async function changeLabelSettings(
  ctx: LabelsCtx & Audited,
  { realmId }: Company,
  change: LabelSettingsChange,
): Promise<void> {
  const settings = toSettings(change);
  const { extension } = settings;
  const raised = [change, ...change.other_prefixes].flatMap(({ prefix, next_serial: next }) =>
    next === undefined ? [] : [{ prefix: toGs1Prefix(prefix), next }],
  );
  for (const { prefix, next } of raised)
    if (next >= countSerials(prefix))
      throw badRequest(
        "serial_too_large",
        `Prefix ${prefix} has serials from 0 to ${countSerials(prefix) - 1}.`,
      );
  await ctx.db.transaction().execute(async (tx) => {
    const was = await findLabelSettings(tx, realmId);
    await saveLabelSettings(tx, realmId, { settings, now: ctx.clock.now() });
    for (const { prefix, next } of raised)
      await raiseNextSerial({ tx, journal: ctx.journal }, { realmId, prefix, extension }, next);
    const after = { ...auditFacts(settings), ...(raised.length > 0 ? { next_serials: raised } : {}) };
    await ctx.audit(tx, {
      action: "labels.change_settings",
      ...(was ? { before: auditFacts(was) } : {}),
      after,
    });
  });
}

function toSettings(change: LabelSettingsChange): LabelSettings {
  const { next_serial: _, other_prefixes: more, ship_froms: shipFroms, ...others } = change;
  if (!findProfile(others.profile)) throw unknownProfile();
  const prefix = toGs1Prefix(others.prefix);
  const otherPrefixes = more.map((each) => toGs1Prefix(each.prefix));
  const again = otherPrefixes.find((each, at) => each === prefix || otherPrefixes.indexOf(each) !== at);
  if (again !== undefined)
    throw badRequest("prefix_twice", `GS1 prefix ${again} is entered twice. Enter each only once.`);
  const codes = shipFroms.map(({ code }) => code.toLowerCase());
  const twice = codes.find((code, at) => codes.indexOf(code) !== at);
  if (twice !== undefined)
    throw badRequest(
      "ship_from_twice",
      `Ship-from code "${twice}" is used twice. Give each address its own.`,
    );
  for (const each of shipFroms) {
    const character = unprintableIn(Object.values(each).join(" "));
    if (character !== undefined)
      throw badRequest(
        "not_printable",
        `Ship-from address "${each.code}" has the character ${characterName(character)}, which the label font can't print. Write it in Latin, Greek, or Cyrillic letters.`,
      );
  }
  return {
    ...others,
    prefix,
    otherPrefixes,
    shipFroms: shipFroms.map(({ postal_code: postalCode, ...each }) => ({ ...each, postalCode })),
  };
}

/** Adds the 0 that GS1 prepends to a UPC prefix of six digits. */
const toGs1Prefix = (entered: string): string => (entered.length === 6 ? `0${entered}` : entered);

const auditFacts = ({ otherPrefixes, shipFroms, ...others }: LabelSettings) => ({
  ...others,
  other_prefixes: otherPrefixes,
  ship_froms: shipFroms.map(({ code }) => code),
});

/** Addresses by code, with the default one under "": the first one, or just the company's name. */
export function indexShipFroms(
  name: string,
  { shipFroms }: Pick<LabelSettings, "shipFroms">,
): Record<string, ShipFrom> {
  const own = { code: "", name, address1: "", address2: "", city: "", state: "", postalCode: "" };
  return { ...Object.fromEntries(shipFroms.map((each) => [each.code, each])), "": shipFroms[0] ?? own };
}

/** Finds the settings; null until the admin enters them. */
export async function findLabelSettings(db: Db, realmId: string): Promise<LabelSettings | null> {
  const { rows } =
    await sql<LabelSettings>`select prefix, other_prefixes as "otherPrefixes", extension, profile,
      resolution, paper, print_order as "order", separators, ship_froms as "shipFroms"
    from label_settings where realm_id = ${realmId}`.execute(db);
  return rows[0] ?? null;
}

async function saveLabelSettings(
  tx: Db,
  realmId: string,
  { settings, now }: { settings: LabelSettings; now: Date },
): Promise<void> {
  const { prefix, otherPrefixes, extension, profile, resolution, paper, order, separators } = settings;
  await sql`insert into label_settings (realm_id, prefix, other_prefixes, extension, profile, resolution, paper,
      print_order, separators, ship_froms, changed_at)
    values (${realmId}, ${prefix}, ${otherPrefixes}::text[], ${extension}, ${profile}, ${resolution}, ${paper}, ${order},
      ${separators}, ${toJson(settings.shipFroms)}::jsonb, ${now})
    on conflict (realm_id) do update set prefix = excluded.prefix,
      other_prefixes = excluded.other_prefixes, extension = excluded.extension,
      profile = excluded.profile, resolution = excluded.resolution, paper = excluded.paper,
      print_order = excluded.print_order, separators = excluded.separators,
      ship_froms = excluded.ship_froms, changed_at = excluded.changed_at`.execute(tx);
}

/** GS1's prefix for examples, so that demo labels belong to no real company. */
const EXAMPLE_PREFIX = "0614141";

/** Lets a demo company make labels at once, with its own extension digit. */
export async function prepareDemoLabels(ctx: Ctx, realmId: string, companyName: string): Promise<void> {
  const taken = await listOthersDigits(ctx.db, { realmId, prefix: EXAMPLE_PREFIX });
  const extension = Array.from({ length: 10 }, (_, digit) => digit).find((digit) => !taken.includes(digit));
  const settings: LabelSettings = {
    prefix: EXAMPLE_PREFIX,
    otherPrefixes: [],
    extension: extension ?? 0,
    profile: generic.id,
    resolution: "203",
    paper: "roll",
    order: "file",
    separators: false,
    shipFroms: [
      {
        code: "OAK",
        name: companyName,
        address1: "1200 Harbor Way",
        address2: "",
        city: "Oakland",
        state: "CA",
        postalCode: "94607",
      },
    ],
  };
  await ctx.db
    .transaction()
    .execute((tx) => saveLabelSettings(tx, realmId, { settings, now: ctx.clock.now() }));
}
