import { shorten, toRanges } from "../text/phrases.ts";
import { columnName } from "../xlsx/cell-names.ts";
import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { formatCents } from "./amounts.ts";
import type { ColumnChoices } from "./column.ts";
import type { Layout, SheetKind } from "./define-sheet.ts";
import { headerKey, isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { BILLED, isRowMarkKey, layoutKey, LEFT_OUT, rowMarkKey, toQuestion } from "./row-mark-keys.ts";
import { lineCents, ONE, readQuantity } from "./line-amounts.ts";
import { isNothing } from "./placeholders.ts";
import { remark, type Problem } from "./problem.ts";
import { findReplaced } from "./revisions.ts";
import {
  AS_ANSWERED,
  AS_FILLED_BEFORE,
  AS_LINE,
  AS_NOTED,
  AS_REPLACED,
  AS_TICKED,
  BLANK,
  BY_FILLING,
  CANCELED,
  COUNTED,
  FILLED,
  IF_FILLED,
  isDigit,
  isNotBilled,
  MAX_WORD,
  NO,
  RULES,
  PARTIAL_COLUMN_RULES,
  type Rule,
  YES,
} from "./row-mark-rules.ts";
import { findNameless, readDown, recordsIn, type Records, wordsIn } from "./row-words.ts";
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

/** Value of the hidden rows. */
export const HIDDEN = "hidden";

type MarkedSheet = {
  sheet: Sheet;
  rows: readonly SheetRow[];
  headers: Headers;
  layout: Layout | null;
  /** Whether other sheets are read with it. */
  isOfSeveral: boolean;
};

/** The key of the answer for a value of a column. */
type MakeKey = (header: string, value: string) => string;

/**
 * Finds the columns whose values mark rows as not to be billed, and the hidden rows, with the answers that users gave.
 * @param rows data rows, without totals
 * @param layout the known export that the sheet is; answers count for its layout only
 */
export function findRowMarks(
  kind: SheetKind,
  { sheet, rows, headers, layout: known, isOfSeveral }: MarkedSheet,
  chosen?: ColumnChoices,
): ColumnMarks[] {
  const { rowMarks: described } = kind;
  if (!described) return [];
  const { row, columns, unmatched, ignored } = headers;
  const written = sheet.rows.find(({ number }) => number === row)?.cells ?? [];
  const layout = known?.name ?? layoutKey(kind, written);
  // Users write "VOID" next to a row, in a column without a header.
  const nameless = findNameless(rows, written).map((index) => ({
    index,
    header: `Column ${columnName(index)}`,
  }));
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
    ...[...unmatched, ...ignored, ...nameless].flatMap((column) => withRule(column)),
    // A column of states is read; only words that it doesn't hold back by itself are asked about.
    ...columns
      .filter(({ field }) => field === described.field)
      .flatMap((column) => withRule(column, described.held)),
    ...withNotes(described.lines, AS_LINE),
    ...withNotes(described.notes, AS_NOTED),
  ];
  const hidden = rows.filter((row) => row.hidden);
  const places = [
    ...(isOfSeveral && isNotBilled(sheet.name) ? [{ header: SHEET, value: sheet.name, those: rows }] : []),
    ...findSections(rows, { columns, described }),
  ];
  if (found.length === 0 && hidden.length === 0 && places.length === 0) return [];
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
  const ofPlace = (header: string, values: MarkedValue[]): ColumnMarks[] =>
    values.length > 0 ? [{ index: null, header, of: toQuestion(layout, header), values }] : [];
  const inPlaces = [SHEET, HEADING].flatMap((header) => {
    const here = places.filter((place) => place.header === header);
    const rule = { marks: () => header === HEADING, asks: () => true };
    return ofPlace(
      header,
      here.map(({ value, those }) => toValue(value, those, { header, rule })),
    );
  });
  const ofHidden =
    hidden.length > 0 ? [toValue(HIDDEN, hidden, { header: "", rule: { marks: () => true } })] : [];
  return [...asked, ...inPlaces, ...ofPlace("", ofHidden)];
}

/** Names of questions about no column: about a sheet by its name, and about rows below a text alone in its row. */
const SHEET = "Sheet name";
const HEADING = "Heading above";

/** The rows below a text that is alone in its row and says that they are not billed, up to the next such text. */
function findSections(
  rows: readonly SheetRow[],
  {
    columns,
    described: { lines, notes },
  }: { columns: Headers["columns"]; described: NonNullable<SheetKind["rowMarks"]> },
) {
  const texts = columns.filter(({ field }) => [...lines, ...notes].includes(field)).map(({ index }) => index);
  const sections: { header: string; value: string; those: SheetRow[] }[] = [];
  let open: SheetRow[] | null = null;
  for (const row of rows) {
    const heading = readHeading(row, texts);
    if (heading === null) open?.push(row);
    else {
      open = isNotBilled(heading) ? [row] : null;
      if (open) sections.push({ header: HEADING, value: heading, those: open });
    }
  }
  return sections.filter(({ those }) => those.length > 1);
}

/** The text of a row with nothing else; null if it isn't a heading. */
function readHeading({ cells }: SheetRow, texts: readonly number[]): string | null {
  let at: number | null = null;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (isBlank(cell)) continue;
    if (at !== null || typeof cell !== "string") return null;
    at = index;
  }
  const heading = at === null || texts.includes(at) ? "" : cleanText(showCell(cells[at] ?? ""));
  return heading === "" || heading.length > MAX_WORD ? null : heading;
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

/** Whether a 1 may count pieces of the row, because its quantity is higher. */
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
          amount: cents === undefined ? null : formatCents(cents),
        },
      }),
    ),
  );
}

type RuleOf = { index: number; key: string; records: () => Records };

/** Decides whether the values of a column mark rows, and how. @param held values that are held back anyway */
function findRule(rows: readonly SheetRow[], column: RuleOf, held?: RegExp): Rule | null {
  const ofNumbers = RULES.some((rule) => rule.ofNumbers && rule.headers?.test(column.key));
  const found = BY_FILLING.test(column.key) ? "filling" : wordsIn(rows, column.index, { ofNumbers });
  const byFilling = findRuleOfFilling(rows, column, found);
  if (typeof found === "string" || byFilling) return byFilling;
  const words = found.map((word) => readTick(word, column.key));
  const open = held ? words.filter((word) => !held.test(word)) : words;
  const isOfAll = () => readDown(rows, column, column.records()).size === rows.length;
  const rule = chooseRule(column.key, open, isOfAll);
  const [tick = ""] = open;
  const isTick = rule?.ifTicked === "any word" || YES.test(tick);
  if (rule?.ifTicked && open.length === 1 && isTick && !isDigit(tick) && !isOfAll()) return AS_TICKED;
  // One digit in all rows may count anything, but under "Void" a 1 says it of all.
  if (words.length < 2 && words.every((word) => isDigit(word) && (word === "0" || !rule?.headers)))
    return null;
  return rule && open.some((word) => rule.marks(word) || (words.length > 1 && rule.asks?.(word)))
    ? rule
    : null;
}

/** The rule of a column where it counts only whether a cell is filled. @param words its few words, or what it has in their place */
function findRuleOfFilling(
  rows: readonly SheetRow[],
  { index, key, records }: RuleOf,
  words: readonly string[] | "filling" | "dates" | "others",
): Rule | null {
  const hasNumbers = typeof words === "string" || words.some((word) => /\d/.test(word) && !isDigit(word));
  const hasTexts = typeof words === "string" || !words.every((word) => YES.test(word) || NO.test(word));
  const partial = PARTIAL_COLUMN_RULES.find(
    ({ headers, ofNumbers }) => headers.test(key) && (ofNumbers ? hasNumbers : hasTexts),
  );
  if (partial) {
    const filled = new Set(readDown(rows, { index, byFilling: true }, records()).values());
    return filled.size === 2 ? partial.rule : null;
  }
  const isOfFilling = words === "filling" || (words === "dates" && CANCELED.test(key));
  return isOfFilling && rows.some(({ cells }) => !isNothing(cells[index])) ? IF_FILLED : null;
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
function hasNoted(
  rows: readonly SheetRow[],
  { index, rule }: { index: number; rule: Rule },
  columns: Headers["columns"],
): boolean {
  // Notes often repeat the one above.
  let harmless: string | undefined;
  return rows.some(({ cells }) => {
    const cell = cells[index];
    if (typeof cell !== "string" || cell === harmless) return false;
    if (rule.marks(cell) || rule.asks?.(cell) === true) return (lineCents(columns, cells) ?? 0n) !== 0n;
    harmless = cell;
    return false;
  });
}

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

function sum(cents: readonly (bigint | undefined)[]): bigint | undefined {
  const known = cents.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.reduce((all, each) => all + each, 0n);
}
