import type { ColumnMarks } from "#features/sheets/contract.ts";
import type { describeRows } from "#features/sheets/example-rows.ts";
import { centsToFixed, formatMoney } from "#formats/table/amounts.ts";
import type { Layout } from "#formats/table/define-sheet.ts";
import { isAddedHeader } from "#formats/table/header-text.ts";
import type { ColumnMarks as Marks } from "#formats/table/row-marks.ts";
import { rangesText, shorten, toRanges } from "#formats/text/phrases.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";

/** Names the files that an answer counts for, by as many headers as have room. */
export function filesLike(layout: Layout | null, columns: readonly { header: string }[]): string {
  if (layout) return layout.title;
  const names = columns.flatMap(({ header }) => (isAddedHeader(header) ? [] : shorten(header)));
  const shown = names.filter((_, at) => names.slice(0, at + 1).join(", ").length <= MAX_NAMES_LENGTH);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

const MAX_NAMES_LENGTH = 120;

export const toColumnMarks = (
  { index, header, of, values }: Marks,
  showRows: ReturnType<typeof describeRows> | undefined,
  files: string,
): ColumnMarks => ({
  of,
  files_like: files,
  column: index === null ? null : columnName(index),
  header,
  values: values.map(({ value, rows, cents, isBilled, guess, isAsked }) => ({
    value,
    examples: (isAsked && showRows?.(rows, index)) || [],
    rows: rangesText(toRanges(rows)),
    count: rows.length,
    amount: cents === undefined ? null : formatMoney(centsToFixed(cents)),
    is_billed: isBilled,
    guess,
  })),
});

/** Whether one answer counts for both values. */
export const isSameAnswer = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

/** Adds values that only another sheet has, with the name of that sheet. */
export function addValues(before: ColumnMarks | undefined, column: ColumnMarks, sheet: string): ColumnMarks {
  const isNew = ({ value }: Value) =>
    before?.values.every((known) => !isSameAnswer(known.value, value)) ?? true;
  const values = column.values.filter(isNew).map((value) => ({
    ...value,
    examples: value.examples.map((example) => ({ ...example, row: `${sheet}!${example.row}` })),
  }));
  return { ...(before ?? column), values: [...(before?.values ?? []), ...values] };
}

type Value = ColumnMarks["values"][number];

/** A sheet with its rows by their values; the first one is that of the page, and its rows need no name. */
type MarkedSheet = { sheet: string; rowMarks: readonly Marks[] };

/** Counts the rows of each value, and their money, in all sheets for which its answer counts. */
export const countInAll = (column: ColumnMarks, sheets: readonly MarkedSheet[]): ColumnMarks => ({
  ...column,
  values: column.values.map((value) => {
    const found = sheets.flatMap(({ sheet, rowMarks }, at) =>
      rowMarks
        .filter(({ of }) => of === column.of)
        .flatMap(({ values }) => values.filter((each) => isSameAnswer(each.value, value.value)))
        .map(({ rows, cents }) => ({ rows, cents, prefix: at === 0 ? "" : `${sheet}!` })),
    );
    if (found.length === 0) return value;
    const cents = found.flatMap((each) => each.cents ?? []);
    return {
      ...value,
      rows: found.map(({ rows, prefix }) => `${prefix}${rangesText(toRanges(rows))}`).join(", "),
      count: found.reduce((sum, { rows }) => sum + rows.length, 0),
      amount:
        cents.length === 0 ? null : formatMoney(centsToFixed(cents.reduce((sum, each) => sum + each, 0n))),
    };
  }),
});
