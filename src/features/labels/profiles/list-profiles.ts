import type { Ctx } from "#platform/ctx.ts";
import { OTHER_FIELDS } from "#features/labels/layout/rules-content.ts";
import { contentOf, PROFILES } from "#features/labels/layout/rules-profiles.ts";
import type { ProfileList } from "#features/labels/profiles/contract.ts";
import { listOwnProfiles } from "#features/labels/profiles/store.ts";
import { fieldHeader, labelSheet } from "#features/labels/sheet/rules-sheet.ts";

const COLUMNS = labelSheet.names.map((id) => ({ id, name: fieldHeader(id) }));
const ASKED = new Set(["sscc", "cartons", "shipFrom"]);

/** Profiles that come with the product, the company's own behind them, and what their lines can be filled with. */
export async function listProfiles({ db }: Pick<Ctx, "db">, realmId: string): Promise<ProfileList> {
  const builtIn = PROFILES.map((profile) => {
    const { id, name, version } = profile;
    return { id, name, version, content: contentOf(profile) };
  });
  return {
    profiles: [...builtIn, ...(await listOwnProfiles(db, realmId))],
    fields: [...Object.entries(OTHER_FIELDS).map(([id, name]) => ({ id, name })), ...COLUMNS],
    columns: COLUMNS.filter(({ id }) => labelSheet.fields[id].required === undefined && !ASKED.has(id)),
  };
}
