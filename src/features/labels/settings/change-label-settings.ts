import * as z from "zod";
import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import { characterName } from "#features/sheets/reading.ts";
import { countSerials } from "#formats/gs1/sscc.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, conflict } from "#platform/errors.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { findBuiltIn } from "#features/labels/layout/rules-profiles.ts";
import { lockProfile } from "#features/labels/profiles/store.ts";
import { nextIn } from "#features/labels/ledger/rules-journal.ts";
import { raiseNextSerial, type SerialRange } from "#features/labels/ledger/store-serials.ts";
import type { Taking } from "#features/labels/ledger/take-numbers.ts";
import type { LabelSettingsChange } from "#features/labels/settings/contract.ts";
import { findLabelSettings, saveLabelSettings, type LabelSettings } from "#features/labels/settings/store.ts";

/**
 * Replaces what a company said of its labels.
 * @throws AppError 400 for a profile or a code that cannot be, 409 for a next number below one that was given already
 */
export async function changeLabelSettings(
  ctx: LabelsCtx & Audited,
  { realmId }: Company,
  change: LabelSettingsChange,
): Promise<void> {
  const settings = settingsOf(change);
  const { extension } = settings;
  const raised = nextOf(change);
  await ctx.db.transaction().execute(async (tx) => {
    await requireProfile(tx, realmId, settings.profile);
    const was = await findLabelSettings(tx, realmId);
    await saveLabelSettings(tx, realmId, { settings, now: ctx.clock.now() });
    for (const { prefix, next } of raised)
      await raiseTo({ tx, serials: ctx.serials }, { realmId, prefix, extension }, next);
    const after = { ...trailOf(settings), ...(raised.length > 0 ? { next_serials: raised } : {}) };
    await ctx.audit(tx, {
      action: "labels.change_settings",
      ...(was ? { before: trailOf(was) } : {}),
      after,
    });
  });
}

/** Next numbers that were entered. @throws AppError 400 for one that its prefix does not have */
function nextOf(change: LabelSettingsChange): { prefix: string; next: number }[] {
  const entered = [change, ...change.other_prefixes].flatMap(({ prefix, next_serial: next }) =>
    next === undefined ? [] : [{ prefix: gs1Prefix(prefix), next }],
  );
  for (const { prefix, next } of entered)
    if (next >= countSerials(prefix))
      throw badRequest(
        "serial_too_large",
        `Prefix ${prefix} has serials from 0 to ${countSerials(prefix) - 1}.`,
      );
  return entered;
}

/** @throws AppError 409 when numbers up to there were given already */
async function raiseTo({ tx, serials }: Taking, range: SerialRange, next: number): Promise<void> {
  if (next >= nextIn(await serials.read(), range) && (await raiseNextSerial(tx, range, next))) return;
  throw conflict(
    "serial_given",
    `Numbers up to ${next} and beyond were given already. A next serial can only be a later one, so that no SSCC is used twice.`,
  );
}

/** Nobody removes it meanwhile. */
async function requireProfile(tx: Db, realmId: string, id: string): Promise<void> {
  if (findBuiltIn(id).id === id) return;
  const isOwn = z.uuid().safeParse(id).success && (await lockProfile(tx, { realmId, id })) !== null;
  if (!isOwn) throw badRequest("unknown_profile", "Choose one of the label profiles.");
}

type Settings = Omit<LabelSettings, "printedBy">;

function settingsOf(change: LabelSettingsChange): Settings {
  const { next_serial: _, other_prefixes: more, ship_froms: shipFroms, ...others } = change;
  const prefix = gs1Prefix(others.prefix);
  const otherPrefixes = more.map((each) => gs1Prefix(each.prefix));
  const again = otherPrefixes.find((each, at) => each === prefix || otherPrefixes.indexOf(each) !== at);
  if (again !== undefined)
    throw badRequest("prefix_twice", `GS1 prefix ${again} is there twice. Enter each once.`);
  const codes = shipFroms.map(({ code }) => code.toLowerCase());
  const twice = codes.find((code, at) => codes.indexOf(code) !== at);
  if (twice !== undefined)
    throw badRequest(
      "ship_from_twice",
      `Ship-from code "${twice}" is there twice. Give each address its own.`,
    );
  for (const each of shipFroms) {
    const character = unprintableIn(Object.values(each).join(" "));
    if (character !== undefined)
      throw badRequest(
        "not_printable",
        `Ship-from address "${each.code}" has the character ${characterName(character)}, which the label font can't print. Write it in Latin, Greek or Cyrillic letters.`,
      );
  }
  return {
    ...others,
    prefix,
    otherPrefixes,
    shipFroms: shipFroms.map(({ postal_code: postalCode, ...each }) => ({ ...each, postalCode })),
  };
}

/** Six digits are a company's part of its UPC codes, which GS1 reads with a 0 in front. */
const gs1Prefix = (entered: string): string => (entered.length === 6 ? `0${entered}` : entered);

const trailOf = ({
  prefix,
  otherPrefixes,
  extension,
  profile,
  resolution,
  paper,
  order,
  separators,
  shipFroms,
}: Settings) => ({
  prefix,
  other_prefixes: otherPrefixes,
  extension,
  profile,
  resolution,
  paper,
  order,
  separators,
  ship_froms: shipFroms.map(({ code }) => code),
});
