import { findTable, type Table } from "#formats/table/columns.ts";
import { correctCells, type Correction } from "#formats/table/corrections.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerText, isRowHeader, REASON_HEADER, rowHeader } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { findFormed } from "#formats/table/layouts.ts";
import { showCell } from "#formats/table/texts.ts";
import { capitalize } from "#formats/text/phrases.ts";
import { DEFAULT_LIMITS } from "#formats/limits.ts";
import { ownRow, rowText } from "#formats/text/sheet-rows.ts";
import type { CellValue, SheetRow } from "#formats/xlsx/workbook.ts";
import type { Mark, WrittenColumn } from "#formats/xlsx/write-workbook.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { dateIn, type CellRules } from "#formats/table/cells.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import type { DateOrder } from "#formats/table/dates.ts";
import { groupTable, isByRow } from "#formats/table/records.ts";
import { parseIsoDate } from "#formats/xlsx/serial-date.ts";

/** Reason for extracting a row, and the field of the wrong cell if there is exactly one. */
export type Reason = { row: number; reason: string; field?: string | null };

/** Rows to extract from an uploaded file, with the reason for each. */
export type ProblemRows = {
  fileName: string;
  /** A row can have several reasons; `all` gives every row the same one. */
  reasons: readonly Reason[] | { all: string };
  chosen: ColumnChoices;
  /** Cells that users corrected; the extracted rows contain the corrected values. */
  corrections?: readonly Correction[];
};

/** With more comments Excel takes minutes to open the workbook. Further cells are marked; their reason is in the last column. */
const MAX_COMMENTS = 10_000;

/**
 * Writes some rows of an uploaded file to a new workbook: all columns, the original row number, and the reason. Marks
 * wrong cells. Reading the new workbook gives the same values as the original file. Runs in a worker thread.
 */
export async function extractRows(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, reasons, chosen, corrections = [] }: ProblemRows,
): Promise<Uint8Array> {
  const workbook = openFile(bytes);
  // The file was taken already: a choice that was deleted since asks at the next upload.
  const found = findTable(kind, workbook, chosen, "answered");
  const reasonsByRow = Map.groupBy(
    "all" in reasons ? found.rows.map(({ number }) => ({ row: number, reason: reasons.all })) : reasons,
    ({ row }) => row,
  );
  const { table } = correctCells(found, corrections);
  const rows = table.rows.filter(({ number }) => reasonsByRow.has(number));
  const columns: Extracted[] = [
    ...fileColumns({ found, table, rows, chosen }),
    {
      header: rowHeader(fileName),
      width: 12,
      wrap: true,
      read: ({ number }) => (table.sheets.length > 0 ? rowText(number, table.sheets) : ownRow(number)),
    },
    {
      header: REASON_HEADER,
      width: 60,
      wrap: true,
      read: ({ number }) => joinReasons(reasonsByRow.get(number)),
    },
  ];
  // Imported here only: every thread that reads an upload loads this file.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook([
    {
      name: capitalize(kind.words.records),
      columns,
      rows: rows.map((row) => columns.map(({ read }) => read(row))),
      marks: marksIn(rows, { columns, reasonsByRow }),
      filter: true,
    },
  ]);
}

type Extracted = WrittenColumn & {
  field?: string | undefined;
  read: (row: SheetRow) => CellValue | undefined;
};
type Extract = { found: Table; table: Table; rows: readonly SheetRow[]; chosen: ColumnChoices };

/** Columns of the file, known or not, columns added by corrections, and one column that keeps records apart. */
function fileColumns(extract: Extract): Extracted[] {
  const { found, table, rows, chosen } = extract;
  const { fields, grouping } = table.kind;
  const dateInContext = datesInContext(table);
  const formed = findFormed(table.kind, found.headers, chosen);
  const groups = groupsInContext(table, new Set(rows.map(({ number }) => number)));
  const added = table.columns.slice(found.columns.length);
  const columns = [...ownColumns(found, added[0]?.index), ...added].map(
    ({ header, index, field }: Own): Extracted => ({
      header,
      field,
      width: columnWidth([header, ...rows.slice(0, SEEN_ROWS).map(({ cells }) => cells[index])]),
      text: ["text", "code"].includes(fields[field ?? ""]?.type ?? "text"),
      read: ({ number, cells }) => {
        const cell = cells[index];
        // Formed again when the workbook is read, so that corrections of its parts count.
        if (cell !== undefined && formed.get(index)?.(cells) === cell) return undefined;
        if (field === undefined) return cell;
        if (field === grouping?.fallbackKey) return groups.get(number) ?? cell;
        return (cell !== undefined && dateInContext(cell, field)) || cell;
      },
    }),
  );
  const hasGroup = columns.some(({ field }) => field === grouping?.fallbackKey);
  if (groups.size === 0 || hasGroup || columns.length >= DEFAULT_LIMITS.maxColumns) return columns;
  const header = fields[grouping?.fallbackKey ?? ""]?.header;
  return [...columns, { header, text: true, read: ({ number }) => groups.get(number) }];
}

type Own = { header: CellValue | undefined; index: number; field?: string | undefined };

/**
 * Lists all columns of the file's table except those that an earlier problem workbook added.
 * @param end index of the first column added by corrections; the file has only headers without values there
 */
function ownColumns({ headers, columns, rows }: Table, end = Infinity): Own[] {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), headers.length);
  const texts = Array.from({ length: width }, (_, index) => headerText(headers[index]));
  const isAgain = texts.some(isRowHeader);
  const reason = isAgain ? texts.lastIndexOf(REASON_HEADER) : -1;
  return texts.flatMap((text, index) => {
    if (index === reason || isRowHeader(text)) return [];
    const { field, header } = columns.find((each) => each.index === index) ?? {};
    return [{ header: headers[index] ?? header, index: index < end ? index : NOWHERE, field }];
  });
}

const NOWHERE = -1;

/** Number of rows that determine a column's width. */
const SEEN_ROWS = 200;

function columnWidth(cells: readonly (CellValue | undefined)[]): number {
  const lengths = cells.map((cell) => (cell === undefined ? 0 : showCell(cell).length));
  return Math.min(40, Math.max(8, ...lengths) + 2);
}

const joinReasons = (reasons: readonly Reason[] = []): string =>
  [...new Set(reasons.map(({ reason }) => reason))].join("\n");

type Marking = { columns: readonly Extracted[]; reasonsByRow: ReadonlyMap<number, readonly Reason[]> };

function marksIn(rows: readonly SheetRow[], { columns, reasonsByRow }: Marking): Mark[] {
  const columnByField = new Map(columns.map(({ field }, column) => [field, column]));
  const marks = rows.flatMap(({ number }, row) =>
    [
      ...Map.groupBy(reasonsByRow.get(number) ?? [], ({ field }) => columnByField.get(field ?? NO_FIELD)),
    ].flatMap(([column, reasons]) =>
      column === undefined ? [] : [{ row, column, comment: joinReasons(reasons) }],
    ),
  );
  return marks.map((mark, index) => (index < MAX_COMMENTS ? mark : { row: mark.row, column: mark.column }));
}

const NO_FIELD = "";

/**
 * Finds the value to write for a date that would be read as another day in a new file: a text whose order only other
 * dates of its file prove, or a number that counts days from 1904. Undefined for all other dates.
 */
export function datesInContext(table: Table): (cell: CellValue, field: string) => CellValue | undefined {
  const orders = findDateOrders(table);
  return (cell, field) => {
    const order = orders.get(field);
    if (order === undefined) return undefined;
    const read = dateIn(cell, order, table.date1904);
    if (read.kind === "either") return order === "mdy" || order === "dmy" ? read.iso : undefined;
    const isCount = table.date1904 && typeof cell === "number" && read.kind === "date";
    return isCount ? parseIsoDate(read.iso) : undefined;
  };
}

/**
 * Keeps records apart when rows between them are left out. Without a key, a row of another customer starts a new record.
 * If the extracted rows would merge into fewer records, each row without a key gets a value for the fallback key field.
 * @param kept numbers of the extracted rows
 */
export function groupsInContext(table: Table, kept: ReadonlySet<number>): ReadonlyMap<number, string> {
  if (!table.kind.grouping || kept.size === table.rows.length) return new Map();
  const rules: CellRules = { orders: findDateOrders(table), latinOnly: false };
  const before = groupTable(table, rules);
  const keyByRow = new Map(before.flatMap(({ key, rows }) => rows.map((row) => [row, key] as const)));
  const after = groupTable({ ...table, rows: table.rows.filter(({ number }) => kept.has(number)) }, rules);
  const cameTogether = after.some(({ rows }) => new Set(rows.map((row) => keyByRow.get(row))).size > 1);
  if (!cameTogether) return new Map();
  return new Map(
    before
      .filter(isByRow)
      .flatMap(({ rows }) =>
        rows
          .filter((row) => kept.has(row))
          .map((row) => [row, `Row ${rowText(rows[0] ?? 0, table.sheets)}`] as const),
      ),
  );
}

/** Date order of each date column as the file itself proves it. */
const findDateOrders = (table: Table): Map<string, DateOrder> =>
  new Map(voteColumns(table, null).map(({ field, order }) => [field, order]));
