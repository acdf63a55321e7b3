import { findTable } from "#formats/table/columns.ts";
import {
  findAgreeing,
  hasRows,
  isComplete,
  isKnownCandidate,
  readCandidates,
} from "#formats/table/candidates.ts";
import type { ColumnChoices } from "#formats/table/column.ts";
import { refuseUnclearDates, refuseSwappedDates } from "#formats/table/date-order.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { SheetNumbers } from "#formats/table/file-total.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { valueKey } from "#formats/table/one-for-all.ts";
import { BILLED, LEFT_OUT, rowMarkKey } from "#formats/table/row-mark-keys.ts";
import {
  chosenSheets,
  fieldsKey,
  findOverlaps,
  isSheetKey,
  type Table,
} from "#formats/table/several-sheets.ts";
import { timeField } from "#formats/table/times.ts";
import { FileRefused } from "#formats/facts.ts";
import type { ColumnMarks, SeenColumn, WrittenOrder } from "#features/sheets/contract.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { readNumbers } from "#features/sheets/read-numbers.ts";
import {
  type DividedSheet,
  divideSheet,
  readSheetColumns,
  type SheetColumns,
} from "#features/sheets/read-sheet-columns.ts";
import { refusalSentence, sheetsOverlap } from "#features/sheets/sentences-refusals.ts";
import { addValues, countInAll, type ShowRows } from "#features/sheets/show-marks.ts";
import type { CountedSheet, SheetColumn } from "#features/sheets/types.ts";
import type { Workbook } from "#formats/xlsx/workbook.ts";

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

/** Columns of the sheets of a workbook that are read together, each with its likely meaning, and all questions about it. */
export type InspectedSheet = Omit<SheetColumns, "columns" | "counted"> & {
  columns: SeenColumn[];
  sheets: { sheet: string; is_read: boolean }[];
  /** The question about the order of day and month; null if its dates show it. */
  date_question: string | null;
  /** Sheets that repeat each other. */
  overlaps: { sheets: string[]; question: string }[];
  numbers: SheetNumbers | null;
};

export type ColumnsInput = Omit<InspectInput, "dateOrder"> & {
  dateOrder?: WrittenOrder | null;
  /** Answers that are not saved yet. */
  draft?: ColumnChoices;
};

/** An answer leads to other questions at most a few times. */
const MAX_ROUNDS = 6;

/**
 * Reads the columns of the sheet with the most known headers, and of those that are read with it. All questions of the file
 * are asked at once: those that follow from our guesses, too. Runs in a worker thread.
 * @throws FileRefused when no sheet has headers
 */
export function inspectColumns(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, chosen, draft = new Map(), dateOrder = null }: ColumnsInput,
): InspectedSheet {
  const workbook = openFile(bytes, fileName);
  const { readings, declined, last } = readUntilSettled(kind, workbook, new Map([...chosen, ...draft]));
  const { main, others, choices } = last;
  const all = listSheets(readings);
  const columns = listColumns(readings[0]?.main.columns ?? [], all);
  const marks = new Map<string, ColumnMarks>();
  for (const column of all.flatMap(({ row_marks }) => row_marks))
    marks.set(column.of, addValues(marks.get(column.of), column));
  const together = withAnswersOfAll([main, ...others], [...marks.values()]);
  const rowMarks = [...marks.values()].map((column) =>
    together.length > 1 ? countInAll(column, together) : column,
  );
  const isOfSeveral = readings.some((each) => each.choices.length > 1);
  const tables = [...new Set(isOfSeveral ? readings : [declined, last])].flatMap(({ answers }) =>
    readWhole(kind, workbook, { answers, rowMarks }),
  );
  return {
    sheet: main.sheet,
    header_row: main.header_row,
    layout: main.layout,
    columns: columns.map(({ index: _index, repeat: _repeat, ...column }) => column),
    is_without: readings[0]?.main.is_without ?? false,
    row_marks: rowMarks,
    sheets: choices,
    date_question: tables.flatMap((table) => findDateQuestion(kind, table, dateOrder) ?? [])[0] ?? null,
    overlaps: listOverlaps(kind, tables),
    totals: [
      ...main.totals,
      ...others.flatMap(({ sheet, totals }) => totals.map((text) => `${sheet}: ${text}`)),
    ],
    currency: others.every(({ currency }) => currency === main.currency) ? main.currency : null,
    numbers: readNumbers(kind, inOrder(together, choices), { columns, draft, rowMarks }),
  };
}

/** The sheet of the page and those that are read with it, with some answers. */
type Reading = {
  answers: ColumnChoices;
  main: SheetColumns;
  others: SheetColumns[];
  /** Further sheets with known headers, which may be read with it if other answers are given. */
  apart: SheetColumns[];
  /** The sheets that can be read together, in their order; empty for one. */
  choices: { sheet: string; is_read: boolean }[];
};

/**
 * Reads a workbook as its users answered, and again with what is proposed on the page until nothing more is. First what is
 * proposed without a question, then what may be declined, and last what forms records, on which other questions depend. Also
 * with each question declined, which may be about other sheets that are read together then.
 */
function readUntilSettled(
  kind: SheetKind,
  workbook: Workbook,
  given: ColumnChoices,
): { readings: Reading[]; declined: Reading; last: Reading } {
  const { grouping } = kind;
  const ofRecords: (string | undefined)[] = [grouping?.key, grouping?.fallbackKey, timeField(kind)];
  const stage = ({ field, isAsked }: Proposal) => (isAsked ? (ofRecords.includes(field) ? 2 : 1) : 0);
  const first = readWith(kind, workbook, given);
  // Any value for all lines has the same rows and money.
  const forAll =
    first.main.is_without && kind.oneForAll ? [{ key: valueKey(kind.oneForAll.field), field: "?" }] : [];
  const readings = [first];
  const readAlso = (before: Reading, more: readonly Answer[]): Reading => {
    const answers = more.map(({ key, field }) => [key, field] as const);
    const reading = readWith(kind, workbook, new Map([...before.answers, ...answers]), first);
    readings.push(reading);
    return reading;
  };
  let [plain, last] = [first, first];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const proposed = propose(last, ({ guess }) => guess);
    const now = Math.min(...proposed.map(stage));
    const more = [...proposed.filter((each) => stage(each) === now), ...(round === 0 ? forAll : [])];
    if (more.length === 0) break;
    last = readAlso(last, more);
    if (now === 0) plain = last;
  }
  const offered = propose(last, ({ choices: [choice = null] }) => choice);
  if (offered.length > 0) readAlso(last, offered);
  let declined = plain;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const asked = propose(declined, ({ reason }) => (reason === null ? null : "ignore"));
    if (asked.length === 0) break;
    declined = readAlso(declined, asked);
  }
  return { readings, declined, last };
}

type Answer = { key: string; field: string };
type Proposal = Answer & { isAsked: boolean };

/** Answers for columns that have none. */
const propose = (
  { answers, main, others }: Reading,
  answer: (column: SheetColumn) => string | null,
): Proposal[] =>
  [main, ...others].flatMap(({ columns }) =>
    columns.flatMap((column) => {
      const [key, field] = [headerKey(column.header), answer(column)];
      const isOpen = column.field === null && !answers.has(key);
      return isOpen && field !== null ? [{ key, field, isAsked: column.reason !== null }] : [];
    }),
  );

/** @param before an earlier reading, whose sheet the page keeps */
function readWith(kind: SheetKind, workbook: Workbook, answers: ColumnChoices, before?: Reading): Reading {
  const candidates = readCandidates(kind, workbook, answers).filter(({ sheet }) => sheet.rows.length > 0);
  const sheets = candidates.flatMap(({ headers, ...candidate }) =>
    headers ? divideSheet(kind, { ...candidate, headers }, candidates.length > 1) : [],
  );
  const agreeing = findAgreeing(kind, sheets.filter(isComplete));
  const marked = new Set(
    sheets.flatMap(({ rowMarks }) =>
      rowMarks.flatMap(({ index, header }) => (index === null ? [] : headerKey(header))),
    ),
  );
  const known = ({ headers }: DividedSheet) => headers.columns.length + headers.ignored.length;
  const main = before
    ? sheets.find(({ sheet }) => sheet.name === before.main.sheet)
    : sheets.toSorted((a, b) => known(b) - known(a))[0];
  if (!main) throw new FileRefused("headers_not_found");
  const read = (sheet: DividedSheet) => readSheetColumns(kind, sheet, { isMain: sheet === main, marked });
  const others = sheets.filter((each) => each !== main && (agreeing.includes(each) || isLike(each, main)));
  const kept = chosenSheets(agreeing, answers);
  return {
    answers,
    main: read(main),
    others: others.map(read),
    apart: sheets
      .filter((each) => each !== main && !others.includes(each) && isKnownCandidate(each))
      .map(read),
    choices:
      agreeing.length < 2
        ? []
        : agreeing.map((each) => ({ sheet: each.sheet.name, is_read: kept.includes(each) })),
  };
}

/** Whether a sheet is read with another once a column that both lack was chosen. */
const isLike = (sheet: DividedSheet, main: DividedSheet): boolean =>
  fieldsKey(sheet.headers) === fieldsKey(main.headers) && hasRows(sheet);

/** The sheets that are read together in some reading, as each of them has them. */
function listSheets(readings: readonly Reading[]): SheetColumns[] {
  const names = new Set(readings.flatMap(({ main, others }) => [main, ...others].map(({ sheet }) => sheet)));
  return readings
    .flatMap(({ main, others, apart }) => [main, ...others, ...apart])
    .filter(({ sheet }) => names.has(sheet));
}

/** The columns of the page's sheet, and those of all sheets that are asked about. */
function listColumns(first: readonly SheetColumn[], all: readonly SheetColumns[]): SheetColumn[] {
  const names = new Map<string, Set<string>>();
  for (const { sheet, columns } of all)
    for (const column of columns)
      names.set(identify(column), (names.get(identify(column)) ?? new Set()).add(sheet));
  const isOfSeveral = new Set(all.map(({ sheet }) => sheet)).size > 1;
  const listed = new Map(first.map((column) => [identify(column), column]));
  const questions = new Map<string, SheetColumn>();
  for (const column of all.flatMap(({ columns }) => columns))
    if (column.reason !== null && !questions.has(identify(column))) questions.set(identify(column), column);
  const isTaken = (key: string, guess: string | null) =>
    guess !== null &&
    [...listed].some(
      ([other, { field, guess: proposed }]) =>
        other !== key &&
        (field ?? proposed) === guess &&
        [...(names.get(other) ?? [])].some((name) => names.get(key)?.has(name)),
    );
  for (const [key, question] of questions) {
    const { column = question.column, index = question.index } = listed.get(key) ?? {};
    // A column that is asked about in case another is declined is not proposed for the same field.
    const guess = isTaken(key, question.guess) ? "ignore" : question.guess;
    listed.set(key, { ...question, column, index, guess });
  }
  return [...listed].map(([key, column]) => ({
    ...column,
    sheets: isOfSeveral ? [...(names.get(key) ?? [])] : [],
  }));
}

/** An answer counts for all columns of a header; a sheet may have several of them. */
const identify = ({ header, repeat }: SheetColumn): string => `${headerKey(header)} ${repeat}`;

/** Sheets with the rows of each value that a question of any of them is about: its answer counts for all. */
function withAnswersOfAll(
  sheets: readonly SheetColumns[],
  questions: readonly ColumnMarks[],
): (CountedSheet & { showRows: ShowRows })[] {
  const answers = questions.flatMap(({ of, values }) =>
    values.map(({ value }) => [rowMarkKey(of, value), LEFT_OUT] as const),
  );
  return sheets.map(({ sheet, columns, counted }) => ({
    sheet,
    columns,
    ...counted,
    rowMarks: sheets.length > 1 ? counted.findMarks(answers) : counted.rowMarks,
  }));
}

/** The sheets in the order of the page; none if that is about a sheet that isn't among them. */
function inOrder<S extends CountedSheet>(sheets: readonly S[], choices: readonly { sheet: string }[]): S[] {
  if (choices.length === 0) return sheets.slice(0, 1);
  const ordered = choices.flatMap((choice) => sheets.find(({ sheet }) => sheet === choice.sheet) ?? []);
  return ordered.length < sheets.length ? [] : ordered;
}

/** All sheets that can be read together, with all rows, as read with some answers; none if it can't be read so. */
function readWhole(
  kind: SheetKind,
  workbook: Workbook,
  { answers, rowMarks }: { answers: ColumnChoices; rowMarks: readonly ColumnMarks[] },
): Table[] {
  const all = new Map([
    ...[...answers].filter(([key]) => !isSheetKey(key)),
    ...rowMarks.flatMap(({ of, values }) =>
      values.map(({ value }) => [rowMarkKey(of, value), BILLED] as const),
    ),
  ]);
  try {
    return [findTable(kind, workbook, all, "answered")];
  } catch (error) {
    if (error instanceof FileRefused) return [];
    throw error;
  }
}

function findDateQuestion(kind: SheetKind, table: Table, dateOrder: WrittenOrder | null): string | null {
  try {
    refuseUnclearDates(table, dateOrder);
    return null;
  } catch (error) {
    if (error instanceof FileRefused) return refusalSentence(kind, error);
    throw error;
  }
}

const listOverlaps = (kind: SheetKind, tables: readonly Table[]): InspectedSheet["overlaps"] => [
  ...new Map(
    tables.flatMap(findOverlaps).map((overlap) => {
      const sheets = [overlap.first, overlap.second];
      return [sheets.join("\n"), { sheets, question: sheetsOverlap(kind, overlap) }] as const;
    }),
  ).values(),
];
