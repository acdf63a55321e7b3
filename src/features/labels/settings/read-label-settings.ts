import type { Company } from "#features/companies/index.ts";
import { countSerials } from "#formats/gs1/sscc.ts";
import { joinList } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import { badRequest } from "#platform/errors.ts";
import type { LabelChoices } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { GENERIC, PROFILES } from "#features/labels/layout/rules-profiles.ts";
import { listOwnProfiles } from "#features/labels/profiles/store.ts";
import { findNextSerial } from "#features/labels/ledger/take-numbers.ts";
import { WARN_SHARE } from "#features/labels/limits.ts";
import type { LabelSettingsView } from "#features/labels/settings/contract.ts";
import { findLabelSettings, type LabelSettings } from "#features/labels/settings/store.ts";

/** What a company said of its labels, as its users are shown it. */
export async function readLabelSettings(
  { db, serials }: LabelsCtx,
  { realmId }: Company,
): Promise<LabelSettingsView> {
  const settings = await findLabelSettings(db, realmId);
  const own = await listOwnProfiles(db, realmId);
  const profiles = [...PROFILES, ...own].map(({ id, name }) => ({ id, name }));
  if (!settings)
    return {
      profiles,
      prefix: null,
      extension: 0,
      next_serial: 0,
      profile: GENERIC.id,
      resolution: "203",
      paper: "roll",
      order: "file",
      separators: false,
      ship_froms: [],
      serials: null,
      other_prefixes: [],
    };
  const { shipFroms, otherPrefixes, printedBy: _, ...others } = settings;
  const { extension } = others;
  const serialsIn = async (prefix: string) => {
    const next = await findNextSerial({ tx: db, serials }, { realmId, prefix, extension });
    const total = countSerials(prefix);
    return {
      prefix,
      next_serial: next,
      serials: { total, left: total - next, is_low: next >= total * WARN_SHARE },
    };
  };
  const other_prefixes = [];
  for (const prefix of otherPrefixes) other_prefixes.push(await serialsIn(prefix));
  return {
    profiles,
    ...others,
    ...(await serialsIn(others.prefix)),
    other_prefixes,
    ship_froms: shipFroms.map(({ postalCode, ...each }) => ({ ...each, postal_code: postalCode })),
  };
}

/**
 * What counts for some labels: what a user chose for them, else what the company said.
 * @throws AppError 400 while nobody has entered the company's GS1 prefix, and for a profile or prefix that is not there
 */
export async function requireLabelSettings(
  { db }: Pick<Ctx, "db">,
  realmId: string,
  chosen: LabelChoices = {},
): Promise<LabelSettings> {
  const settings = await findLabelSettings(db, realmId, chosen.profile);
  if (!settings)
    throw badRequest(
      "prefix_missing",
      "This company has no GS1 company prefix yet, which every SSCC begins with. Its admin enters it in the label settings below.",
    );
  if (chosen.profile !== undefined && settings.printedBy.id !== chosen.profile)
    throw badRequest("unknown_profile", "Choose one of the label profiles.");
  const prefixes = [settings.prefix, ...settings.otherPrefixes];
  const { prefix = settings.prefix } = chosen;
  if (!prefixes.includes(prefix))
    throw badRequest(
      "unknown_prefix",
      `Choose one of the company's GS1 prefixes: ${joinList(prefixes, "or")}.`,
    );
  const otherPrefixes = prefixes.filter((each) => each !== prefix);
  const { paper = settings.paper, order = settings.order, separators = settings.separators } = chosen;
  return { ...settings, prefix, otherPrefixes, paper, order, separators };
}
