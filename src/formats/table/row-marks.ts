import { shorten, toRanges } from "../text/phrases.ts";
import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { centsToFixed, formatMoney } from "./amounts.ts";
import type { ColumnChoices } from "./column.ts";
import type { Layout, SheetKind } from "./define-sheet.ts";
import { isDate } from "./dates.ts";
import { headerKey } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { BILLED, isRowMarkKey, layoutKey, LEFT_OUT, rowMarkKey, toQuestion } from "./row-mark-keys.ts";
import { lineCents, ONE, readQuantity } from "./line-amounts.ts";
import { isNothing } from "./placeholders.ts";
import { remark, type Problem } from "./problem.ts";
import { groupTable } from "./records.ts";
import { findReplaced } from "./revisions.ts";
import {
  AS_ANSWERED,
  AS_FILLED_BEFORE,
  AS_LINE,
  AS_NOTED,
  AS_REPLACED,
  AS_TICKED,
  BILLED_BEFORE,
  BY_FILLING,
  CANCELED,
  COUNTED,
  isDigit,
  MAX_WORD,
  NO,
  RULES,
  type Rule,
  YES,
} from "./row-mark-rules.ts";
import { cleanText, showCell } from "./texts.ts";

/**
 * Rows that must not be billed, marked by the values of columns that no field matches: by names alone, every export with a
 * new header would be billed in full.
 */
export type ColumnMarks = {
  /** Null for the rows that are hidden in the sheet. */
  index: number | null;
  header: string;
  /** Identifies it in a choice, with the layout of its sheet. */
  of: string;
  /** In the order of the sheet. */
  values: MarkedValue[];
};

/**
 * `isBilled`: a user's answer; null if there is none. `guess`: whether rows with the value are most likely billed; null if
 * only a user knows. `isAsked`: a user must say it, whatever the guess.
 */
export type MarkedValue = {
  /** As written; for a column that is filled or not, `FILLED` or `BLANK`. */
  value: string;
  rows: number[];
  /** Undefined if no row has a readable amount. */
  cents: bigint | undefined;
  isBilled: boolean | null;
  guess: boolean | null;
  isAsked: boolean;
};

/** Values of a column in which it only counts whether a cell is filled, and of the hidden rows. */
export const FILLED = "filled";
export const BLANK = "blank";
export const HIDDEN = "hidden";

/** Columns with more distinct words are names or notes. */
const MAX_WORDS = 12;

type MarkedSheet = { sheet: Sheet; rows: readonly SheetRow[]; headers: Headers; layout: Layout | null };

/** The key of the answer for a value of a column. */
type MakeKey = (header: string, value: string) => string;

/**
 * Finds the columns whose values mark rows as not to be billed, and the hidden rows, with the answers that users gave.
 * @param rows data rows, without totals
 * @param layout the known export that the sheet is; answers count for its layout only
 */
export function findRowMarks(
  kind: SheetKind,
  { sheet, rows, headers, layout: known }: MarkedSheet,
  chosen?: ColumnChoices,
): ColumnMarks[] {
  const { rowMarks: described } = kind;
  if (!described) return [];
  const { row, columns, unmatched, ignored } = headers;
  const layout = known?.name ?? layoutKey(kind, sheet.rows.find(({ number }) => number === row)?.cells ?? []);
  const records = recordsIn(kind, rows, columns);
  const answers = [...(chosen ?? [])].filter(([key]) => isRowMarkKey(key));
  const leftOut = answers.flatMap(([key, said]) => (said === LEFT_OUT ? [key] : []));
  const makeKey: MakeKey = (header, value) => rowMarkKey(toQuestion(layout, header), value);
  const isKnown = isAllAnswered(
    rows,
    answers.map(([key]) => key),
    makeKey,
  );
  const withRule = ({ index, header }: { index: number; header: string }, held?: RegExp) => {
    const rule =
      findRule(rows, { index, key: headerKey(header), records }, held) ??
      (!held && hasNoted(rows, { index, rule: AS_NOTED }, columns) ? AS_NOTED : null) ??
      (hasAnswer(rows, { index, key: (value) => makeKey(header, value) }, leftOut) ||
      isKnown({ index, header })
        ? AS_ANSWERED
        : null) ??
      ([FILLED, BLANK].some((value) => leftOut.includes(makeKey(header, value))) ? AS_FILLED_BEFORE : null);
    if (rule) return [{ index, header, rule }];
    const replaced = held ? null : findReplaced(kind, rows, { index, header, columns, records });
    return replaced ? [{ index, header, rule: AS_REPLACED, replaced }] : [];
  };
  const withNotes = (fields: readonly string[], rule: Rule) =>
    columns
      .filter(({ index, field }) => fields.includes(field) && hasNoted(rows, { index, rule }, columns))
      .map(({ index, header }) => ({ index, header, rule }));
  const found: { index: number; header: string; rule: Rule; replaced?: Map<number, string> }[] = [
    // Includes columns that a user ignored: that a column means nothing doesn't say that its voided rows are billed.
    ...[...unmatched, ...ignored].flatMap((column) => withRule(column)),
    // A column of states is read; only words that it doesn't hold back by itself are asked about.
    ...columns
      .filter(({ field }) => field === described.field)
      .flatMap((column) => withRule(column, described.held)),
    ...withNotes(described.lines, AS_LINE),
    ...withNotes(described.notes, AS_NOTED),
  ];
  const hidden = rows.filter((row) => row.hidden);
  if (found.length === 0 && hidden.length === 0) return [];
  const cents = new Map(rows.map(({ number, cells }) => [number, lineCents(columns, cells)]));
  const answer = (key: string): boolean | null => {
    const said = chosen?.get(key);
    return said === undefined ? null : said === BILLED;
  };
  const toValue = (
    value: string,
    those: readonly SheetRow[],
    { header, rule }: { header: string; rule: Pick<Rule, "marks" | "asks"> },
  ): MarkedValue => ({
    value,
    rows: those.map(({ number }) => number),
    cents: sum(those.map(({ number }) => cents.get(number))),
    isBilled: answer(makeKey(header, value)),
    ...(mayBeCount(columns, those, { header, value })
      ? ONLY_USER_KNOWS
      : guessBilled(readTick(value, headerKey(header)), rule)),
  });
  const asked = found.map(({ index, header, rule, replaced }): ColumnMarks => {
    const words = replaced ?? readDown(rows, { index, ...rule }, records());
    // "VOID" and "Void" are one answer.
    const groups = Map.groupBy(
      rows.filter(({ number }) => words.has(number)),
      ({ number }) => words.get(number)?.toLowerCase() ?? "",
    );
    const written = ([first]: readonly SheetRow[]) => words.get(first?.number ?? 0) ?? "";
    return {
      index,
      header,
      of: toQuestion(layout, header),
      values: [...groups.values()]
        .map((those) => ({ value: written(those), those }))
        .map(({ value, those }) => toValue(value, those, { header, rule }))
        .filter(
          ({ isBilled, isAsked }) => (!rule.ifAnswered || isBilled !== null) && (!rule.ofMarked || isAsked),
        ),
    };
  });
  if (hidden.length === 0) return asked;
  const values = [toValue(HIDDEN, hidden, { header: "", rule: { marks: () => true } })];
  return [...asked, { index: null, header: "", of: toQuestion(layout, ""), values }];
}

/** Whether a value that a user must decide has no answer. */
export const isOpen = ({ values }: ColumnMarks): boolean => values.some(isOpenValue);

export const isOpenValue = ({ isBilled, isAsked }: MarkedValue): boolean => isBilled === null && isAsked;

/** Rows that are not billed: as answered, else as the values say. */
export function rowsLeftOut(rowMarks: readonly ColumnMarks[]): ReadonlySet<number> {
  return new Set(
    rowMarks.flatMap(({ values }) => values.flatMap((value) => (isLeftOut(value) ? value.rows : []))),
  );
}

const ONLY_USER_KNOWS = { guess: null, isAsked: true };

/** "BO" under "B/O" is a tick. */
const readTick = (word: string, key: string): string => (headerKey(word) === key ? "x" : word);

/** Whether a 1 may count pieces of the row, beside a quantity of several. */
const mayBeCount = (
  columns: Headers["columns"],
  rows: readonly SheetRow[],
  { header, value }: { header: string; value: string },
): boolean =>
  value === "1" &&
  COUNTED.test(headerKey(header)) &&
  rows.some(({ cells }) => (readQuantity(columns, cells) ?? ONE) !== ONE);

/** A word that no rule knows may say either, so nothing is proposed. */
function guessBilled(value: string, { marks, asks }: Pick<Rule, "marks" | "asks">) {
  if (marks(value)) return { guess: false, isAsked: true };
  return asks?.(value) ? ONLY_USER_KNOWS : { guess: true, isAsked: false };
}

const isLeftOut = ({ isBilled, guess }: MarkedValue): boolean => (isBilled ?? guess) === false;

/** Says which rows are not billed because of a value, and their money. */
export function noteLeftOut(rowMarks: readonly ColumnMarks[], headerRow: number): Problem[] {
  return rowMarks.flatMap(({ index, header, of, values }) =>
    values.filter(isLeftOut).map(({ value, rows, cents }) =>
      remark("rows_not_billed", rows[0] ?? headerRow, {
        column: index,
        value: shorten(value),
        params: {
          header,
          of,
          count: rows.length,
          ranges: toRanges(rows),
          amount: cents === undefined ? null : formatMoney(centsToFixed(cents)),
        },
      }),
    ),
  );
}

type RuleOf = { index: number; key: string; records: () => Records };

/** Decides whether the values of a column mark rows, and how. @param held values that are held back anyway */
function findRule(rows: readonly SheetRow[], column: RuleOf, held?: RegExp): Rule | null {
  const found = BY_FILLING.test(column.key) ? "filling" : wordsIn(rows, column.index);
  if (typeof found === "string") return findRuleOfFilling(rows, column, found);
  const words = found.map((word) => readTick(word, column.key));
  const open = held ? words.filter((word) => !held.test(word)) : words;
  const isOfAll = () => readDown(rows, column, column.records()).size === rows.length;
  const rule = chooseRule(column.key, open, isOfAll);
  const [tick = ""] = open;
  if (rule?.ifTicked && open.length === 1 && YES.test(tick) && !isDigit(tick) && !isOfAll()) return AS_TICKED;
  // One digit in all rows may count anything, but under "Void" a 1 says it of all.
  if (words.length < 2 && words.every((word) => isDigit(word) && (word === "0" || !rule?.headers)))
    return null;
  return rule && open.some((word) => rule.marks(word) || (words.length > 1 && rule.asks?.(word)))
    ? rule
    : null;
}

function findRuleOfFilling(
  rows: readonly SheetRow[],
  { index, key, records }: RuleOf,
  words: "filling" | "dates" | "others",
): Rule | null {
  const ifFilled: Rule = { marks: (value) => value === FILLED, byFilling: true };
  if (BILLED_BEFORE.test(key) && words === "dates") {
    const filled = [...readDown(rows, { index, byFilling: true }, records()).values()];
    return filled.includes(FILLED) && filled.includes(BLANK) ? ifFilled : null;
  }
  const isOfFilling = words === "filling" || (words === "dates" && CANCELED.test(key));
  return isOfFilling && rows.some(({ cells }) => !isNothing(cells[index])) ? ifFilled : null;
}

function chooseRule(key: string, words: readonly string[], isOfAll: () => boolean): Rule | undefined {
  const isYesOrNo = words.every((word) => YES.test(word) || NO.test(word)) && !words.some(isDigit);
  const isMixed = () => isYesOrNo && (words.some((word) => YES.test(word)) || !isOfAll());
  return RULES.find(
    ({ headers, ofWords, ifMixed }) =>
      (headers?.test(key) ?? true) &&
      (ofWords === undefined || (words.length > 1 && words.every((word) => ofWords.test(word)))) &&
      (ifMixed === undefined || isMixed()),
  );
}

/** Whether a note marks a row that has an amount; programs print voided rows with zeros. */
const hasNoted = (
  rows: readonly SheetRow[],
  { index, rule }: { index: number; rule: Rule },
  columns: Headers["columns"],
): boolean =>
  rows.some(({ cells }) => {
    const cell = cells[index];
    return (
      typeof cell === "string" &&
      (rule.marks(cell) || rule.asks?.(cell) === true) &&
      (lineCents(columns, cells) ?? 0n) !== 0n
    );
  });

/** Whether a column has a value with one of some answers. */
function hasAnswer(
  rows: readonly SheetRow[],
  { index, key }: { index: number; key: (value: string) => string },
  answers: readonly string[],
): boolean {
  const own = new Set(answers.filter((each) => each.startsWith(key(""))));
  return (
    own.size > 0 &&
    rows.some(({ cells }) => {
      const cell = cells[index];
      return !isNothing(cell) && own.has(key(cleanText(showCell(cell))));
    })
  );
}

/** Whether each value of a column has an answer. */
const isAllAnswered =
  (rows: readonly SheetRow[], answers: readonly string[], makeKey: MakeKey) =>
  ({ index, header }: { index: number; header: string }): boolean => {
    const own = new Set(answers.filter((key) => key.startsWith(makeKey(header, ""))));
    const words = own.size > 0 ? wordsIn(rows, index) : [];
    return (
      typeof words !== "string" && words.length > 0 && words.every((word) => own.has(makeKey(header, word)))
    );
  };

/** The few words of a column; else what it has in their place. */
function wordsIn(rows: readonly SheetRow[], index: number): readonly string[] | "dates" | "others" {
  const seen = new Set<string | boolean>();
  const words = new Set<string>();
  let dates = 0;
  for (const { cells } of rows) {
    const cell = cells[index];
    if (isNothing(cell)) continue;
    if (isDate(cell)) dates += 1;
    else if (typeof cell === "object" || (typeof cell === "number" && cell !== 0 && cell !== 1))
      return "others";
    else if (typeof cell === "number" || !seen.has(cell)) {
      if (typeof cell !== "number") seen.add(cell);
      const word = cleanText(showCell(cell));
      if (word.length > MAX_WORD || (NUMBER.test(word) && !isDigit(word))) return "others";
      words.add(word);
      if (words.size > MAX_WORDS) return "others";
    }
  }
  if (dates > 0) return words.size === 0 ? "dates" : "others";
  return [...words];
}

const NUMBER = /^[-+(]?[$€£]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)\)?%?$/;

/** The first row of the record of each row. */
type Records = ReadonlyMap<number, number>;

/** Forms the records once, and only for sheets that need it. */
function recordsIn(kind: SheetKind, rows: readonly SheetRow[], columns: Headers["columns"]): () => Records {
  let known: Records | undefined;
  const read = (): Records => {
    if (!kind.grouping) return new Map();
    const groups = groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false });
    return new Map(groups.flatMap((group) => group.rows.map((row) => [row, group.rows[0] ?? row] as const)));
  };
  return () => (known ??= read());
}

/**
 * The value of each row. In a column that only first rows of records have, it is the value of the record; exports of shops
 * write their states that way. Rows without one are left out.
 */
function readDown(
  rows: readonly SheetRow[],
  { index, byFilling, ofOwnRow }: { index: number } & Pick<Rule, "byFilling" | "ofOwnRow">,
  records: Records,
): Map<number, string> {
  const found = new Map<number, string>();
  for (const { number, cells } of rows) {
    const cell = cells[index];
    if (!isNothing(cell)) found.set(number, byFilling ? FILLED : cleanText(showCell(cell)));
  }
  const isOfRecord = [...found.keys()].every((row) => (records.get(row) ?? row) === row);
  for (const { number } of rows) {
    if (found.has(number)) continue;
    const value = (isOfRecord && found.get(records.get(number) ?? number)) || (byFilling ? BLANK : undefined);
    if (value !== undefined && !ofOwnRow?.(value)) found.set(number, value);
  }
  return found;
}

function sum(cents: readonly (bigint | undefined)[]): bigint | undefined {
  const known = cents.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.reduce((all, each) => all + each, 0n);
}
