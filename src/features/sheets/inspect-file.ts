import { findAmbiguous, findRowMarksIn, findTable, listSheets } from "#formats/table/columns.ts";
import { refuseUnclearDates, refuseSwappedDates } from "#formats/table/date-order.ts";
import { NUMBER_TYPES, type SheetKind, type FieldRule } from "#formats/table/define-sheet.ts";
import { type ColumnChoices, findHeaders } from "#formats/table/headers.ts";
import { centsToFixed, formatMoney } from "#formats/table/amounts.ts";
import type { ColumnMarks as Marks } from "#formats/table/row-marks.ts";
import { rangesText, toRanges } from "#formats/text/phrases.ts";
import { FileRefused } from "#formats/facts.ts";
import type { ColumnMarks, WrittenOrder, SeenColumn } from "#features/sheets/contract.ts";
import {
  ambiguousReason,
  mergedReason,
  repeatedQuestion,
  undecidedReason,
} from "#features/sheets/sentences-refusals.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { headerText } from "#formats/table/header-text.ts";
import { isWithout, readAsReport } from "#formats/table/one-for-all.ts";
import { lowerHeadings } from "#formats/table/headings.ts";
import { findRepeated } from "#formats/table/repeated-charges.ts";
import { findUndecided } from "#formats/table/undecided.ts";
import { showCell } from "#formats/table/texts.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { Sheet } from "#formats/xlsx/workbook.ts";

/** File name, which hints at the file's type, and the answers the company's users gave earlier. */
export type InspectInput = {
  fileName: string;
  chosen: ColumnChoices;
  dateOrder: WrittenOrder | null;
};

/** Result of the first look at a file, before its values are checked. */
export type Inspection = { dataRows: number };

/**
 * Checks that a file can be processed at all. A file with headers and no rows passes with zero rows. Runs in a worker
 * thread.
 * @throws FileRefused if it is neither workbook nor text, over a limit, does not use the template, or has
 * ambiguous dates whose order a user must choose first
 */
export function inspectSheet(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, chosen, dateOrder }: InspectInput,
): Inspection {
  try {
    const table = findTable(kind, openFile(bytes, fileName), chosen);
    refuseSwappedDates(table);
    refuseUnclearDates(table, dateOrder);
    return { dataRows: table.rows.length };
  } catch (error) {
    if (error instanceof FileRefused && error.code === "no_rows") return { dataRows: 0 };
    throw error;
  }
}

/** Columns of the best matching sheet of a workbook, each with its likely meaning. */
export type SeenSheet = {
  sheet: string;
  header_row: number;
  columns: SeenColumn[];
  row_marks: ColumnMarks[];
  sheets: { sheet: string; is_read: boolean }[];
  /** Whether it has no column for the field that one value can stand for. */
  is_without: boolean;
};

export type ColumnsInput = Omit<InspectInput, "dateOrder">;

const SAMPLES = 3;

/**
 * Reads the columns of the sheet with the most known headers, and the sheets that can be read. Runs in a worker thread.
 * @throws FileRefused when no sheet has headers
 */
export function inspectColumns(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, chosen }: ColumnsInput,
): SeenSheet {
  const workbook = openFile(bytes, fileName);
  const sheets = workbook.sheets.filter(({ state, rows }) => state === "visible" && rows.length > 0);
  const seen = sheets.flatMap((sheet) => readHeaders(kind, lowerHeadings(kind, sheet, chosen), chosen) ?? []);
  const [best] = seen.toSorted(
    (one, other) =>
      known(other) - known(one) || asked(other) - asked(one) || other.columns.length - one.columns.length,
  );
  if (!best) throw new FileRefused("headers_not_found");
  const choices = listSheets(kind, workbook, chosen);
  return { ...best, sheets: choices.map(({ name, isRead }) => ({ sheet: name, is_read: isRead })) };
}

type SeenColumns = Omit<SeenSheet, "sheets">;

const known = ({ columns }: SeenColumns) => columns.filter(({ field }) => field !== null).length;

/** Of sheets with the same columns the one with the most questions is asked about first. */
const asked = ({ columns, row_marks: rowMarks }: SeenColumns) =>
  columns.filter(({ reason }) => reason !== null).length + rowMarks.length;

function readHeaders(kind: SheetKind, sheet: Sheet, chosen: ColumnChoices): SeenColumns | null {
  const found = findHeaders(kind, sheet, chosen);
  const headers = found && readAsReport(kind, sheet, found);
  const header = sheet.rows.find(({ number }) => number === headers?.row);
  if (!header) return null;
  const below = sheet.rows.filter(({ number }) => number > header.number);
  const further = new Set(headers?.furtherLines.flatMap((line) => line.map(({ index }) => index)));
  /** Meaning of a duplicate column, and of one that a user ignored. */
  const unusedMeaning = (index: number) =>
    headers?.unmatched.some((column) => column.index === index) ? null : "ignore";
  const seen = header.cells.flatMap((cell, index) => {
    const text = headerText(cell);
    if (text === "" || further.has(index)) return [];
    const samples = below
      .flatMap(({ cells }) => cells[index] ?? [])
      .slice(0, SAMPLES)
      .map(showCell);
    const used = headers?.columns.find((column) => column.index === index)?.field;
    return [{ header: text, column: columnName(index), samples, field: used ?? unusedMeaning(index) }];
  });
  const guesses = guessFields(kind, seen);
  const rowMarks = headers ? findRowMarksIn(kind, sheet, headers, chosen) : [];
  const isMarked = ({ index }: { index: number }) => rowMarks.some((one) => one.index === index);
  const undecided = headers
    ? findUndecided(kind, sheet.rows, headers).filter((column) => !isMarked(column))
    : [];
  const repeated = headers ? findRepeated({ kind, columns: headers.columns, rows: below }, chosen) : [];
  const ambiguous = headers ? findAmbiguous(kind, sheet, headers) : [];
  const isReport = headers !== undefined && isWithout(kind, headers);
  const columns = seen.map((column, at) => {
    const isHere = ({ index }: { index: number }) => columnName(index) === column.column;
    const [asked, maybe] = [undecided.find(isHere), ambiguous.find(isHere)];
    const taken = [...seen.map(({ field }) => field), ...guesses];
    const likely = maybe?.field ?? asked?.guess ?? null;
    const guess =
      guesses[at] ?? freeGuess(isReport ? guessInReport(kind, column, likely, taken) : likely, taken);
    guesses[at] = guess;
    const samples = asked ? asked.samples : column.samples;
    const isRepeated = repeated.some(isHere);
    if (isRepeated) {
      const question = repeatedQuestion(kind.words.record);
      return { ...column, field: null, samples, guess: null, reason: question, sum: null };
    }
    const reason = maybe?.rows
      ? mergedReason(kind, maybe.field, maybe.rows)
      : maybe
        ? ambiguousReason(kind, maybe.field)
        : asked
          ? undecidedReason(asked)
          : null;
    return { ...column, samples, guess, reason, sum: asked?.sum ?? null };
  });
  return {
    sheet: sheet.name,
    header_row: header.number,
    columns,
    row_marks: rowMarks.map(toColumnMarks),
    is_without: isReport,
  };
}

const toColumnMarks = ({ index, header, of, values }: Marks): ColumnMarks => ({
  of,
  column: index === null ? null : columnName(index),
  header,
  values: values.map(({ value, rows, cents, isBilled, guess }) => ({
    value,
    rows: rangesText(toRanges(rows)),
    count: rows.length,
    amount: cents === undefined ? null : formatMoney(centsToFixed(cents)),
    is_billed: isBilled,
    guess,
  })),
});

/** A field that already has a column is not guessed for a second one. */
const freeGuess = (guess: string | null, taken: readonly (string | null)[]) =>
  guess !== null && guess !== "ignore" && taken.includes(guess) ? null : guess;

/** In a report without lines, the first total is the amount, and a balance beside it shows what is still to be paid. */
function guessInReport(
  { oneForAll }: SheetKind,
  { header }: { header: string },
  guess: string | null,
  taken: readonly (string | null)[],
): string | null {
  if (!oneForAll || guess !== oneForAll.total) return guess;
  if (!taken.includes(oneForAll.amount)) return oneForAll.amount;
  return /balance/i.test(header) ? "ignore" : guess;
}

/** `samples`: the column's first values as text. */
type Seen = { field: string | null; samples: readonly string[] };

/**
 * Guesses a missing required field for each unknown column by its values. Guesses only when exactly one unknown column
 * fits; the user sees the guess and can change it.
 */
export function guessFields(kind: SheetKind, columns: readonly Seen[]): (string | null)[] {
  const known = new Set(columns.map(({ field }) => field));
  const guesses: (string | null)[] = columns.map(() => null);
  for (const field of missingFields(kind, known)) {
    const rule: FieldRule | undefined = kind.fields[field];
    const alike = columns.flatMap(({ field: meaning, samples }, index) =>
      meaning === null && guesses[index] === null && looksLike(rule?.type, samples) ? [index] : [],
    );
    const [only] = alike;
    if (only !== undefined && alike.length === 1) guesses[only] = field;
  }
  return guesses;
}

/** Required fields without a column. When some of a field's substitutes are present, the missing substitutes instead. */
function missingFields(kind: SheetKind, known: ReadonlySet<string | null>): string[] {
  return kind.names.flatMap((field) => {
    const required = kind.fields[field]?.required;
    if (!required || known.has(field)) return [];
    if (required === true) return [field];
    const missing = required.unless.filter((standIn) => !known.has(standIn));
    return missing.length === required.unless.length ? [field] : missing;
  });
}

function looksLike(type: FieldRule["type"] = "text", samples: readonly string[]): boolean {
  const filled = samples.map((sample) => sample.trim()).filter((sample) => sample !== "");
  if (filled.length === 0) return false;
  if (type === "date") return filled.every((sample) => DATE.test(sample));
  if (NUMBER_TYPES.has(type)) return filled.every((sample) => NUMBER.test(sample));
  return !filled.some((sample) => DATE.test(sample) || NUMBER.test(sample));
}

const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/;

const NUMBER = /^-?\$?-?\d[\d,]*(\.\d+)?$/;
