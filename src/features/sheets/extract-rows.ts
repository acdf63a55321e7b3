import { findTable, type Table } from "#formats/table/columns.ts";
import { correctCells, type Correction } from "#formats/table/corrections.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerText, isRowHeader, REASON_HEADER, rowHeader } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { showCell } from "#formats/table/texts.ts";
import { capitalize } from "#formats/text/phrases.ts";
import { DEFAULT_LIMITS } from "#formats/limits.ts";
import type { CellValue, SheetRow, Workbook } from "#formats/xlsx/workbook.ts";
import type { Mark, WrittenColumn } from "#formats/xlsx/write-workbook.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { datesInContext, groupsInContext } from "#features/sheets/rules-row-context.ts";

/** Why a row is taken out, and the field whose cell is wrong, if a single one is. */
export type Reason = { row: number; reason: string; field?: string | null };

/** Rows of an uploaded file, by number, each with the reason written beside it. */
export type ProblemRows = {
  fileName: string;
  /** A row may have several; `all` gives every row the same one. */
  reasons: readonly Reason[] | { all: string };
  chosen: ColumnChoices;
  /** Cells that users corrected; they stand in the rows. */
  corrections?: readonly Correction[];
};

/** Beyond so many, Excel takes minutes to open the workbook. Further cells are marked, and have their reason beside them. */
const MAX_COMMENTS = 10_000;

/**
 * A new workbook of some rows of an uploaded file: all its columns, the row each came from, and its reason. Cells that
 * are wrong are marked. It reads as those rows read in their file. To be run in a thread of its own.
 */
export async function extractRows(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, reasons, chosen, corrections = [] }: ProblemRows,
): Promise<Uint8Array> {
  const workbook = openFile(bytes);
  const found = findTable(kind, workbook, chosen);
  const ofRow = Map.groupBy(
    "all" in reasons ? found.rows.map(({ number }) => ({ row: number, reason: reasons.all })) : reasons,
    ({ row }) => row,
  );
  const { table } = correctCells(found, corrections);
  const rows = table.rows.filter(({ number }) => ofRow.has(number));
  const columns: Extracted[] = [
    ...fileColumns(workbook, { found, table, rows }),
    { header: rowHeader(fileName), width: 12, wrap: true, valueOf: ({ number }) => number },
    { header: REASON_HEADER, width: 60, wrap: true, valueOf: ({ number }) => textOf(ofRow.get(number)) },
  ];
  // Loaded only here: the threads that read every upload load this file too.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook([
    {
      name: capitalize(kind.words.records),
      columns,
      rows: rows.map((row) => columns.map(({ valueOf }) => valueOf(row))),
      marks: marksIn(rows, { columns, ofRow }),
      filter: true,
    },
  ]);
}

type Extracted = WrittenColumn & {
  field?: string | undefined;
  valueOf: (row: SheetRow) => CellValue | undefined;
};
type Extract = { found: Table; table: Table; rows: readonly SheetRow[] };

/** Those of the file, known or not, those that corrections added, and one for what keeps records apart. */
function fileColumns(workbook: Workbook, extract: Extract): Extracted[] {
  const { found, table, rows } = extract;
  const { fields, grouping } = table.kind;
  const dateOf = datesInContext(table);
  const groups = groupsInContext(table, new Set(rows.map(({ number }) => number)));
  const added = table.columns.slice(found.columns.length);
  const columns = [...ownColumns(workbook, found, added[0]?.index), ...added].map(
    ({ header, index, field }: Own): Extracted => ({
      header,
      field,
      width: widthOf([header, ...rows.slice(0, SEEN_ROWS).map(({ cells }) => cells[index])]),
      text: ["text", "code"].includes(fields[field ?? ""]?.type ?? "text"),
      valueOf: ({ number, cells }) => {
        const cell = cells[index];
        if (field === undefined) return cell;
        if (field === grouping?.fallbackKey) return groups.get(number) ?? cell;
        return (cell !== undefined && dateOf(cell, field)) || cell;
      },
    }),
  );
  const hasGroup = columns.some(({ field }) => field === grouping?.fallbackKey);
  if (groups.size === 0 || hasGroup || columns.length >= DEFAULT_LIMITS.maxColumns) return columns;
  const header = fields[grouping?.fallbackKey ?? ""]?.header;
  return [...columns, { header, text: true, valueOf: ({ number }) => groups.get(number) }];
}

type Own = { header: CellValue | undefined; index: number; field?: string | undefined };

/**
 * All columns of the file's table but those that an earlier problem workbook had added.
 * @param end where columns begin that corrections added; what is there in the file is headers without values
 */
function ownColumns({ sheets }: Workbook, { sheet, headerRow, columns, rows }: Table, end = Infinity): Own[] {
  const headers = sheets
    .find(({ name }) => name === sheet)
    ?.rows.find(({ number }) => number === headerRow)?.cells;
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), headers?.length ?? 0);
  const texts = Array.from({ length: width }, (_, index) => headerText(headers?.[index]));
  const isAgain = texts.some(isRowHeader);
  const reason = isAgain ? texts.lastIndexOf(REASON_HEADER) : -1;
  return texts.flatMap((text, index) => {
    if (index === reason || isRowHeader(text)) return [];
    const field = columns.find((each) => each.index === index)?.field;
    return [{ header: headers?.[index], index: index < end ? index : NOWHERE, field }];
  });
}

const NOWHERE = -1;

/** Rows that say how wide a column is. */
const SEEN_ROWS = 200;

function widthOf(cells: readonly (CellValue | undefined)[]): number {
  const lengths = cells.map((cell) => (cell === undefined ? 0 : showCell(cell).length));
  return Math.min(40, Math.max(8, ...lengths) + 2);
}

const textOf = (reasons: readonly Reason[] = []): string =>
  [...new Set(reasons.map(({ reason }) => reason))].join("\n");

type Marking = { columns: readonly Extracted[]; ofRow: ReadonlyMap<number, readonly Reason[]> };

function marksIn(rows: readonly SheetRow[], { columns, ofRow }: Marking): Mark[] {
  const columnOf = new Map(columns.map(({ field }, column) => [field, column]));
  const marks = rows.flatMap(({ number }, row) =>
    [...Map.groupBy(ofRow.get(number) ?? [], ({ field }) => columnOf.get(field ?? NO_FIELD))].flatMap(
      ([column, reasons]) => (column === undefined ? [] : [{ row, column, comment: textOf(reasons) }]),
    ),
  );
  return marks.map((mark, index) => (index < MAX_COMMENTS ? mark : { row: mark.row, column: mark.column }));
}

const NO_FIELD = "";
