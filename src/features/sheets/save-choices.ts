import { valueKey } from "#formats/table/one-for-all.ts";
import { sheetKey } from "#formats/table/several-sheets.ts";
import type { Layout, SheetKind } from "#formats/table/define-sheet.ts";
import { BILLED, rowMarkKey, LEFT_OUT } from "#formats/table/row-mark-keys.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { layoutChoiceKey, layoutColumnKey, NOT_USED, USED } from "#formats/table/layouts.ts";
import { isMeaning, requiredFields } from "#formats/table/headers.ts";
import { formatCount } from "#formats/text/phrases.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, conflict } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";
import type { InspectedSheet, ColumnsInput } from "#features/sheets/inspect-file.ts";
import { receiveFile, readForRequest } from "#features/sheets/read-file.ts";
import { withArticle } from "#features/sheets/sentences.ts";
import {
  countColumnChoices,
  findColumnChoices,
  removeColumnChoice,
  removeLayoutChoices,
  saveColumnChoice,
  findDateOrder,
  removeDateOrder,
  saveDateOrder,
} from "#features/sheets/store.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";

/** Matched columns of one company: each upload reads all of them. */
export const MAX_COLUMN_CHOICES = 2_000;

/** Suggested values: a longer list would not be read through. */
const MAX_NAMES = 1_000;

/** A file, and how its columns are read. */
export type AskedColumns = {
  file: IncomingFile;
  draft: Draft;
  sheet: SheetKind;
  /** Thread module whose `run` is `inspectColumns` for this kind of sheet. */
  module: URL;
  /** Known values of the field that one value can stand for. */
  listNames?: ((realmId: string) => Promise<readonly string[]>) | undefined;
};

/** Answers of a page that are not saved yet. */
type Draft = { columns: readonly { header: string; field: string }[]; layout: boolean };

/** The page doesn't know which export a sheet is of until it is read. */
function toAnswers({ layouts = [] }: SheetKind, { columns, layout }: Draft): Map<string, string> {
  const answers = new Map(columns.map(({ header, field }) => [headerKey(header), field]));
  for (const { name } of layouts) {
    if (!layout) answers.set(layoutChoiceKey(name), NOT_USED);
    for (const { header, field } of columns) answers.set(layoutColumnKey(name, header), field);
  }
  return answers;
}

/** Reads the columns of a workbook and the fields they can be matched to. The file itself is not kept. */
export async function readColumns(
  ctx: SheetsCtx,
  realmId: string,
  { file, draft, sheet, module, listNames }: AskedColumns,
) {
  const chosen = await findColumnChoices(ctx.db, { realmId, kind: sheet.kind });
  const dateOrder = await findDateOrder(ctx.db, { realmId, kind: sheet.kind });
  const input: ColumnsInput = { fileName: file.name, chosen, dateOrder, draft: toAnswers(sheet, draft) };
  const { is_without, ...seen } = await receiveFile(ctx, file, async (received) =>
    readForRequest<InspectedSheet>(sheet, module, { bytes: () => received.read(), input, owner: realmId }),
  );
  const rule = is_without ? sheet.oneForAll : undefined;
  const names = rule && listNames ? await listNames(realmId) : [];
  const standIns = new Map(requiredFields(sheet).map(({ field, unless }) => [field, unless]));
  return {
    ...seen,
    for_all: rule
      ? {
          field: rule.field,
          question: rule.question,
          value: chosen.get(valueKey(rule.field)) ?? null,
          names: names.slice(0, MAX_NAMES),
        }
      : null,
    fields: Object.entries(sheet.fields).map(([field, { header }]) => ({
      field,
      header,
      required: standIns.has(field),
      unless: standIns.get(field) ?? [],
    })),
  };
}

/**
 * Stores which columns mean which fields for the company's later files of this kind, which sheets are left out, and which
 * value all lines have; an empty field or value deletes the choice.
 * @throws AppError 400 for a field that does not exist; 409 when too many are matched
 */
export async function chooseColumns(
  ctx: Ctx & Audited,
  who: { realmId: string; by: string },
  {
    sheet,
    columns,
    sheets,
    values,
    row_marks: rowMarks = [],
    layout,
  }: {
    sheet: SheetKind;
    columns: readonly { header: string; field: string }[];
    sheets: readonly { sheet: string; is_read: boolean }[];
    values: readonly { field: string; value: string }[];
    row_marks?: readonly RowMarkAnswer[];
    layout?: { name: string; is_used: boolean | null } | undefined;
  },
): Promise<void> {
  const unknown =
    columns.find(({ field }) => field !== "" && !isMeaning(sheet, field)) ??
    values.find(({ field }) => field !== sheet.oneForAll?.field);
  const { record } = sheet.words;
  if (unknown)
    throw badRequest(
      "unknown_field",
      `"${unknown.field}" isn't a field of ${withArticle(record)}. Choose one from the list.`,
    );
  const known = sheet.layouts?.find(({ name }) => name === layout?.name);
  if (layout && !known)
    throw badRequest("unknown_layout", `"${layout.name}" isn't an export that we know. Reload the page.`);
  const own = { ...who, kind: sheet.kind, now: ctx.clock.now() };
  await ctx.db.transaction().execute(async (tx) => {
    for (const { header, field } of columns) {
      const key = layout?.is_used ? layoutColumnKey(layout.name, header) : headerKey(header);
      if (field === "") await removeColumnChoice(tx, own, key);
      else await saveColumnChoice(tx, own, { key, header, field });
    }
    for (const { sheet: name, is_read } of sheets) {
      const key = sheetKey(name);
      if (is_read) await removeColumnChoice(tx, own, key);
      else await saveColumnChoice(tx, own, { key, header: name, field: "ignore" });
    }
    for (const { field, value } of values) {
      const key = valueKey(field);
      if (value.trim() === "") await removeColumnChoice(tx, own, key);
      else await saveColumnChoice(tx, own, { key, header: field, field: value.trim() });
    }
    for (const mark of rowMarks) await saveRowMark(tx, own, mark);
    if (known) await saveLayout(tx, own, known, layout?.is_used ?? null);
    if ((await countColumnChoices(tx, who.realmId)) > MAX_COLUMN_CHOICES)
      throw conflict(
        "too_many_choices",
        `This company has ${formatCount(MAX_COLUMN_CHOICES)} saved columns, the most it can have. Forget some of them, then try again.`,
      );
    const after = {
      sheet: sheet.kind,
      columns,
      ...(sheets.length > 0 ? { sheets } : {}),
      ...(values.length > 0 ? { values } : {}),
      ...(layout ? { layout } : {}),
      ...(rowMarks.length > 0 ? { row_marks: rowMarks } : {}),
    };
    await ctx.audit(tx, { action: "choices.choose_columns", after });
  });
}

type Own = { realmId: string; by: string; kind: string; now: Date };

type RowMarkAnswer = { of: string; value: string; is_billed: boolean | null; files_like: string };

async function saveRowMark(
  tx: Db,
  own: Own,
  { of, value, is_billed: isBilled, files_like: filesLike }: RowMarkAnswer,
): Promise<void> {
  const key = rowMarkKey(of, value);
  if (isBilled === null) return removeColumnChoice(tx, own, key);
  const header = JSON.stringify([of, value, filesLike]);
  return saveColumnChoice(tx, own, { key, header, field: isBilled ? BILLED : LEFT_OUT });
}

/** Without an answer, the meanings of its columns are forgotten too. */
async function saveLayout(
  tx: Db,
  own: Own,
  { name, title }: Pick<Layout, "name" | "title">,
  isUsed: boolean | null,
): Promise<void> {
  const key = layoutChoiceKey(name);
  if (isUsed === null) return removeLayoutChoices(tx, own, key);
  return saveColumnChoice(tx, own, { key, header: title, field: isUsed ? USED : NOT_USED });
}

/**
 * Stores whether the month or the day comes first in dates such as 03/04/2026. Applies to later files of this kind whose
 * own dates do not show it; null deletes the choice, and the next such file asks again.
 */
export async function chooseDateOrder(
  ctx: Ctx & Audited,
  who: { realmId: string; by: string },
  { sheet, order }: { sheet: SheetKind; order: WrittenOrder | null },
): Promise<void> {
  const own = { ...who, kind: sheet.kind };
  await ctx.db.transaction().execute(async (tx) => {
    const before = await findDateOrder(tx, own);
    if (order === null) await removeDateOrder(tx, own);
    else await saveDateOrder(tx, { ...own, now: ctx.clock.now() }, order);
    const facts = { before: { order: before }, after: { sheet: sheet.kind, order } };
    await ctx.audit(tx, { action: "choices.choose_date_order", ...facts });
  });
}
