import { findTimeZone, type Company } from "#features/companies/index.ts";
import type { Correction } from "#formats/table/corrections.ts";
import { inSheetOrder } from "#formats/table/problem.ts";
import { findColumnChoices, findDateOrder, readForRequest } from "#features/sheets/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { badRequest } from "#platform/errors.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { listPrefixes } from "#features/labels/ledger/store-serials.ts";
import type { LabelSettings } from "#features/labels/settings/store.ts";
import type { ReadRows, ToRead } from "#features/labels/sheet/read-rows.ts";
import { findUsedNumbers } from "#features/labels/sheet/find-used-numbers.ts";
import { shipFromsOf } from "#features/labels/layout/rules-content.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

export type LabelFile = {
  fileName: string;
  bytes: () => Promise<Uint8Array>;
  /** Cells that count instead of those of the file. */
  cells: readonly Correction[];
};
type Asked = LabelFile & { settings: LabelSettings };

/**
 * Reads a sheet of labels in a thread, with what users of the company said of its columns and dates, and checks all of
 * it: an SSCC that a label has already is an error, too.
 * @throws AppError 400 for a file that cannot be read as one
 */
export async function readLabelSheet(ctx: LabelsCtx, company: Company, asked: Asked): Promise<ReadRows> {
  const read = await readRows(ctx, company, asked);
  const problems = await findUsedNumbers(ctx.db, company.realmId, read);
  if (problems.length === 0) return read;
  const wrong = new Set(problems.map(({ row }) => row));
  return {
    ...read,
    rows: read.rows.filter(({ row }) => !wrong.has(row)),
    wrongRows: [...read.wrongRows, ...read.rows.filter(({ row }) => wrong.has(row))],
    problems: inSheetOrder([...read.problems, ...problems]),
  };
}

async function readRows(
  { db, clock }: LabelsCtx,
  { realmId, name }: Company,
  { settings, fileName, bytes, cells }: Asked,
): Promise<ReadRows> {
  const unknown = cells.find(({ field }) => !Object.hasOwn(labelSheet.fields, field));
  if (unknown) throw badRequest("field_unknown", `Labels have no field "${unknown.field}". Reload the page.`);
  const kind = { realmId, kind: labelSheet.kind };
  const input: ToRead = {
    fileName,
    cells,
    chosen: await findColumnChoices(db, kind),
    dateOrder: await findDateOrder(db, kind),
    profile: settings.printedBy,
    resolution: settings.resolution,
    prefixes: [
      ...new Set([settings.prefix, ...settings.otherPrefixes, ...(await listPrefixes(db, realmId))]),
    ],
    shipFroms: shipFromsOf(name, settings.shipFroms),
    paper: settings.paper,
    today: dayIn(await findTimeZone(db, realmId))(clock.now()),
  };
  return readForRequest<ReadRows>(labelSheet, READING, { bytes, input, owner: realmId });
}

const READING = new URL("./read-rows.ts", import.meta.url);
