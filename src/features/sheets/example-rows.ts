import { formatCents } from "#formats/table/amounts.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { isBlank } from "#formats/table/header-text.ts";
import type { Headers } from "#formats/table/headers.ts";
import { lineCents, readNumber } from "#formats/table/line-amounts.ts";
import { MAX_EXAMPLES } from "#formats/table/marked-rows.ts";
import { showTime } from "#formats/table/times.ts";
import { shorten } from "#formats/text/phrases.ts";
import type { CellValue, Sheet } from "#formats/xlsx/workbook.ts";
import type { ExampleRow } from "#features/sheets/contract.ts";

/** Shows the first rows that a question speaks of: the cell in question, what identifies the row, and its amount. */
export function describeRows(kind: SheetKind, sheet: Sheet, headers: Headers) {
  const { grouping, lineBy } = kind;
  const identifying = [grouping?.key, ...(grouping?.starts ?? []), lineBy];
  const shownColumns = headers.columns.filter(({ field }) => identifying.includes(field));
  let rowByNumber: ReadonlyMap<number, Sheet["rows"][number]> | undefined;
  return (rows: readonly number[], index: number | null): ExampleRow[] => {
    const cellsOf = (rowByNumber ??= new Map(sheet.rows.map((row) => [row.number, row])));
    return rows.slice(0, MAX_EXAMPLES).map((number) => {
      const cells = cellsOf.get(number)?.cells ?? [];
      const cents = lineCents(headers.columns, cells);
      const shown = [index, ...shownColumns.map((column) => column.index)].flatMap((at) =>
        showText(cells[at ?? -1]),
      );
      return {
        row: String(number),
        texts: cents === undefined ? shown : [...shown, formatCents(cents)],
      };
    });
  };
}

const showText = (cell: CellValue | undefined): string[] =>
  cell === undefined || isBlank(cell) ? [] : [shorten(showTime(cell))];

/** The rows below the headers in which a column says something: zeros don't. */
export const rowsWith = (sheet: Sheet, { row }: Headers, index: number): number[] =>
  sheet.rows.flatMap(({ number, cells }) => {
    const cell = cells[index];
    return number <= row || cell === undefined || isBlank(cell) || readNumber(cell) === 0n ? [] : [number];
  });
