import { keepRows } from "#formats/xlsx/edit/keep-rows.ts";
import type { Workbook } from "#formats/xlsx/workbook.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { isWorkbook, openFile } from "#features/invoices/workbook/open-file.ts";
import { findTable, type Table } from "#features/invoices/workbook/rules-columns.ts";
import { headerText, REASON_HEADER, type ColumnChoice } from "#features/invoices/workbook/rules-headers.ts";

/** Rows of an uploaded file that stay, by number, each with the reason to stand beside it. */
export type ProblemRows = {
  /** A row may have several; `"all"` gives every row the same one. */
  reasons: { row: number; reason: string }[] | { all: string };
  chosen: ReadonlyMap<string, ColumnChoice>;
};

const REASON_WIDTH = 60;

/**
 * The uploaded workbook itself with the other rows of its table taken out and the reasons in a last column; all else
 * in it stays. Of a CSV file it is a new workbook. Runs in a thread of its own.
 */
export async function run(bytes: Uint8Array, { reasons, chosen }: ProblemRows): Promise<Uint8Array> {
  const workbook = openFile(bytes);
  const table = findTable(workbook, chosen);
  const texts = "all" in reasons ? allRows(table, reasons.all) : joined(reasons);
  if (!isWorkbook(bytes)) return newWorkbook(workbook, table, texts);
  const removed = table.rows.map(({ number }) => number).filter((number) => !texts.has(number));
  return keepRows(bytes, {
    sheet: table.sheet,
    headerRow: table.headerRow,
    removed: new Set(removed),
    added: { column: reasonColumn(workbook, table), header: REASON_HEADER, width: REASON_WIDTH, texts },
  });
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
  const sheet = workbook.sheets.find(({ name }) => name === table.sheet);
  const rows = sheet?.rows ?? [];
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const header = rows.find(({ number }) => number === table.headerRow)?.cells[width - 1];
  return headerText(header) === REASON_HEADER ? width - 1 : width;
}

/** Every column of a text file, known or not, and its rows that stay; values keep being text. */
function newWorkbook(
  workbook: Workbook,
  table: Table,
  texts: ReadonlyMap<number, string>,
): Promise<Uint8Array> {
  const rows = workbook.sheets[0]?.rows ?? [];
  const width = reasonColumn(workbook, table);
  const headers = rows.find(({ number }) => number === table.headerRow)?.cells ?? [];
  const columns = Array.from({ length: width }, (_, index) => ({
    header: headerText(headers[index]),
    width: 18,
    text: true,
  }));
  const kept = rows.filter(({ number }) => texts.has(number));
  return writeWorkbook([
    {
      name: "Invoices",
      columns: [...columns, { header: REASON_HEADER, width: REASON_WIDTH }],
      rows: kept.map(({ number, cells }) => [...columns.map((_, index) => cells[index]), texts.get(number)]),
      wrap: true,
    },
  ]);
}
