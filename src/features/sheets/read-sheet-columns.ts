import { findAmbiguous } from "#formats/table/columns.ts";
import type { Complete } from "#formats/table/candidates.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { divideRows } from "#formats/table/divide-rows.ts";
import { headerKey, headerText } from "#formats/table/header-text.ts";
import { ownColumn } from "#formats/table/headings.ts";
import { isWithout } from "#formats/table/one-for-all.ts";
import { findRepeated } from "#formats/table/repeated-charges.ts";
import { findRowMarks } from "#formats/table/row-marks.ts";
import { showTime } from "#formats/table/times.ts";
import { noteTotals } from "#formats/table/total-rows.ts";
import { findUndecided, type Undecided } from "#formats/table/undecided.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { ColumnMarks } from "#features/sheets/contract.ts";
import { rowsWith, describeRows } from "#features/sheets/example-rows.ts";
import { findCurrency } from "#features/sheets/find-currency.ts";
import { guessFields } from "#features/sheets/guess-fields.ts";
import { problemSentence } from "#features/sheets/sentences.ts";
import {
  ambiguousReason,
  mergedReason,
  repeatedQuestion,
  undecidedReason,
} from "#features/sheets/sentences-refusals.ts";
import { filesLike, type ShowRows, toColumnMarks } from "#features/sheets/show-marks.ts";
import type { CountedSheet, SheetColumn } from "#features/sheets/types.ts";

const SAMPLES = 3;

/** The values that mark rows, as if these answers were given, too. */
type FindMarks = (answers: readonly (readonly [string, string])[]) => CountedSheet["rowMarks"];

/** A sheet with its columns, the questions about it, and what is counted of it. */
export type SheetColumns = {
  sheet: string;
  header_row: number;
  columns: SheetColumn[];
  row_marks: ColumnMarks[];
  /** Whether it has no column for the field that one value can stand for. */
  is_without: boolean;
  layout: { name: string; title: string; matched: number } | null;
  currency: string | null;
  /** Totals that don't add up. */
  totals: string[];
  counted: Omit<CountedSheet, "sheet" | "columns"> & { findMarks: FindMarks; showRows: ShowRows };
};

/** A sheet divided into its rows, with those that its values mark as not to be billed. */
export type DividedSheet = Complete &
  Pick<ReturnType<typeof divideRows>, "rows" | "data" | "totals"> & {
    rowMarks: CountedSheet["rowMarks"];
    findMarks: FindMarks;
  };

/** @param isOfSeveral whether other sheets may be read with it */
export function divideSheet(kind: SheetKind, candidate: Complete, isOfSeveral: boolean): DividedSheet {
  const { sheet, headers, layout, chosen = [] } = candidate;
  const { rows, data, totals } = divideRows(kind, sheet, headers);
  const findMarks: FindMarks = (more) =>
    findRowMarks(kind, { sheet, rows, headers, layout, isOfSeveral }, new Map([...chosen, ...more]));
  return { ...candidate, rows, data, totals, rowMarks: findMarks([]), findMarks };
}

/**
 * @param isMain the page is about it, so that its cells need no name of a sheet
 * @param marked keys of headers that say in any sheet of the file which rows are billed
 */
export function readSheetColumns(
  kind: SheetKind,
  { sheet, headers, layout, chosen, rows, data, totals, rowMarks, findMarks }: DividedSheet,
  { isMain, marked }: { isMain: boolean; marked: ReadonlySet<string> },
): SheetColumns {
  const { row: headerRow, columns: matched, unmatched } = headers;
  const below = sheet.rows.filter(({ number }) => number > headerRow);
  const further = new Set(headers.furtherLines.flatMap((line) => line.map(({ index }) => index)));
  /** Meaning of a duplicate column, and of one that a user ignored. */
  const unusedMeaning = (index: number) =>
    unmatched.some((column) => column.index === index) ? null : "ignore";
  const written = sheet.rows.find(({ number }) => number === headerRow)?.cells ?? [];
  const keys = written.map((cell) => headerKey(headerText(cell)));
  const prefix = isMain ? "" : `${sheet.name}!`;
  const seen = written.flatMap((cell, index) => {
    const header = headerText(cell);
    if (header === "" || further.has(index)) return [];
    const samples = below
      .flatMap(({ cells }) => cells[index] ?? [])
      .slice(0, SAMPLES)
      .map(showTime);
    const field = matched.find((column) => column.index === index)?.field ?? unusedMeaning(index);
    const column = `${prefix}${columnName(ownColumn(sheet, index))}`;
    const repeat = keys.slice(0, index).filter((key) => key === keys[index]).length;
    return [{ header, column, samples, field, choices: [], examples: [], sheets: [], index, repeat }];
  });
  const isMarked = ({ index }: { index: number }) => rowMarks.some((rowMark) => rowMark.index === index);
  // A column that says which rows are billed isn't a product.
  const guesses = guessFields(
    kind,
    seen.map((column) => (marked.has(headerKey(column.header)) ? { ...column, field: "ignore" } : column)),
  );
  const undecided = findUndecided(kind, data, headers).filter((column) => !isMarked(column));
  const repeated = findRepeated({ kind, columns: matched, rows: below }, chosen);
  const ambiguous = findAmbiguous(kind, { sheet, headers }, rows);
  const isReport = headers.answer !== undefined || isWithout(kind, headers);
  const showRows = describeRows(kind, sheet, headers);
  const showIn = (about: { index: number; rows?: readonly number[] } | undefined) =>
    (about ? showRows(about.rows ?? rowsWith(sheet, headers, about.index), about.index) : []).map(
      ({ row, texts }) => ({ row: `${prefix}${row}`, texts }),
    );
  const columns = seen.map((column, at) => {
    const isHere = ({ index }: { index: number }) => index === column.index;
    const [asked, maybe] = [undecided.find(isHere), ambiguous.find(isHere)];
    const taken = [...seen.map(({ field }) => field), ...guesses];
    const { likely, possible } = readLikely(maybe, asked);
    const guess =
      guesses[at] ?? freeGuess(isReport ? guessInReport(kind, column, likely, taken) : likely, taken);
    guesses[at] = guess;
    const samples = asked ? asked.samples : column.samples;
    const twice = repeated.find(isHere);
    if (twice) {
      const question = repeatedQuestion(kind.words.record);
      const choices = listRepeated(kind, column.field);
      const examples = showIn(twice);
      return { ...column, field: null, samples, guess: null, reason: question, sum: null, choices, examples };
    }
    const places = maybe?.rows?.map((row) => `${prefix}${row}`);
    const reason = findReason(kind, maybe && { ...maybe, places }, asked && { ...asked, guess });
    const choices = reason === null ? [] : [guess ?? possible ?? [], asked?.orElse ?? []].flat();
    const examples = showIn(maybe ?? asked);
    return { ...column, samples, guess, reason, sum: asked?.sum ?? null, choices, examples };
  });
  const known = columns.filter(({ field }) => field !== null && field !== "ignore").length;
  return {
    sheet: sheet.name,
    header_row: headerRow,
    columns,
    row_marks: rowMarks.map((marks) => toColumnMarks(marks, showRows, filesLike(layout, seen))),
    is_without: isReport,
    layout: layout && { name: layout.name, title: layout.title, matched: known },
    currency: findCurrency(kind, sheet, headers),
    totals: listDiffering(kind, totals),
    counted: { rows, headers, rowMarks, findMarks, showRows },
  };
}

/** The totals that don't add up, each as a sentence. */
const listDiffering = (kind: SheetKind, totals: Parameters<typeof noteTotals>[0]): string[] =>
  noteTotals(totals).flatMap((note) =>
    note.code === "total_row_differs" ? problemSentence(kind, note) : [],
  );

/** Money of a record, or of each of its rows. */
const listRepeated = ({ ofEachRow }: SheetKind, field: string | null): string[] =>
  field === null ? [] : [field, ofEachRow?.[field] ?? ""];

type Maybe = ReturnType<typeof findAmbiguous>[number];

/** The meaning that is proposed for a column in question, or one that is only offered. */
const readLikely = (maybe: Maybe | undefined, asked: Undecided | undefined) =>
  maybe?.isLikely === false
    ? { likely: null, possible: maybe.field }
    : { likely: maybe?.field ?? asked?.guess ?? null, possible: null };

/** Says why a column is asked about; null if it isn't. */
function findReason(
  kind: SheetKind,
  maybe: (Maybe & { places: readonly string[] | undefined }) | undefined,
  asked: Undecided | undefined,
): string | null {
  if (maybe?.places) return mergedReason(kind, maybe.field, maybe.places);
  if (maybe) return ambiguousReason(kind, maybe.field);
  return asked ? undecidedReason(asked) : null;
}

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
