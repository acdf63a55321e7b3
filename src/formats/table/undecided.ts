import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { type Fixed, FIXED_DECIMALS, formatCents, multiplyToCents, toCents } from "./amounts.ts";
import type { Column } from "./column.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { isDate } from "./dates.ts";
import { amountCents, lineCents, readQuantity, readUnknown } from "./line-amounts.ts";
import { isNothing } from "./placeholders.ts";
import { showCell } from "./texts.ts";

/** A column that may affect what is billed, although it matches no field and no user ignored it. */
export type Undecided = {
  index: number;
  header: string;
  /** Sum of its numbers as text; null for words. */
  sum: string | null;
  samples: string[];
  /** Most likely field. */
  guess: string | null;
  /** Another field that is possible: an amount may be a percentage. */
  orElse?: string;
};

/** A column of a sheet. */
type Unmatched = { index: number; header: string };

const SAMPLES = 3;

/** Columns with more distinct words are names or notes. */
const MAX_KINDS = 12;

/**
 * Finds columns that may affect what is billed: most of their cells are numbers that are not all zero, or
 * their header is a kind or state and their cells are few distinct words. Under the header of a charge one amount among
 * words is enough. Skips columns that only repeat the line amounts or their running total.
 * @param rows data rows, without totals
 */
export function findUndecided(
  kind: SheetKind,
  rows: readonly SheetRow[],
  headers: Pick<Headers, "columns" | "unmatched">,
): Undecided[] {
  const { columns, unmatched } = headers;
  const rules = kind.undecided;
  if (!rules || unmatched.length === 0) return [];
  const amounts = (cells: SheetRow["cells"]) => lineCents(columns, cells);
  return unmatched.flatMap((column): Undecided[] => {
    const key = headerKey(column.header);
    const named = rules.guesses.find(({ headers }) => headers.test(key))?.field ?? null;
    const likely = named === "rate" && !mayBeRate(rows, column, columns) ? null : named;
    const [byWords] = rules.byWords
      .filter(({ headers }) => headers?.test(key) ?? true)
      .filter(({ unless }) => !columns.some(({ field }) => field === unless))
      .flatMap(({ shows, guess }) => {
        const words = findWords(rows, column, shows);
        return words ? [{ ...column, ...words, guess }] : [];
      });
    if (byWords) return [byWords];
    const found = rules.words.test(key)
      ? findWords(rows, column, (words) => !words.every((word) => rules.harmless.test(word)))
      : rules.quiet.test(key) && !rules.notQuiet.test(key)
        ? null
        : findNumbers(rows, column, {
            lineAmount: rules.subtracted.test(key) ? NO_AMOUNTS : amounts,
            isCharge: rules.charges.some((field) => field === likely),
          });
    if (!found) return [];
    const percent = likely === null || /am(?:oun)?t/.test(key) ? undefined : rules.percentages?.of[likely];
    if (percent === undefined || !mayBePercent(rows, column)) return [{ ...column, ...found, guess: likely }];
    const isPercent = [...columns, ...unmatched].some(({ header }) =>
      rules.percentages?.beside.test(headerKey(header)),
    );
    const [guess, orElse] = isPercent ? [percent, likely ?? percent] : [likely, percent];
    return [{ ...column, ...found, guess, orElse }];
  });
}

/** Whether quantities times the numbers of a column are the amounts, at least once, in a sheet that has amounts. */
function mayBeRate(rows: readonly SheetRow[], { index }: Unmatched, columns: readonly Column[]): boolean {
  let [hasAmounts, isProven] = [false, false];
  for (const { cells } of rows) {
    const [amount, cell] = [amountCents(columns, cells), cells[index]];
    if (amount === undefined || isNothing(cell)) continue;
    hasAmounts = true;
    const [qty, rate] = [readQuantity(columns, cells), readUnknown(cell)];
    if (qty === undefined || rate === undefined) continue;
    if (multiplyToCents(qty, rate) !== amount) return false;
    isProven = true;
  }
  return isProven || !hasAmounts;
}

/** Whether no number of a column is above 100 or has a sign. */
const mayBePercent = (rows: readonly SheetRow[], { index }: Unmatched): boolean =>
  rows.every(({ cells }) => {
    const cell = cells[index];
    if (isNothing(cell)) return true;
    const isWritten = typeof cell === "object" || (typeof cell === "string" && /[%$€£]/.test(cell));
    const value = readUnknown(cell);
    return value !== undefined && !isWritten && value >= 0n && value <= HUNDRED;
  });

const HUNDRED = 100n * 10n ** BigInt(FIXED_DECIMALS);

/** A refund of a whole amount repeats it, and means another thing. */
const NO_AMOUNTS = () => undefined;

type Facts = { sum: string | null; samples: string[] };

function findWords(
  rows: readonly SheetRow[],
  { index }: Unmatched,
  shows: (words: readonly string[]) => boolean,
): Facts | null {
  const kinds = new Set<string>();
  for (const { cells } of rows) {
    const cell = cells[index];
    if (isNothing(cell)) continue;
    kinds.add(showCell(cell).trim());
    if (kinds.size > MAX_KINDS) return null;
  }
  if (kinds.size === 0 || !shows([...kinds])) return null;
  return { sum: null, samples: [...kinds].slice(0, SAMPLES) };
}

function findNumbers(
  rows: readonly SheetRow[],
  { index }: Unmatched,
  {
    lineAmount,
    isCharge,
  }: { lineAmount: (cells: SheetRow["cells"]) => bigint | undefined; isCharge: boolean },
): Facts | null {
  const unread = isCharge ? findUnread(rows, index) : [];
  if (unread.length > 0) return { sum: null, samples: unread };
  let [filled, numbers, sum, isZero, isRepeated] = [0, 0, 0n, true, true];
  let before = 0n;
  const samples: string[] = [];
  for (const { cells } of rows) {
    const cell = cells[index];
    if (isNothing(cell)) continue;
    filled += 1;
    const value = readUnknown(cell);
    // Most cells of the column aren't numbers, whatever follows.
    if (value === undefined && !isCharge && filled - numbers > rows.length / 2) return null;
    if (value === undefined) continue;
    numbers += 1;
    sum += shownValue(cell, value);
    if (value === 0n) continue;
    isZero = false;
    if (isRepeated) {
      const [amount, cents] = [lineAmount(cells), toCents(value)];
      isRepeated = amount !== undefined && (cents === amount || cents === before + amount);
      before = cents;
    }
    if (samples.length < SAMPLES) samples.push(showCell(cell));
  }
  if ((!isCharge && numbers <= filled / 2) || isZero || isRepeated) return null;
  return { sum: formatCents(toCents(sum)), samples };
}

/** "10%" adds 10 to a sum. */
const shownValue = (cell: CellValue, value: Fixed): Fixed =>
  typeof cell === "object" && cell.kind === "percent" ? value * 100n : value;

/** Shows what may be money in a column and isn't read as a number. */
const findUnread = (rows: readonly SheetRow[], index: number): string[] =>
  rows
    .flatMap(({ cells }) => {
      const cell = cells[index];
      return isNothing(cell) || readUnknown(cell) !== undefined || !isLikeMoney(cell) ? [] : [showCell(cell)];
    })
    .slice(0, SAMPLES);

/** "10% off", "$5 flat", "3,35 EUR", or a failed formula: money or a percentage that can't be added up. */
const isLikeMoney = (cell: CellValue): boolean =>
  (typeof cell === "object" && cell.kind === "error") ||
  (LIKE_MONEY.test(showCell(cell)) && /[1-9]/.test(showCell(cell)) && !isDate(cell));

const LIKE_MONEY =
  /^[-+(\s]*(?:(?:(?:USD?|EUR|GBP|CAD?|C)\s*)?[$€£]\s*\d.*|(?:(?:USD|EUR|GBP|CAD)\s*)?\d[\d.,\s]*(?:\)\s*)?(?:(?:%|off\b|[$€£]|USD\b|EUR\b|GBP\b|CAD\b).*)?)$/i;
