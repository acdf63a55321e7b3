import { findTable, type Table } from "#formats/table/columns.ts";
import type { Correction } from "#formats/table/corrections.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerText, REASON_HEADER } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { titleOf } from "#formats/text/phrases.ts";
import type { NewText } from "#formats/xlsx/edit/edit-rows.ts";
import { keepRows } from "#formats/xlsx/edit/keep-rows.ts";
import { DEFAULT_LIMITS } from "#formats/limits.ts";
import type { SheetRow, Workbook } from "#formats/xlsx/workbook.ts";
import { isWorkbook, openFile } from "#features/sheets/open-file.ts";
import { datesInContext, groupsInContext } from "#features/sheets/rules-row-context.ts";

/** Rows of an uploaded file that stay, by number, each with the reason written beside it. */
export type ProblemRows = {
  /** A row may have several; `"all"` gives every row the same one. */
  reasons: { row: number; reason: string }[] | { all: string };
  chosen: ColumnChoices;
  /** Cells that users corrected; they stand in the rows that stay. */
  corrections?: readonly Correction[];
};

const REASON_WIDTH = 60;

/**
 * The uploaded workbook itself with the other rows of its table taken out and the reasons in a last column; all else
 * in it stays. Of a CSV file it is a new workbook. To be run in a thread of its own.
 */
export async function extractRows(
  kind: SheetKind,
  bytes: Uint8Array,
  { reasons, chosen, corrections = [] }: ProblemRows,
): Promise<Uint8Array> {
  const workbook = openFile(bytes);
  const table = findTable(kind, workbook, chosen);
  const reasonOf = "all" in reasons ? allRows(table, reasons.all) : joined(reasons);
  const sheet = sheetOf(workbook, table);
  const { reason } = sheet;
  const texts = contextOf(table, new Set(reasonOf.keys()), Math.max(sheet.width, reason + 1));
  for (const { row, field, value } of corrections) {
    const column = table.columns.find((each) => each.field === field)?.index;
    if (column !== undefined && reasonOf.has(row)) putText(texts, { row, column, text: value });
  }
  putText(texts, { row: table.headerRow, column: reason, text: REASON_HEADER });
  for (const [row, text] of reasonOf) putText(texts, { row, column: reason, text, isRemark: true });
  if (!isWorkbook(bytes)) return newWorkbook(table, sheet, texts);
  const removed = new Set(table.rows.map(({ number }) => number).filter((number) => !reasonOf.has(number)));
  return keepRows(bytes, { sheet: table.sheet, removed, texts, widths: new Map([[reason, REASON_WIDTH]]) });
}

type SheetOfRows = { rows: readonly SheetRow[]; width: number; reason: number };

/** All rows of the table's sheet. Reasons go behind its last column with a value, or into those of an earlier corrected file. */
function sheetOf({ sheets }: Workbook, { sheet, headerRow }: Table): SheetOfRows {
  const rows = sheets.find(({ name }) => name === sheet)?.rows ?? [];
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const header = rows.find(({ number }) => number === headerRow)?.cells ?? [];
  const there = header.findLastIndex((cell) => headerText(cell) === REASON_HEADER);
  return { rows, width, reason: there >= 0 ? there : width };
}

type Texts = Map<number, Map<number, NewText>>;

function putText(texts: Texts, { row, column, ...put }: NewText & { row: number; column: number }): void {
  texts.set(row, (texts.get(row) ?? new Map<number, NewText>()).set(column, put));
}

/** What rows that stay meant beside others: which are one record, how dates are meant. @param free a column for it */
function contextOf(table: Table, kept: ReadonlySet<number>, free: number): Texts {
  const texts: Texts = new Map();
  for (const date of datesInContext(table, kept)) putText(texts, date);
  const fallbackKey = table.kind.grouping?.fallbackKey ?? "";
  const own = table.columns.find(({ field }) => field === fallbackKey)?.index;
  const column = own ?? free;
  const groups = groupsInContext(table, kept);
  if (groups.size === 0 || column >= DEFAULT_LIMITS.maxColumns) return texts;
  const header = table.kind.fields[fallbackKey]?.header ?? "";
  if (own === undefined) putText(texts, { row: table.headerRow, column, text: header });
  for (const [row, text] of groups) putText(texts, { row, column, text });
  return texts;
}

const allRows = ({ rows }: Table, reason: string) => new Map(rows.map(({ number }) => [number, reason]));

function joined(reasons: readonly { row: number; reason: string }[]): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { row, reason } of reasons) {
    const before = texts.get(row);
    texts.set(row, before ? `${before}\n${reason}` : reason);
  }
  return texts;
}

/** Every column of a text file, known or not, and its rows that stay; values keep being text. */
async function newWorkbook(table: Table, sheet: SheetOfRows, texts: Texts): Promise<Uint8Array> {
  const rows = sheet.rows.filter(({ number }) => texts.has(number));
  const widths = [...texts.values()].map((added) => Math.max(...added.keys()) + 1);
  const width = widths.reduce((widest, each) => Math.max(widest, each), sheet.width);
  const [headers = [], ...data] = rows.map(({ number, cells }) =>
    Array.from({ length: width }, (_, column) => texts.get(number)?.get(column)?.text ?? cells[column]),
  );
  // Loaded only here: the threads that read every upload load this file too.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook([
    {
      name: titleOf(table.kind.words.records),
      columns: headers.map((cell, column) =>
        column === sheet.reason
          ? { header: REASON_HEADER, width: REASON_WIDTH }
          : { header: headerText(cell), width: 18, text: true },
      ),
      rows: data,
      wrap: true,
    },
  ]);
}
