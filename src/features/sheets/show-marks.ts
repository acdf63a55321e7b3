import type { ColumnMarks, MarkedRows } from "#features/sheets/contract.ts";
import type { describeRows } from "#features/sheets/example-rows.ts";
import { formatCents } from "#formats/table/amounts.ts";
import type { Layout } from "#formats/table/define-sheet.ts";
import { isAddedHeader } from "#formats/table/header-text.ts";
import { addMarkedRows } from "#formats/table/marked-rows.ts";
import type { ColumnMarks as Marks, MarkedValue } from "#formats/table/row-marks.ts";
import { joinList, rangesText, shorten, toRanges } from "#formats/text/phrases.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";

/** Names the files that an answer counts for, by as many headers as have room. */
export function filesLike(layout: Layout | null, columns: readonly { header: string }[]): string {
  if (layout) return layout.title;
  const names = columns.flatMap(({ header }) => (isAddedHeader(header) ? [] : shorten(header)));
  const shown = names.filter((_, at) => names.slice(0, at + 1).join(", ").length <= MAX_NAMES_LENGTH);
  const more = names.length - shown.length;
  return more > 0 ? joinList([...shown, `${more} more`]) : shown.join(", ");
}

const MAX_NAMES_LENGTH = 120;

/** Describes rows of a sheet, by their numbers and the place of the column in question. */
export type ShowRows = ReturnType<typeof describeRows>;

export const toColumnMarks = (
  { index, header, of, values }: Marks,
  showRows: ShowRows | undefined,
  files: string,
): ColumnMarks => ({
  of,
  files_like: files,
  column: index === null ? null : columnName(index),
  header,
  values: values.map((found) => ({
    value: found.value,
    ...toMarkedRows(found, index, showRows),
    by_sheet: [],
    is_billed: found.isBilled,
    guess: found.guess,
  })),
});

const toMarkedRows = (
  { rows, cents, isAsked }: MarkedValue,
  index: number | null,
  showRows: ShowRows | undefined,
): MarkedRows => ({
  rows: rangesText(toRanges(rows)),
  count: rows.length,
  amount: cents === undefined ? null : formatCents(cents),
  examples: (isAsked && showRows?.(rows, index)) || [],
});

/** Whether one answer counts for both values. */
export const isSameAnswer = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

/** Adds the values that only another sheet has. */
export function addValues(before: ColumnMarks | undefined, column: ColumnMarks): ColumnMarks {
  const isNew = ({ value }: Value) =>
    before?.values.every((known) => !isSameAnswer(known.value, value)) ?? true;
  return { ...(before ?? column), values: [...(before?.values ?? []), ...column.values.filter(isNew)] };
}

type Value = ColumnMarks["values"][number];

/** A sheet with its rows by their values; the first one is that of the page, and its rows need no name. */
type MarkedSheet = { sheet: string; rowMarks: readonly Marks[]; showRows: ShowRows };

/** Counts the rows of each value, and their money, in all sheets for which its answer counts. */
export const countInAll = (column: ColumnMarks, sheets: readonly MarkedSheet[]): ColumnMarks => ({
  ...column,
  values: column.values.map((value) => {
    const bySheet = sheets.flatMap(({ sheet, rowMarks, showRows }, at) =>
      rowMarks
        .filter(({ of }) => of === column.of)
        .flatMap(({ index, values }) =>
          values
            .filter((each) => isSameAnswer(each.value, value.value))
            .map((each) => toMarkedRows(each, index, showRows)),
        )
        .map((found) => ({ sheet, ...(at === 0 ? found : onSheet(sheet, found)) })),
    );
    return bySheet.length === 0 ? value : { ...value, ...addMarkedRows(bySheet), by_sheet: bySheet };
  }),
});

const onSheet = (sheet: string, found: MarkedRows): MarkedRows => ({
  ...found,
  rows: `${sheet}!${found.rows}`,
  examples: found.examples.map((example) => ({ ...example, row: `${sheet}!${example.row}` })),
});
