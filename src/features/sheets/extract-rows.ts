import { findTable, type Table } from "#formats/table/columns.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerText, REASON_HEADER } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { titleOf } from "#formats/text/phrases.ts";
import { keepRows } from "#formats/xlsx/edit/keep-rows.ts";
import { DEFAULT_LIMITS } from "#formats/xlsx/limits.ts";
import type { SheetRow, Workbook } from "#formats/xlsx/workbook.ts";
import { isWorkbook, openFile } from "#features/sheets/open-file.ts";
import { datesInContext, groupsInContext } from "#features/sheets/rules-row-context.ts";

/** Rows of an uploaded file that stay, by number, each with the reason written beside it. */
export type ProblemRows = {
  /** A row may have several; `"all"` gives every row the same one. */
  reasons: { row: number; reason: string }[] | { all: string };
  chosen: ColumnChoices;
};

const REASON_WIDTH = 60;

/**
 * The uploaded workbook itself with the other rows of its table taken out and the reasons in a last column; all else
 * in it stays. Of a CSV file it is a new workbook. To be run in a thread of its own.
 */
export async function extractRows(
  kind: SheetKind,
  bytes: Uint8Array,
  { reasons, chosen }: ProblemRows,
): Promise<Uint8Array> {
  const workbook = openFile(bytes);
  const table = findTable(kind, workbook, chosen);
  const texts = "all" in reasons ? allRows(table, reasons.all) : joined(reasons);
  const context = contextOf(workbook, table, new Set(texts.keys()));
  if (!isWorkbook(bytes)) return newWorkbook(workbook, table, { texts, context });
  const removed = table.rows.map(({ number }) => number).filter((number) => !texts.has(number));
  return keepRows(bytes, {
    sheet: table.sheet,
    headerRow: table.headerRow,
    removed: new Set(removed),
    added: { column: reasonColumn(workbook, table), header: REASON_HEADER, width: REASON_WIDTH, texts },
    texts: context,
  });
}

/** What rows that stay meant beside others, by row and column: which are one record, how dates are meant. */
function contextOf(
  workbook: Workbook,
  table: Table,
  kept: ReadonlySet<number>,
): Map<number, Map<number, string>> {
  if (kept.size === table.rows.length) return new Map();
  const context = datesInContext(table, kept);
  const groups = groupsInContext(table, kept);
  const fallbackKey = table.kind.grouping?.fallbackKey;
  if (groups.size === 0 || fallbackKey === undefined) return context;
  const own = table.columns.find(({ field }) => field === fallbackKey)?.index;
  const column = own ?? Math.max(widthOf(workbook, table), reasonColumn(workbook, table) + 1);
  if (column >= DEFAULT_LIMITS.maxColumns) return context;
  const add = (row: number, text: string) =>
    context.set(row, (context.get(row) ?? new Map<number, string>()).set(column, text));
  if (own === undefined) add(table.headerRow, table.kind.fields[fallbackKey]?.header ?? "");
  for (const [row, text] of groups) add(row, text);
  return context;
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

/** Behind the last column with a value; that of an earlier corrected file is used again. */
function reasonColumn(workbook: Workbook, table: Table): number {
  const header = rowsOf(workbook, table).find(({ number }) => number === table.headerRow)?.cells ?? [];
  const there = header.findLastIndex((cell) => headerText(cell) === REASON_HEADER);
  return there >= 0 ? there : widthOf(workbook, table);
}

const widthOf = (workbook: Workbook, table: Table) =>
  rowsOf(workbook, table).reduce((widest, { cells }) => Math.max(widest, cells.length), 0);

const rowsOf = ({ sheets }: Workbook, table: Table) =>
  sheets.find(({ name }) => name === table.sheet)?.rows ?? [];

/** Every column of a text file, known or not, and its rows that stay; values keep being text. */
async function newWorkbook(
  workbook: Workbook,
  table: Table,
  {
    texts,
    context,
  }: { texts: ReadonlyMap<number, string>; context: ReadonlyMap<number, ReadonlyMap<number, string>> },
): Promise<Uint8Array> {
  const rows = rowsOf(workbook, table);
  const reason = reasonColumn(workbook, table);
  const widest = [...context.values()].reduce((most, cells) => Math.max(most, ...cells.keys()), reason);
  const width = Math.max(widthOf(workbook, table), widest + 1);
  const textIn = ({ number, cells }: Pick<SheetRow, "number" | "cells">, column: number) =>
    column === reason ? texts.get(number) : (context.get(number)?.get(column) ?? cells[column]);
  const headers = rows.find(({ number }) => number === table.headerRow) ?? {
    number: table.headerRow,
    cells: [],
  };
  const columns = Array.from({ length: width }, (_, column) =>
    column === reason
      ? { header: REASON_HEADER, width: REASON_WIDTH }
      : { header: headerText(textIn(headers, column)), width: 18, text: true },
  );
  // Loaded only here: the threads that read every upload load this file too.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook([
    {
      name: titleOf(table.kind.words.records),
      columns,
      rows: rows
        .filter(({ number }) => texts.has(number))
        .map((row) => columns.map((_, column) => textIn(row, column))),
      wrap: true,
    },
  ]);
}
