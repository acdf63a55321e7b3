import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import type { Column, ColumnChoices } from "./column.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, headerText, timeHeader } from "./header-text.ts";
import { findHeaders } from "./headers.ts";
import { ownColumn, withCell } from "./headings.ts";
import { groupTable, isByRow } from "./records.ts";
import { readTime, timeField } from "./times.ts";

/**
 * Adds a column of the times in a column of dates, which are read as days: rows of one day that would become one record
 * although their times differ are asked about. An answer counts for sheets without times too, so that all sheets of a
 * file have the same columns.
 */
export function addTimes<F extends string>(
  kind: SheetKind<F>,
  sheet: Sheet,
  chosen: ColumnChoices | undefined,
): Sheet {
  const headers = timeField(kind) === undefined ? undefined : findHeaders(kind, sheet, chosen);
  const written = sheet.rows.find(({ number }) => number === headers?.row);
  if (!headers || !written) return sheet;
  const keys = new Set(written.cells.map((cell) => headerKey(headerText(cell))));
  const rows = sheet.rows.filter(({ number }) => number > headers.row);
  const added = headers.columns
    .filter(({ field }) => kind.fields[field].type === "date" && kind.fields[field].level === undefined)
    .map(({ index, header }) => ({ index, header: timeHeader(header) }))
    .filter(
      ({ index, header }) =>
        !keys.has(headerKey(header)) &&
        (chosen?.has(headerKey(header)) || differWithin(kind, rows, { index, columns: headers.columns })),
    );
  if (added.length === 0) return sheet;
  const width = sheet.rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  return {
    ...sheet,
    formedOf: new Map([
      ...(sheet.formedOf ?? []),
      ...added.map(({ index }, at) => [width + at, ownColumn(sheet, index)] as const),
    ]),
    rows: sheet.rows.map((row) =>
      row.number < headers.row
        ? row
        : added.reduce((line, { index, header }, at) => {
            const time = row === written ? header : readTime(row.cells[index] ?? "");
            return time === undefined ? line : withCell(line, width + at, time);
          }, row),
    ),
  };
}

/** Whether rows that would become one record have different times in a column of dates. */
function differWithin<F extends string>(
  kind: SheetKind<F>,
  rows: readonly SheetRow[],
  { index, columns }: { index: number; columns: readonly Column<F>[] },
): boolean {
  const times = new Map(
    rows.flatMap(({ number, cells }) => {
      const time = readTime(cells[index] ?? "");
      return time === undefined ? [] : [[number, time] as const];
    }),
  );
  return (
    times.size > 1 &&
    groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false }).some(
      (group) => isByRow(group) && new Set(group.rows.flatMap((row) => times.get(row) ?? [])).size > 1,
    )
  );
}
