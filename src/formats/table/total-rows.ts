import type { SheetRow } from "../xlsx/workbook.ts";
import { centsToFixed, formatMoney } from "./amounts.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { headerText, isBlank } from "./header-text.ts";
import type { Column, Headers } from "./headers.ts";
import { amountCents, lineCents } from "./line-amounts.ts";
import { remark, type Problem } from "./problem.ts";

/** A row that is a total of rows above it. `cents` is undefined where it has no amount. */
type TotalRow = { row: SheetRow; cents: bigint | undefined; agrees: boolean };

/** Totals whose money a file's remarks keep, to be shown beside the control totals. */
const MAX_KEPT = 50;

/**
 * Finds rows of totals: those that a label names, and those with nothing but the sum of rows right above them. Such a row
 * can't be a line, which has an item. A total agrees when it is the sum of some rows that end above it.
 */
export function findTotals(
  kind: SheetKind,
  rows: readonly SheetRow[],
  { columns, furtherLines }: Pick<Headers, "columns" | "furtherLines">,
): TotalRow[] {
  const maybe = new Set(rows.filter((row) => isNamed(kind, row, columns) || isBare(kind, row, columns)));
  if (maybe.size === 0) return [];
  let sum = 0n;
  const sums = new Set([sum]);
  return rows.flatMap((row): TotalRow[] => {
    if (maybe.has(row)) {
      const cents = furtherLines.length === 0 ? amountCents(columns, row.cells) : undefined;
      const agrees = cents === undefined || sums.has(sum - cents);
      if (isNamed(kind, row, columns)) return [{ row, cents, agrees }];
      if (cents !== undefined && agrees) return [{ row, cents, agrees }];
    }
    sum += lineCents(columns, row.cells) ?? 0n;
    sums.add(sum);
    return [];
  });
}

/** "Total", "Grand Total", "1001 Total" and figures, and nothing else: never a row of data. */
function isNamed(
  { fields, neverTotal }: SheetKind,
  { cells }: SheetRow,
  columns: readonly Column[],
): boolean {
  const filled = columns.filter(({ index }) => !isBlank(cells[index]));
  const [label, ...more] = filled.filter(({ field }) => !NUMBER_TYPES.has(fields[field]?.type));
  if (label?.field === neverTotal || more.length > 0 || filled.length < (label ? 2 : 1)) return false;
  const isOther = (index: number) => !columns.some((column) => column.index === index);
  const text = label ? cells[label.index] : cells.find((cell, index) => isOther(index) && !isBlank(cell));
  return /^totals? for .|\b(?:sub-?)?totals?\s*:?$/i.test(headerText(text));
}

/** Numbers and nothing else, in a sheet whose lines have a text of their own. */
function isBare({ fields, neverTotal }: SheetKind, { cells }: SheetRow, columns: readonly Column[]): boolean {
  if (!columns.some(({ field }) => field === neverTotal)) return false;
  return columns.every(({ index, field }) => isBlank(cells[index]) || NUMBER_TYPES.has(fields[field]?.type));
}

/** The money of totals, for the receipt, and a warning about each that is no sum of rows above it. */
export function noteTotals(totals: readonly TotalRow[]): Problem[] {
  const priced = totals.flatMap(({ row, cents, agrees }) =>
    cents === undefined || cents === 0n
      ? []
      : [{ row: row.number, amount: formatMoney(centsToFixed(cents)), agrees }],
  );
  const [first] = priced;
  if (!first) return [];
  const kept = priced.slice(0, MAX_KEPT);
  const params = {
    rows: kept.map(({ row }) => row),
    amounts: kept.map(({ amount }) => amount),
    differing: kept.flatMap(({ row, agrees }) => (agrees ? [] : [row])),
  };
  return [
    { ...remark("file_totals", first.row, { params }), severity: "info" },
    ...priced
      .filter(({ agrees }) => !agrees)
      .map(({ row, amount }) => remark("total_row_differs", row, { params: { at: row, amount } })),
  ];
}
