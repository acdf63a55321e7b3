import { cellName } from "#formats/xlsx/cell-names.ts";
import { DEFAULT_LIMITS } from "#formats/xlsx/limits.ts";
import { tooManyColumns, WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { Sheet, SheetRow, Workbook } from "#formats/xlsx/workbook.ts";
import { MAX_DATA_ROWS } from "#features/invoices/contract.ts";
import { fieldHeader, specOf } from "#features/invoices/workbook/rules-fields.ts";
import {
  headerKey,
  headerText,
  isBlank,
  readHeaders,
  REASON_HEADER,
  type Column,
  type ColumnChoice,
  type Headers,
} from "#features/invoices/workbook/rules-headers.ts";
import type { Problem } from "#features/invoices/workbook/rules-problems.ts";
import { listOf, quote } from "#features/invoices/workbook/rules-problems.ts";
import { isSampleRow } from "#features/invoices/workbook/rules-sample.ts";
import { remarksOnRows } from "#features/invoices/workbook/rules-remarks.ts";

/** The rows to be made into invoices. `rows` are those with a value in a known column, samples of the template left out. */
export type Table = {
  sheet: string;
  headerRow: number;
  columns: Column[];
  rows: SheetRow[];
  /** Plain numbers count days from 1904, not from 1900. */
  date1904: boolean;
  notes: Problem[];
};

/** The header row stands in one of the first ten rows. */
const LAST_HEADER_ROW = 10;

/**
 * Finds the first visible sheet with the template's headers and its data rows.
 * @param chosen fields by header key that people of the company confirmed
 * @throws WorkbookRefused code `template_mismatch` naming the missing or double columns; `no_rows`; `too_many_rows`;
 *   or the limit the sheet itself breaks
 */
export function findTable(workbook: Workbook, chosen?: ReadonlyMap<string, ColumnChoice>): Table {
  const candidates = visible(workbook).map((sheet) => ({ sheet, headers: bestHeaders(sheet, chosen) }));
  const complete = candidates.filter(({ headers }) => headers?.missing.length === 0);
  const found = complete.find(hasRows) ?? complete[0];
  if (!found?.headers) throw mismatch(workbook, candidates);
  const { sheet } = found;
  if (sheet.refused) throw sheet.refused;
  refuseSpareColumn(sheet, found.headers.row);
  const headers = withoutEmptyDoubles(sheet, found.headers);
  if (headers.doubles.length > 0) throw doubleColumns(sheet.name, headers);
  refuseUnsureNumber(sheet.name, headers);
  const table = { ...tableOf(sheet, headers), date1904: workbook.date1904 };
  const others = complete.filter((each) => each.sheet !== sheet && hasRows(each));
  return { ...table, notes: [...table.notes, ...others.map((each) => notRead(each.sheet, table))] };
}

/** A sheet of headers only, as of a template that was copied from, is not the one with the invoices. */
function hasRows({ sheet, headers }: Candidate): boolean {
  return (
    headers !== undefined &&
    (sheet.refused !== null || sheet.rows.some((row) => row.number > headers.row && holdsData(row, headers)))
  );
}

const holdsData = ({ cells }: SheetRow, { columns }: Headers) =>
  columns.some(({ index }) => !isBlank(cells[index]));

const visible = ({ sheets }: Workbook) => sheets.filter((sheet) => sheet.state === "visible");

export function bestHeaders(sheet: Sheet, chosen?: ReadonlyMap<string, ColumnChoice>): Headers | undefined {
  return sheet.rows
    .filter((row) => row.number <= LAST_HEADER_ROW)
    .map((row) => readHeaders(row, sheet, chosen))
    .filter((headers) => headers.columns.length >= 2)
    .toSorted((a, b) => b.columns.length - a.columns.length || a.row - b.row)[0];
}

/** Of two columns for one thing, as other importers have them, one that holds nothing cannot be meant. */
function withoutEmptyDoubles(sheet: Sheet, headers: Headers): Headers {
  const below = headers.doubles.length === 0 ? [] : sheet.rows.filter(({ number }) => number > headers.row);
  const isEmpty = ({ index }: Column) => below.every(({ cells }) => isBlank(cells[index]));
  const empty = headers.doubles.flatMap(({ columns }) => {
    const without = columns.filter(isEmpty);
    return without.length === columns.length ? without.slice(1) : without;
  });
  const kept = (columns: Column[]) => columns.filter((column) => !empty.includes(column));
  const doubles = headers.doubles.map(({ field, columns }) => ({ field, columns: kept(columns) }));
  return {
    ...headers,
    columns: kept(headers.columns),
    doubles: doubles.filter(({ columns }) => columns.length > 1),
  };
}

/** Headers that may be of invoice numbers, or of lines, customers and orders as well. */
const MAYBE_NUMBERS: ReadonlySet<string> = new Set(
  "no nr id ref reference invoiceid invoiceref doc document docid documentid voucher voucherno vchno billno billnumber orderno ordernumber receiptno salesno txnno txnid txnnumber transactionno transactionid".split(
    " ",
  ),
);

/** Without its numbers a file would be posted as other invoices: rows of one customer and date would come together. */
function refuseUnsureNumber(sheet: string, { columns, notes }: Headers): void {
  if (columns.some(({ field }) => field === "invoiceNo" || field === "group")) return;
  const maybe = notes.find(
    ({ code, header }) => code === "column_ignored" && MAYBE_NUMBERS.has(headerKey(header)),
  );
  if (!maybe) return;
  throw new WorkbookRefused(
    "template_mismatch",
    `Column ${quote(maybe.header)} in ${maybe.cell} of sheet ${quote(sheet)} may hold the invoice numbers, and no other column does. Say what it holds or leave it out, or name it "Invoice No" and upload the file again.`,
  );
}

/** The spare column is for the reasons of a corrected workbook, and for nothing else. */
function refuseSpareColumn(sheet: Sheet, headerRow: number): void {
  const { maxColumns } = DEFAULT_LIMITS;
  const header = sheet.rows.find(({ number }) => number === headerRow)?.cells[maxColumns];
  if (headerText(header) === REASON_HEADER) return;
  const wide = sheet.rows.find(({ cells }) => cells.length > maxColumns);
  if (wide) throw tooManyColumns(sheet.name, cellName(maxColumns, wide.number), maxColumns);
}

function tableOf(sheet: Sheet, headers: Headers): Omit<Table, "date1904"> {
  const below = sheet.rows.filter((row) => row.number > headers.row);
  const filled = below.filter((row) => holdsData(row, headers));
  const repeats = filled.filter((row) => isHeaderAgain(row, headers));
  const totals = filled.filter((row) => isTotal(row, headers));
  const data = filled.filter((row) => !repeats.includes(row) && !totals.includes(row));
  const samples = data.filter((row) => isSampleRow(row, headers.columns));
  const rows = data.filter((row) => !samples.includes(row));
  if (rows.length === 0) throw noRows(sheet.name, samples.length > 0);
  if (rows.length > MAX_DATA_ROWS) throw tooManyRows(sheet.name, rows.length);
  const notes = [...headers.notes, ...remarksOnRows(sheet, headers, { data, samples, repeats, totals })];
  return { sheet: sheet.name, headerRow: headers.row, columns: headers.columns, rows, notes };
}

/** Some programs print the headers again on every page. */
function isHeaderAgain({ cells }: SheetRow, { columns }: Headers): boolean {
  const filled = columns.filter(({ index }) => !isBlank(cells[index]));
  return filled.length > 1 && filled.every(({ index, header }) => headerText(cells[index]) === header);
}

const FIGURES: ReadonlySet<string> = new Set(["decimal", "money"]);

/** "Total", "Grand Total", "1001 Total" and figures, and no Item: never a line of an invoice. */
function isTotal({ cells }: SheetRow, { columns }: Headers): boolean {
  const filled = columns.filter(({ index }) => !isBlank(cells[index]));
  const [label, ...more] = filled.filter(({ field }) => !FIGURES.has(specOf(field).kind));
  if (!label || label.field === "item" || more.length > 0 || filled.length < 2) return false;
  return /\b(?:sub-?)?totals?\s*:?$/i.test(headerText(cells[label.index]));
}

/** A second sheet of invoices must not be passed over in silence. */
function notRead(other: Sheet, { sheet, headerRow, columns }: Table): Problem {
  return {
    sheet,
    cell: `A${headerRow}`,
    row: headerRow,
    header: columns[0]?.header ?? "",
    severity: "warning",
    code: "sheet_not_read",
    value: other.name,
    text: `Sheet ${quote(sheet)} was read. Sheet ${quote(other.name)} has the columns too but was not: upload it as a file of its own.`,
  };
}

type Candidate = { sheet: Sheet; headers: Headers | undefined };

function mismatch(workbook: Workbook, candidates: readonly Candidate[]): WorkbookRefused {
  const refused = visible(workbook).find((sheet) => sheet.refused && bestHeaders(sheet));
  if (refused?.refused && bestHeaders(refused)?.missing.length === 0) return refused.refused;
  const hidden = workbook.sheets.find(
    (sheet) => sheet.state === "hidden" && bestHeaders(sheet)?.missing.length === 0,
  );
  if (hidden) {
    return new WorkbookRefused(
      "template_mismatch",
      `The selected file must use the template. Its columns are on the hidden sheet ${quote(hidden.name)}: unhide that sheet, save, and upload the file again.`,
    );
  }
  const tooWide = visible(workbook).find((sheet) => sheet.refused?.code === "too_many_columns");
  const best = candidates
    .filter((each): each is { sheet: Sheet; headers: Headers } => each.headers !== undefined)
    .toSorted((a, b) => b.headers.columns.length - a.headers.columns.length)[0];
  if (!best) return tooWide?.refused ?? noHeaders(candidates);
  const missing = best.headers.missing.map((names) =>
    listOf(
      names.map((field) => quote(fieldHeader(field))),
      "or",
    ),
  );
  return new WorkbookRefused(
    "template_mismatch",
    `The selected file must use the template. Sheet ${quote(best.sheet.name)} has its headers in row ${best.headers.row}, but ` +
      `${missing.length === 1 ? "this column is" : "these columns are"} missing: ${missing.join(", ")}. Add ${missing.length === 1 ? "it" : "them"} and upload the file again.`,
  );
}

function noHeaders(candidates: readonly Candidate[]): WorkbookRefused {
  const first = candidates[0]?.sheet;
  const cells = first?.rows[0]?.cells.filter((cell) => typeof cell === "string").slice(0, 6) ?? [];
  const seen =
    cells.length > 0
      ? ` Sheet ${quote(first?.name ?? "")} starts with ${listOf(cells.map((cell) => quote(String(cell))))}.`
      : "";
  return new WorkbookRefused(
    "template_mismatch",
    `The selected file must use the template. No sheet has its columns in the first ${LAST_HEADER_ROW} rows: ` +
      `"Customer", "Invoice Date", "Item", and "Amount" or "Qty" with "Rate".${seen} Download the template and copy your rows into it.`,
  );
}

function doubleColumns(sheet: string, headers: Headers): WorkbookRefused {
  const doubles = headers.doubles.map(({ field, columns }) => {
    const places = columns.map(({ header, index }) => `${quote(header)} in ${cellName(index, headers.row)}`);
    return `${listOf(places)} ${columns.length === 2 ? "both" : "all"} stand for "${fieldHeader(field)}"`;
  });
  return new WorkbookRefused(
    "template_mismatch",
    `The selected file must use the template. On sheet ${quote(sheet)}, ${doubles.join("; ")}. Keep one of them and upload the file again.`,
  );
}

function noRows(sheet: string, hasSamples: boolean): WorkbookRefused {
  const what = hasSamples ? "only the sample rows of the template" : "no rows below its headers";
  return new WorkbookRefused(
    "no_rows",
    `Sheet ${quote(sheet)} has ${what}. Add your invoices and upload the file again.`,
  );
}

function tooManyRows(sheet: string, count: number): WorkbookRefused {
  return new WorkbookRefused(
    "too_many_rows",
    `Sheet ${quote(sheet)} has ${count.toLocaleString("en-US")} rows; at most ${MAX_DATA_ROWS.toLocaleString("en-US")} are taken at once. ` +
      "Split it into several workbooks, keeping the lines of each invoice together, and upload them one after the other.",
  );
}
