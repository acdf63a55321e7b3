import type { ColumnMarks } from "#features/sheets/contract.ts";
import type { describeRows } from "#features/sheets/example-rows.ts";
import { centsToFixed, formatMoney } from "#formats/table/amounts.ts";
import type { Layout } from "#formats/table/define-sheet.ts";
import { isAddedHeader } from "#formats/table/header-text.ts";
import type { ColumnMarks as Marks } from "#formats/table/row-marks.ts";
import { rangesText, shorten, toRanges } from "#formats/text/phrases.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";

/** Names the files that an answer counts for, by as many headers as have room. */
export function likeText(layout: Layout | null, columns: readonly { header: string }[]): string {
  if (layout) return layout.title;
  const names = columns.flatMap(({ header }) => (isAddedHeader(header) ? [] : shorten(header)));
  const shown = names.filter((_, at) => names.slice(0, at + 1).join(", ").length <= MAX_LIKE);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

const MAX_LIKE = 120;

export const toColumnMarks = (
  { index, header, of, values }: Marks,
  showRows: ReturnType<typeof describeRows> | undefined,
  like: string,
): ColumnMarks => ({
  of,
  like,
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
