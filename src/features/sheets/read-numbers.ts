import type { ColumnMarks } from "#features/sheets/contract.ts";
import type { CountedSheet, SheetColumn } from "#features/sheets/types.ts";
import { isSameAnswer } from "#features/sheets/show-marks.ts";
import { NUMBER_TYPES, type SheetKind } from "#formats/table/define-sheet.ts";
import type { SheetNumbers } from "#formats/table/file-total.ts";
import { headerKey } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { lineCents, plainNumber } from "#formats/table/line-amounts.ts";
import { groupTable, isByRow } from "#formats/table/records.ts";
import type { ColumnMarks as Marks } from "#formats/table/row-marks.ts";
import { showCell } from "#formats/table/texts.ts";
import type { SheetRow } from "#formats/xlsx/workbook.ts";

/** Columns and questions about rows in the order of the page, and answers that a user may still change. */
type OnPage = {
  columns: readonly SheetColumn[];
  draft: ColumnChoices;
  rowMarks: readonly ColumnMarks[];
};

/**
 * Numbers of the columns that decide what is billed, or may.
 * @param sheets that can be read together, in the order of the page
 */
export function readNumbers(
  kind: SheetKind,
  sheets: readonly CountedSheet[],
  { columns, draft, rowMarks }: OnPage,
): SheetNumbers | null {
  if (!kind.grouping || sheets.length === 0) return null;
  const isWanted = ({ header, field, reason, guess }: SheetColumn) =>
    reason !== null ||
    draft.has(headerKey(header)) ||
    NUMBER_TYPES.has(kind.fields[field ?? guess ?? ""]?.type);
  // An order may go on in another sheet.
  const recordOfKey = new Map<string, number>();
  const parts = sheets.map((sheet, at) => {
    const rows = withoutHeld(kind, sheet);
    const recordOf = findRecords(kind, { rows, headers: sheet.headers }, { at, recordOfKey });
    return {
      sheets: rows.map(() => at),
      records: rows.map(({ number }) => recordOf.get(number) ?? 0),
      columns: columns.map((column) =>
        isWanted(column) ? readColumn(rows, findLike(column, sheet.columns)) : [],
      ),
      further: rows.map(({ cells }) =>
        sheet.headers.furtherLines.reduce((sum, line) => sum + Number(lineCents(line, cells) ?? 0n), 0),
      ),
      marks: rowMarks.map((question) => {
        const placeOf = placeRows(question, sheet.rowMarks);
        return rows.map(({ number }) => placeOf.get(number) ?? null);
      }),
    };
  });
  return {
    sheets: parts.flatMap((part) => part.sheets),
    records: parts.flatMap((part) => part.records),
    columns: columns.map((_, at) => parts.flatMap((part) => part.columns[at] ?? [])),
    further: parts.flatMap((part) => part.further),
    marks: rowMarks.map((_, at) => parts.flatMap((part) => part.marks[at] ?? [])),
  };
}

/** Rows that are held back without a question are not billed. */
function withoutHeld(
  { rowMarks }: SheetKind,
  { rows, headers }: Pick<CountedSheet, "rows" | "headers">,
): readonly SheetRow[] {
  const status = headers.columns.find(({ field }) => field === rowMarks?.field);
  if (!status || !rowMarks) return rows;
  return rows.filter(({ cells }) => !rowMarks.held.test(showCell(cells[status.index] ?? "")));
}

/** The record of each row, numbered through all sheets. */
function findRecords(
  kind: SheetKind,
  { rows, headers: { columns } }: Pick<CountedSheet, "rows" | "headers">,
  { at, recordOfKey }: { at: number; recordOfKey: Map<string, number> },
): ReadonlyMap<number, number> {
  const groups = groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false });
  return new Map(
    groups.flatMap((group) => {
      // Without a number or an order, a record is known by its row.
      const key = isByRow(group) ? `${at} ${group.key}` : group.key;
      const record = recordOfKey.get(key) ?? recordOfKey.size;
      recordOfKey.set(key, record);
      return group.rows.map((row) => [row, record] as const);
    }),
  );
}

/** The column of a sheet that is read like one of the page: of its header, or of its field. */
function findLike(
  { header, repeat, field, guess }: SheetColumn,
  columns: readonly SheetColumn[],
): number | undefined {
  const alike = columns.filter((each) => headerKey(each.header) === headerKey(header));
  const found =
    alike[repeat] ??
    alike[0] ??
    columns.find((each) => each.field !== null && each.field !== "ignore" && each.field === (field ?? guess));
  return found?.index;
}

const readColumn = (rows: readonly SheetRow[], index = -1) =>
  rows.map(({ cells }) => plainNumber(cells[index]));

/** The place of the value of each row among those of a question. */
function placeRows({ of, values }: ColumnMarks, rowMarks: readonly Marks[]): ReadonlyMap<number, number> {
  const own = rowMarks.find((each) => each.of === of)?.values ?? [];
  return new Map(
    own.flatMap(({ value, rows }) => {
      const at = values.findIndex((each) => isSameAnswer(each.value, value));
      return at === -1 ? [] : rows.map((row) => [row, at] as const);
    }),
  );
}
