import { findTimeZone, type Company } from "#features/companies/index.ts";
import { findColumnChoices, findDateOrder, readForRequest } from "#features/sheets/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { findProfile } from "#features/labels/layout/rules-profiles.ts";
import { listPrefixes } from "#features/labels/ledger/store-serials.ts";
import type { LabelSettings } from "#features/labels/settings/store.ts";
import type { ReadRows, ToRead } from "#features/labels/sheet/read-rows.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

type Asked = { settings: LabelSettings; fileName: string; bytes: () => Promise<Uint8Array> };

/**
 * Reads a sheet of labels in a thread, with what users of the company said of its columns and dates.
 * @throws AppError 400 for a file that cannot be read as one
 */
export async function readLabelSheet(
  { db, clock }: LabelsCtx,
  { realmId }: Company,
  { settings, fileName, bytes }: Asked,
): Promise<ReadRows> {
  const kind = { realmId, kind: labelSheet.kind };
  const input: ToRead = {
    fileName,
    chosen: await findColumnChoices(db, kind),
    dateOrder: await findDateOrder(db, kind),
    profile: findProfile(settings.profile),
    resolution: settings.resolution,
    prefixes: [...new Set([settings.prefix, ...(await listPrefixes(db, realmId))])],
    shipFroms: settings.shipFroms.map(({ code }) => code),
    today: dayIn(await findTimeZone(db, realmId))(clock.now()),
  };
  return readForRequest<ReadRows>(labelSheet, READING, { bytes, input, owner: realmId });
}

const READING = new URL("./read-rows.ts", import.meta.url);
