import { addTimes } from "#formats/table/add-times.ts";
import { findAmbiguous, findTable, listSheets } from "#formats/table/columns.ts";
import { refuseUnclearDates, refuseSwappedDates } from "#formats/table/date-order.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { SheetNumbers } from "#formats/table/file-total.ts";
import { type ColumnChoices, findHeaders } from "#formats/table/headers.ts";
import { applyLayout } from "#formats/table/layouts.ts";
import { divideRows } from "#formats/table/divide-rows.ts";
import { findRowMarks } from "#formats/table/row-marks.ts";
import { FileRefused } from "#formats/facts.ts";
import { noteTotals } from "#formats/table/total-rows.ts";
import { problemSentence } from "#features/sheets/sentences.ts";
import type { ColumnMarks, WrittenOrder, SeenColumn } from "#features/sheets/contract.ts";
import {
  ambiguousReason,
  mergedReason,
  refusalSentence,
  repeatedQuestion,
  undecidedReason,
} from "#features/sheets/sentences-refusals.ts";
import { guessFields } from "#features/sheets/guess-fields.ts";
import {
  addValues,
  countInAll,
  filesLike,
  type ShowRows,
  toColumnMarks,
} from "#features/sheets/show-marks.ts";
import { findCurrency } from "#features/sheets/find-currency.ts";
import { rowsWith, describeRows } from "#features/sheets/example-rows.ts";
import { type CountedSheet, readNumbers } from "#features/sheets/read-numbers.ts";
import { LEFT_OUT, rowMarkKey } from "#formats/table/row-mark-keys.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { headerKey, headerText } from "#formats/table/header-text.ts";
import { isWithout, readAsReport, valueKey } from "#formats/table/one-for-all.ts";
import { lowerHeadings } from "#formats/table/headings.ts";
import { findRepeated } from "#formats/table/repeated-charges.ts";
import { findUndecided, type Undecided } from "#formats/table/undecided.ts";
import { showTime } from "#formats/table/times.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { Sheet, Workbook } from "#formats/xlsx/workbook.ts";

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

/** Columns of the best matching sheet of a workbook, each with its likely meaning, and all questions about it. */
export type SeenSheet = {
  sheet: string;
  header_row: number;
  columns: SeenColumn[];
  row_marks: ColumnMarks[];
  sheets: { sheet: string; is_read: boolean }[];
  /** Whether it has no column for the field that one value can stand for. */
  is_without: boolean;
  layout: { name: string; title: string; matched: number } | null;
  currency: string | null;
  /** The question about the order of day and month; null if its dates show it. */
  date_question: string | null;
  /** Totals of the file that don't add up. */
  totals: string[];
  numbers: SheetNumbers | null;
};

export type ColumnsInput = Omit<InspectInput, "dateOrder"> & {
  dateOrder?: WrittenOrder | null;
  /** Answers that are not saved yet. */
  draft?: ColumnChoices;
};

const SAMPLES = 3;

/** An answer leads to other questions at most a few times. */
const MAX_ROUNDS = 6;

/**
 * Reads the columns of the sheet with the most known headers, and the sheets that can be read. All questions of the file
 * are asked at once: those that follow from our guesses, too. Runs in a worker thread.
 * @throws FileRefused when no sheet has headers
 */
export function inspectColumns(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, chosen, draft = new Map(), dateOrder = null }: ColumnsInput,
): SeenSheet {
  const workbook = openFile(bytes, fileName);
  const sheets = workbook.sheets.filter(({ state, rows }) => state === "visible" && rows.length > 0);
  let answers: ColumnChoices = new Map([...chosen, ...draft]);
  const read = (sheet: Sheet) => readSheetColumns(kind, sheet, { answers, isOfSeveral: sheets.length > 1 });
  const [first] = sheets
    .flatMap((sheet) => read(sheet) ?? [])
    .toSorted((a, b) => known(b) - known(a) || asked(b) - asked(a) || b.columns.length - a.columns.length);
  if (!first) throw new FileRefused("headers_not_found");
  let last = first;
  const questions = new Map<string, SeenColumn>();
  const marks = new Map<string, ColumnMarks>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const open = last.columns.filter(({ column, reason }) => reason !== null && !questions.has(column));
    for (const column of open) questions.set(column.column, column);
    for (const column of last.row_marks) marks.set(column.of, column);
    const guessed = last.columns.flatMap(({ header, field, guess }) =>
      field === null && guess !== null ? [[headerKey(header), guess] as const] : [],
    );
    if ((guessed.length === 0 && !last.is_without) || (round > 0 && open.length === 0)) break;
    // Any value for all lines has the same rows and money.
    const forAll = last.is_without && kind.oneForAll ? [[valueKey(kind.oneForAll.field), "?"] as const] : [];
    answers = new Map([...answers, ...guessed, ...forAll]);
    last = read(last.written) ?? last;
  }
  const choices = listSheets(kind, workbook, answers);
  const { row_marks: _marks, written: _written, counted: _counted, ...facts } = last;
  const others = sheets
    .filter((sheet) => sheet !== last.written && choices.some(({ name }) => name === sheet.name))
    .flatMap((sheet) => read(sheet) ?? []);
  for (const column of others.flatMap((each) => each.row_marks))
    marks.set(column.of, addValues(marks.get(column.of), column));
  const columns = first.columns.map(
    (column) => questions.get(column.column) ?? withOtherQuestion(column, others) ?? column,
  );
  const together = withAnswersOfAll([last, ...others], [...marks.values()]);
  const rowMarks = [...marks.values()].map((column) =>
    together.length > 1 ? countInAll(column, together) : column,
  );
  return {
    ...facts,
    columns,
    is_without: first.is_without,
    row_marks: rowMarks,
    sheets: choices.map(({ name, isRead }) => ({ sheet: name, is_read: isRead })),
    date_question: findDateQuestion(kind, workbook, answers, dateOrder),
    totals: [
      ...facts.totals,
      ...others.flatMap(({ sheet, totals }) => totals.map((text) => `${sheet}: ${text}`)),
    ],
    currency: others.every(({ currency }) => currency === last.currency) ? last.currency : null,
    numbers: readNumbers(kind, inOrder(together, choices), { columns, draft, rowMarks }),
  };
}

/** Sheets with the rows of each value that a question of any of them is about: its answer counts for all. */
function withAnswersOfAll(
  sheets: readonly SeenColumns[],
  questions: readonly ColumnMarks[],
): (CountedSheet & { showRows: ShowRows })[] {
  const answers = questions.flatMap(({ of, values }) =>
    values.map(({ value }) => [rowMarkKey(of, value), LEFT_OUT] as const),
  );
  return sheets.flatMap(({ sheet, columns, counted }) =>
    counted
      ? [
          {
            sheet,
            columns,
            ...counted,
            rowMarks: sheets.length > 1 ? counted.findMarks(answers) : counted.rowMarks,
          },
        ]
      : [],
  );
}

/** The sheets in the order of the page; none if that is about a sheet that isn't among them. */
function inOrder(sheets: readonly CountedSheet[], choices: readonly { name: string }[]): CountedSheet[] {
  if (choices.length === 0) return sheets.slice(0, 1);
  const ordered = choices.flatMap(({ name }) => sheets.find(({ sheet }) => sheet === name) ?? []);
  return ordered.length < sheets.length ? [] : ordered;
}

/** The question about a column that is only to be asked because of what another sheet has in it. */
function withOtherQuestion(column: SeenColumn, others: readonly SeenColumns[]): SeenColumn | undefined {
  const asked = others
    .flatMap(({ columns }) => columns)
    .find(({ header, reason }) => reason !== null && headerKey(header) === headerKey(column.header));
  return asked && { ...asked, column: column.column };
}

/** Asks for the order of day and month as soon as the file can be read with our guesses. */
function findDateQuestion(
  kind: SheetKind,
  workbook: Workbook,
  answers: ColumnChoices,
  dateOrder: WrittenOrder | null,
): string | null {
  try {
    refuseUnclearDates(findTable(kind, workbook, answers, "answered"), dateOrder);
    return null;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return error.code === "date_order_unclear" ? refusalSentence(kind, error) : null;
  }
}

/** The values that mark rows, as if these answers were given, too. */
type FindMarks = (answers: readonly (readonly [string, string])[]) => CountedSheet["rowMarks"];

type SeenColumns = Omit<SeenSheet, "sheets" | "date_question" | "numbers"> & {
  written: Sheet;
  counted: (Omit<CountedSheet, "sheet" | "columns"> & { findMarks: FindMarks; showRows: ShowRows }) | null;
};

const known = ({ columns }: SeenColumns) => columns.filter(({ field }) => field !== null).length;

/** Of sheets with the same columns the one with the most questions is asked about first. */
const asked = ({ columns, row_marks: rowMarks }: SeenColumns): number =>
  columns.filter(({ reason }) => reason !== null).length + rowMarks.length;

function readSheetColumns(
  kind: SheetKind,
  written: Sheet,
  { answers, isOfSeveral }: { answers: ColumnChoices; isOfSeveral: boolean },
): SeenColumns | null {
  const { sheet: read, layout, chosen = answers } = applyLayout(kind, written, answers);
  const sheet = addTimes(kind, lowerHeadings(kind, read, chosen), chosen);
  const found = findHeaders(kind, sheet, chosen);
  const headers = found && readAsReport(kind, sheet, found, chosen);
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
      .map(showTime);
    const used = headers?.columns.find((column) => column.index === index)?.field;
    const field = used ?? unusedMeaning(index);
    return [{ header: text, column: columnName(index), samples, field, choices: [], examples: [] }];
  });
  const { rows, data, totals } = headers ? divideRows(kind, sheet, headers) : NO_ROWS;
  const findMarks: FindMarks = (more) =>
    headers
      ? findRowMarks(kind, { sheet, rows, headers, layout, isOfSeveral }, new Map([...chosen, ...more]))
      : [];
  const rowMarks = findMarks([]);
  const isMarked = ({ index }: { index: number }) => rowMarks.some((rowMark) => rowMark.index === index);
  const markedColumns = new Set(rowMarks.flatMap(({ index }) => (index === null ? [] : columnName(index))));
  // A column that says which rows are billed is no product.
  const guesses = guessFields(
    kind,
    seen.map((column) => (markedColumns.has(column.column) ? { ...column, field: "ignore" } : column)),
  );
  const undecided = headers ? findUndecided(kind, data, headers).filter((column) => !isMarked(column)) : [];
  const repeated = headers ? findRepeated({ kind, columns: headers.columns, rows: below }, chosen) : [];
  const ambiguous = headers ? findAmbiguous(kind, { sheet, headers }, rows) : [];
  const isReport = found !== undefined && isWithout(kind, found);
  const showRows = headers && describeRows(kind, sheet, headers);
  const showIn = (about: { index: number; rows?: readonly number[] } | undefined) =>
    about && headers && showRows
      ? showRows(about.rows ?? rowsWith(sheet, headers, about.index), about.index)
      : [];
  const columns = seen.map((column, at) => {
    const isHere = ({ index }: { index: number }) => columnName(index) === column.column;
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
    const reason = findReason(kind, maybe, asked && { ...asked, guess });
    const choices = reason === null ? [] : [guess ?? possible ?? [], asked?.orElse ?? []].flat();
    const examples = showIn(maybe ?? asked);
    return { ...column, samples, guess, reason, sum: asked?.sum ?? null, choices, examples };
  });
  const matched = columns.filter(({ field }) => field !== null && field !== "ignore").length;
  return {
    sheet: sheet.name,
    header_row: header.number,
    columns,
    row_marks: rowMarks.map((marks) => toColumnMarks(marks, showRows, filesLike(layout, seen))),
    is_without: isReport,
    layout: layout && { name: layout.name, title: layout.title, matched },
    currency: headers ? findCurrency(kind, sheet, headers) : null,
    totals: listDiffering(kind, totals),
    written,
    counted: headers && showRows ? { rows, headers, rowMarks, findMarks, showRows } : null,
  };
}

const NO_ROWS: Pick<ReturnType<typeof divideRows>, "rows" | "data" | "totals"> = {
  rows: [],
  data: [],
  totals: [],
};

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
function findReason(kind: SheetKind, maybe: Maybe | undefined, asked: Undecided | undefined): string | null {
  if (maybe?.rows) return mergedReason(kind, maybe.field, maybe.rows);
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
