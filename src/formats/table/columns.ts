import { cellName } from "../xlsx/cell-names.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { tooManyColumns } from "../xlsx/refusals.ts";
import type { Sheet, SheetRow, Workbook } from "../xlsx/workbook.ts";
import type { Layout, RequiredChoice, SheetKind } from "./define-sheet.ts";
import { headerKey, headerText, isAddedHeader, isBlank } from "./header-text.ts";
import { findHeaders, type ColumnChoices, type Headers } from "./headers.ts";
import { proveOrders } from "./date-order.ts";
import { notePlaceholders } from "./placeholders.ts";
import { refuseBeyondHeaders } from "./beyond-headers.ts";
import { divideRows } from "./divide-rows.ts";
import { ownColumn, withCell } from "./headings.ts";
import { multiplyToCents } from "./amounts.ts";
import { amountCents, readRate, readUnknown } from "./line-amounts.ts";
import { fillAnswer, noteAnswer } from "./one-for-all.ts";
import { remark, type Problem } from "./problem.ts";
import { FileRefused } from "../facts.ts";
import {
  findAgreeing,
  hasRows,
  isKnownCandidate,
  isComplete,
  readCandidates,
  type Candidate,
  type Complete,
} from "./candidates.ts";
import {
  chosenSheets,
  joinSheets,
  refuseOverlap,
  type JoinedTable,
  type SheetTable,
  type Table,
} from "./several-sheets.ts";
import { findKeyLike, type KeyLike } from "./key-like.ts";
import { findUndecided } from "./undecided.ts";
import { joinList, rangesText, toRanges } from "../text/phrases.ts";
import {
  findRowMarks,
  isOpen,
  isOpenValue,
  type ColumnMarks,
  noteLeftOut,
  rowsLeftOut,
} from "./row-marks.ts";
import { warnAboutRows } from "./remarks.ts";
import { refuseRepeated } from "./repeated-charges.ts";
import { noteTotals } from "./total-rows.ts";
import { leftOut, notRead } from "./unread-sheets.ts";

export type { Table };

/** Maximum number of data rows in a file. */
export const MAX_TABLE_ROWS = 30_000;

/** `answered`: the file was accepted before, so its questions are not asked again. */
type Questions = "ask" | "answered";

/**
 * Finds the first visible sheet with the headers of a kind, and its data rows. If the kind allows it, all sheets with the
 * same fields are read together.
 * @param chosen meanings that users chose for columns, and sheets that they left out
 * @throws FileRefused code `columns_missing`, `columns_hidden`, `columns_double`, `headers_missing`, `values_beyond_headers`, `ambiguous_column`, `undecided_columns`,
 *   `layout_unconfirmed`, `sheets_overlap`, `charge_repeated`, `rows_undecided`, `all_left_out`, `no_rows` or `too_many_data_rows`
 * @throws FileRefused the limit that the sheet exceeds
 */
export function findTable<F extends string>(
  kind: SheetKind<F>,
  workbook: Workbook,
  chosen?: ColumnChoices,
  questions: Questions = "ask",
): Table<F> {
  const candidates = readCandidates(kind, workbook, chosen);
  const complete = candidates.filter(isComplete);
  const agreeing = findAgreeing(kind, complete);
  const read = chosenSheets(agreeing, chosen);
  if (read.length === 0) throw mismatch(kind, workbook, candidates);
  const isOfSeveral = read.length > 1;
  const tables = read.map((each) => ({
    ...readSheet(kind, { ...each, isOfSeveral }, questions),
    at: each.at,
  }));
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const [first] = tables;
  const isElsewhere = candidates.some((each) => !isComplete(each) && isKnownCandidate(each) && hasRows(each));
  if (filled.length === 0 && isElsewhere) throw mismatch(kind, workbook, candidates);
  if (filled.length === 0 && first && tables.some(({ notes }) => notes.some(isNotBilled)))
    throw new FileRefused("all_left_out", { sheet: first.sheet });
  if (filled.length === 0 && first)
    throw new FileRefused("no_rows", { sheet: first.sheet, hasSamples: first.hasSamples });
  const places = kind.severalSheets ? filled.map(({ at }) => at) : [0];
  const joined = joinSheets(filled, places);
  refuseTooManyRows(joined);
  if (questions === "ask") refuseOverlap(joined);
  const notes = [
    ...joined.notes,
    ...agreeing.filter((each) => !read.includes(each)).map((each) => leftOut(each, joined.headerRow)),
    ...notRead(candidates, { agreeing, joined }),
  ];
  const provenOrders = proveOrders(kind, candidates.filter(isKnownCandidate));
  return { ...joined, notes, date1904: workbook.date1904, provenOrders };
}

const isNotBilled = ({ code }: Problem): boolean => code === "rows_not_billed";

/** Reads one sheet. */
function readSheet<F extends string>(
  kind: SheetKind<F>,
  { sheet, headers, chosen, layout, isConfirmed, isOfSeveral }: Complete<F> & { isOfSeveral: boolean },
  questions: Questions,
): SheetTable<F> & { hasSamples: boolean } {
  if (sheet.refused) throw sheet.refused;
  refuseExtraColumn(sheet, headers.row);
  if (headers.doubles.length > 0) throw doubleColumns(kind, sheet, headers);
  const divided = divideRows(kind, sheet, headers);
  if (questions === "ask") refuseBeyondHeaders(sheet, headers.row, divided.data);
  if (questions === "ask" && layout && !isConfirmed)
    throw new FileRefused("layout_unconfirmed", { sheet: sheet.name, title: layout.title });
  const rowMarks = findRowMarks(kind, { sheet, rows: divided.rows, headers, layout, isOfSeveral }, chosen);
  if (questions === "ask") {
    refuseAmbiguousColumn(kind, { sheet, headers }, divided.rows);
    refuseUndecided(kind, { sheet, headers, data: divided.data }, rowMarks);
    refuseUnansweredMarks(sheet, headers, rowMarks);
  }
  const table = buildTable(kind, sheet, { headers, divided, rowMarks, layout });
  if (questions === "ask") refuseRepeated(table, chosen);
  return table;
}

function refuseUnansweredMarks(sheet: Sheet, headers: Headers, rowMarks: readonly ColumnMarks[]): void {
  const open = rowMarks.filter(isOpen);
  if (open.length === 0) return;
  throw new FileRefused("rows_undecided", {
    sheet: sheet.name,
    headers: open.map(({ header }) => header),
    cells: open.map(({ index }) => (index === null ? "" : cellName(ownColumn(sheet, index), headers.row))),
    values: open.map(({ values }) => joinList(values.filter(isOpenValue).map(({ value }) => value))),
    rows: open.map(({ values }) =>
      rangesText(
        toRanges(values.flatMap((value) => (isOpenValue(value) ? value.rows : [])).toSorted((a, b) => a - b)),
      ),
    ),
  });
}

function refuseTooManyRows<F extends string>({ rows, sheet, sheets }: JoinedTable<F>): void {
  if (rows.length <= MAX_TABLE_ROWS) return;
  const params = { sheet, sheets: sheets.filter(Boolean), count: rows.length, max: MAX_TABLE_ROWS };
  throw new FileRefused("too_many_data_rows", params);
}

/** Columns that may be a field without which the rows would become other records or amounts. */
export function findAmbiguous(
  kind: SheetKind,
  { sheet, headers }: { sheet: Sheet; headers: Headers },
  rows: readonly SheetRow[],
): Ambiguous[] {
  const columns = headers.columns.filter(({ index }) => index !== headers.answer?.index);
  const has = (field: string) => columns.some((column) => column.field === field);
  const wanted = (kind.requiredChoices ?? []).filter(
    ({ field, given = [], unless = [] }) => ![field, ...unless].some(has) && given.every(has),
  );
  const named = wanted.flatMap((choice): Ambiguous[] => {
    const candidates = headers.notes.filter((note) => couldBe(choice, note, { rows, headers }));
    // "INV", "EST" and "CM" under "Doc" aren't invoice numbers where another column has some.
    const isKey = choice.field === kind.grouping?.key;
    const maybe = candidates.find((note) => !isKey || holdsDigits(sheet, headers, note)) ?? candidates[0];
    return maybe ? [{ index: maybe.column ?? 0, header: maybe.value, field: choice.field }] : [];
  });
  const keys = kind.rowMarks ? findKeyLike(kind, rows, headers) : [];
  return [...named, ...keys.filter(({ index }) => !named.some((match) => match.index === index))];
}

/** Has `rows` where rows would become one record although they differ in the column. */
type Ambiguous = Pick<KeyLike, "index" | "header" | "field"> & Partial<KeyLike>;

function refuseAmbiguousColumn(
  kind: SheetKind,
  { sheet, headers }: { sheet: Sheet; headers: Headers },
  data: readonly SheetRow[],
): void {
  const [first] = findAmbiguous(kind, { sheet, headers }, data);
  if (!first) return;
  const { index, header, field, rows } = first;
  const cell = cellName(ownColumn(sheet, index), headers.row);
  throw new FileRefused("ambiguous_column", {
    header,
    cell,
    sheet: sheet.name,
    field,
    ...(rows && { rows: [...rows] }),
  });
}

/** Refuses all such columns at once, so that a user is asked once. */
function refuseUndecided(
  kind: SheetKind,
  { sheet, headers, data }: { sheet: Sheet; headers: Headers; data: readonly SheetRow[] },
  rowMarks: readonly ColumnMarks[],
): void {
  const columns = findUndecided(kind, data, headers).filter(
    ({ index }) => !rowMarks.some((rowMark) => rowMark.index === index),
  );
  if (columns.length === 0) return;
  throw new FileRefused("undecided_columns", {
    sheet: sheet.name,
    headers: columns.map(({ header }) => header),
    cells: columns.map(({ index }) => cellName(ownColumn(sheet, index), headers.row)),
    sums: columns.map(({ sum }) => sum ?? ""),
  });
}

/** Reports columns that a user ignored although they may change what is billed. */
function noteIgnored(
  kind: SheetKind,
  rows: readonly SheetRow[],
  { headers, layout }: { headers: Headers; layout: Layout | null },
): Problem[] {
  const { row, ignored } = headers;
  // A known export's own money columns that aren't billed need no answer from the user.
  const known = new Set(Object.keys(layout?.columns ?? {}).map(headerKey));
  const unmatched = ignored.filter(({ header }) => !isControl(kind, header) && !known.has(headerKey(header)));
  return findUndecided(kind, rows, { ...headers, unmatched }).map(({ index, header, sum }) =>
    remark("money_ignored", row, { column: index, value: header, params: { sum } }),
  );
}

/** Whether a column, by its header, is only compared; the sheet may have another one for that. */
function isControl({ fields, fieldOfKey }: SheetKind, header: string): boolean {
  const field = fieldOfKey.get(headerKey(header));
  return field !== undefined && fields[field]?.control === true;
}

function couldBe(
  choice: RequiredChoice<string>,
  { code, value, column, params }: Problem,
  { rows, headers: { columns } }: { rows: readonly SheetRow[]; headers: Headers },
): boolean {
  if (code !== "column_ignored" || params["known"]) return false;
  const key = headerKey(value);
  if (choice.notHeaders?.test(key)) return false;
  return choice.headers?.test(key) ?? (column !== null && areQuantities(rows, { index: column, columns }));
}

/** Whether most filled cells of a column have a digit. */
function holdsDigits(sheet: Sheet, { row }: Headers, { column }: Problem): boolean {
  const filled = sheet.rows.flatMap(({ number, cells }) => {
    const cell = column === null ? undefined : cells[column];
    return number <= row || isBlank(cell) ? [] : [headerText(cell)];
  });
  return filled.filter((text) => /\d/.test(text)).length > filled.length / 2;
}

/** Whether most numbers of a column, times the rate, are the amount. */
function areQuantities(
  rows: readonly SheetRow[],
  { index, columns }: { index: number; columns: Headers["columns"] },
): boolean {
  const isProduct = rows.flatMap(({ cells }) => {
    const [amount, rate, cell] = [amountCents(columns, cells), readRate(columns, cells), cells[index]];
    const qty = isBlank(cell) || cell === undefined ? undefined : readUnknown(cell);
    return amount === undefined || rate === undefined || qty === undefined
      ? []
      : [multiplyToCents(qty, rate) === amount];
  });
  return isProduct.filter(Boolean).length > isProduct.length / 2;
}

/** Accepts only the columns of a problem workbook as extra columns. */
function refuseExtraColumn(sheet: Sheet, headerRow: number): void {
  const { maxColumns } = DEFAULT_LIMITS;
  const extra = sheet.rows.find(({ number }) => number === headerRow)?.cells.slice(maxColumns) ?? [];
  const added = extra.every((header) => isAddedHeader(headerText(header))) ? extra.length : 0;
  const wide = sheet.rows.find(({ cells }) => cells.length > maxColumns + added);
  if (wide) throw tooManyColumns(sheet.name, cellName(maxColumns, wide.number), maxColumns);
}

function buildTable<F extends string>(
  kind: SheetKind<F>,
  sheet: Sheet,
  {
    headers,
    divided: { samples, repeats, footers, totals, data, rows: billed },
    rowMarks,
    layout,
  }: {
    headers: Headers<F>;
    divided: ReturnType<typeof divideRows>;
    rowMarks: readonly ColumnMarks[];
    layout: Layout | null;
  },
): SheetTable<F> & { hasSamples: boolean } {
  const left = rowsLeftOut(rowMarks);
  const rows = fillAnswer(
    kind,
    headers,
    left.size === 0 ? billed : billed.filter(({ number }) => !left.has(number)),
  );
  const notes = [
    ...headers.notes,
    ...noteIgnored(kind, data, { headers, layout }),
    ...noteFurtherLines(headers),
    ...noteAnswer(headers),
    ...notePlaceholders(kind, headers, rows),
    ...noteLeftOut(rowMarks, headers.row),
    ...warnAboutRows(sheet, headers, {
      data: data.filter(({ number }) => !left.has(number)),
      left: data.filter(({ number }) => left.has(number)),
      samples,
      repeats,
      footers,
      totals: totals.map(({ row }) => row),
    }),
    ...noteTotals(totals),
  ];
  const { row: headerRow, columns, furtherLines } = headers;
  const own = sheet.rows.find(({ number }) => number === headerRow);
  const { answer } = headers;
  const cells = (own && answer ? withCell(own, answer.index, answer.header) : own)?.cells ?? [];
  const { name, formedOf } = sheet;
  const read = { kind, sheet: name, formedOf, headerRow, headers: cells, columns, furtherLines, rows, notes };
  return { ...read, hasSamples: samples.length > 0 };
}

/** Says once that one row has several lines. */
function noteFurtherLines({ row, furtherLines }: Headers): Problem[] {
  const [first] = furtherLines.flat();
  if (!first) return [];
  const headers = furtherLines.flatMap((line) => line.map(({ header }) => header));
  const params = { headers: headers.slice(0, 3), count: headers.length };
  return [{ ...remark("further_lines", row, { column: first.index, params }), severity: "info" }];
}

const visible = ({ sheets }: Workbook) => sheets.filter((sheet) => sheet.state === "visible");

function mismatch(kind: SheetKind, workbook: Workbook, candidates: readonly Candidate[]): Error {
  const refused = visible(workbook).find((sheet) => sheet.refused && findHeaders(kind, sheet));
  if (refused?.refused && findHeaders(kind, refused)?.missing.length === 0) return refused.refused;
  const hidden = workbook.sheets.find(
    (sheet) => sheet.state === "hidden" && findHeaders(kind, sheet)?.missing.length === 0,
  );
  if (hidden) return new FileRefused("columns_hidden", { sheet: hidden.name });
  const tooWide = visible(workbook).find((sheet) => sheet.refused?.code === "too_many_columns");
  const best = candidates
    .filter(isKnownCandidate)
    .toSorted(
      (a, b) =>
        Number(hasRows(b)) - Number(hasRows(a)) || b.headers.columns.length - a.headers.columns.length,
    )[0];
  if (!best) return tooWide?.refused ?? headersMissing(candidates);
  // Alternative fields are joined into one text: a list of lists isn't a plain fact.
  const missing = best.headers.missing.map((choice) => choice.join(" "));
  return new FileRefused("columns_missing", { sheet: best.sheet.name, row: best.headers.row, missing });
}

function headersMissing([first]: readonly Candidate[]): FileRefused {
  const row = first?.sheet.rows.find(({ number }) => number === first.headers?.row) ?? first?.sheet.rows[0];
  const cells = row?.cells.filter((cell) => typeof cell === "string").slice(0, 6) ?? [];
  return new FileRefused("headers_missing", { sheet: first?.sheet.name ?? "", cells });
}

function doubleColumns(kind: SheetKind, sheet: Sheet, { row, doubles }: Headers): FileRefused {
  return new FileRefused("columns_double", {
    sheet: sheet.name,
    headers: doubles.flatMap(({ columns }) => columns.map(({ header }) => header)),
    cells: doubles.flatMap(({ columns }) =>
      columns.map(({ index }) => cellName(ownColumn(sheet, index), row)),
    ),
    fields: doubles.flatMap(({ field, columns }) => columns.map(() => kind.fields[field]?.header ?? field)),
  });
}
