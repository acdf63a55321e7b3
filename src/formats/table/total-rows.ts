import { parseRange } from "../xlsx/merges.ts";
import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { formatCents } from "./amounts.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { headerText, isBlank } from "./header-text.ts";
import type { Column, Headers } from "./headers.ts";
import { amountCents, lineCents, readUnknown } from "./line-amounts.ts";
import { remark, type Problem } from "./problem.ts";

/**
 * A row that is a total of rows above it. `cents` is undefined where it has no amount. `sum`: of all rows above it, or of
 * those since the total before, whichever is nearer.
 */
type TotalRow = { row: SheetRow; cents: bigint | undefined; agrees: boolean; sum: bigint };

/** Totals whose money a file's remarks keep, to be shown beside the control totals. */
const MAX_KEPT = 50;

/**
 * Finds rows of totals: those that a label names, and those with nothing but the sum of rows right above them. Such a row
 * can't be a line, which has an item. A total agrees when it is the sum of some rows that end above it.
 */
export function findTotals(
  kind: SheetKind,
  rows: readonly SheetRow[],
  {
    columns,
    furtherLines,
    merges,
  }: Pick<Headers, "columns" | "furtherLines"> & { merges: readonly string[] },
): TotalRow[] {
  const isTotal = testForTotals(kind, columns, merges);
  const maybe = new Map(
    rows.flatMap((row) => {
      const is = isTotal(row);
      return is ? [[row, is] as const] : [];
    }),
  );
  if (maybe.size === 0) return [];
  let sum = 0n;
  let sumBefore = 0n;
  const sums = new Set([sum]);
  return rows.flatMap((row): TotalRow[] => {
    const is = maybe.get(row);
    if (is) {
      const cents = furtherLines.length === 0 ? amountCents(columns, row.cells) : undefined;
      const agrees = cents === undefined || sums.has(sum - cents);
      if (is === "named" || (cents !== undefined && agrees)) {
        const part = sum - sumBefore;
        sumBefore = sum;
        const isPart = cents !== undefined && distance(cents, part) < distance(cents, sum);
        return [{ row, cents, agrees, sum: isPart ? part : sum }];
      }
    }
    sum += lineCents(columns, row.cells) ?? 0n;
    sums.add(sum);
    return [];
  });
}

const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);

const TOTAL = /^totals? for .|\b(?:sub-?)?totals?\s*:?$/i;

/** Most texts are decided before they are normalized. */
const isTotalText = (cell: CellValue | undefined): boolean =>
  typeof cell === "string" && /total/i.test(cell) && TOTAL.test(headerText(cell));

/** `bare`: only if its amount is the sum of rows above. */
type IsTotal = (row: SheetRow) => "named" | "bare" | null;

/**
 * Recognizes rows of "Total", "Grand Total", "1001 Total" and figures, and nothing else, and rows of figures alone in a sheet
 * whose lines have a text of their own. Most rows are decided by their first two texts.
 */
function testForTotals(
  { fields, neverTotal }: SheetKind,
  columns: readonly Column[],
  merges: readonly string[],
): IsTotal {
  const isNumber = ({ field }: Column) => NUMBER_TYPES.has(fields[field]?.type);
  const [numbers, texts] = [columns.filter(isNumber), columns.filter((column) => !isNumber(column))];
  const known = new Set(columns.map(({ index }) => index));
  const canBeBare = columns.some(({ field }) => field === neverTotal);
  // A row below the first one of merged texts has them, too.
  const covers = merges
    .flatMap((reference) => parseRange(reference) ?? [])
    .filter(({ left, right }) => texts.some(({ index }) => left <= index && index <= right));
  const isCovered = (row: number) => covers.some(({ top, bottom }) => top < row && row <= bottom);
  return ({ number, cells }) => {
    let label: Column | undefined;
    // Reports repeat the number and the day of an invoice beside "Invoice Total" in the column of items.
    const item = texts.find(({ field }) => field === neverTotal);
    if (item && isTotalText(cells[item.index])) return "bare";
    for (const column of texts) {
      if (isBlank(cells[column.index])) continue;
      if (label) return null;
      label = column;
    }
    const hasNumber = numbers.some(({ index }) => !isBlank(cells[index]));
    const hasOther = () =>
      cells.some((cell, index) => !known.has(index) && cell !== undefined && readUnknown(cell) !== undefined);
    if (label)
      return label.field !== neverTotal && (hasNumber || hasOther()) && isTotalText(cells[label.index])
        ? "named"
        : null;
    const text = cells.find((cell, index) => !known.has(index) && !isBlank(cell));
    if (hasNumber && isTotalText(text)) return "named";
    return canBeBare && !isCovered(number) ? "bare" : null;
  };
}

/** The money of totals, for the receipt, and a warning about each that isn't a sum of rows above it. */
export function noteTotals(totals: readonly TotalRow[]): Problem[] {
  const priced = totals.flatMap(({ row, cents, agrees, sum }) =>
    cents === undefined || cents === 0n
      ? []
      : [
          {
            row: row.number,
            amount: formatCents(cents),
            agrees,
            sum: formatCents(sum),
            difference: sum - cents,
          },
        ],
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
      .map(({ row, amount, sum, difference }) =>
        remark("total_row_differs", row, {
          params: {
            at: row,
            amount,
            sum,
            by: formatCents(distance(difference, 0n)),
            isMore: difference > 0n,
          },
        }),
      ),
  ];
}
