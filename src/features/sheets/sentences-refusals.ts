import { monthAndDay } from "#formats/table/dates.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { LAST_HEADER_ROW, requiredFields } from "#formats/table/headers.ts";
import {
  listParam as list,
  numberParam as number,
  textParam as text,
  type Params,
  type FileRefused,
} from "#formats/facts.ts";
import type { Undecided } from "#formats/table/undecided.ts";
import { unknownSentence } from "#features/sheets/sentences.ts";
import { capitalize, formatCount, joinList, quote } from "#formats/text/phrases.ts";

type Refusal = Pick<FileRefused, "code" | "params">;

/** Reply code and sentence for a refused file. */
export function refusalReply(kind: SheetKind, refusal: Refusal): { code: string; detail: string } {
  const { code } = refusal;
  return {
    code: TEMPLATE_FAULTS.has(code) ? "template_mismatch" : (LIMITS[code] ?? code),
    detail: refusalSentence(kind, refusal),
  };
}

/** Codes that share one reply code because users see one limit. */
const LIMITS: Readonly<Record<string, string>> = {
  too_many_texts: "too_many_cells",
  too_many_data_rows: "too_many_rows",
};

/** Refusals for which the page offers to match the columns. */
const TEMPLATE_FAULTS: ReadonlySet<string> = new Set([
  "columns_missing",
  "columns_hidden",
  "columns_double",
  "headers_missing",
  "headers_not_found",
  "ambiguous_column",
  "undecided_columns",
  "layout_unconfirmed",
  "sheets_overlap",
  "charge_repeated",
  "rows_undecided",
  "all_left_out",
]);

export function refusalSentence(kind: SheetKind, { code, params }: Refusal): string {
  const sheet = quote(text(params, "sheet"));
  const { record, records } = kind.words;
  const sentences: Record<string, () => string> = {
    columns_missing: () => `${USE_TEMPLATE} ${columnsMissing(kind, params)}`,
    columns_hidden: () =>
      `${USE_TEMPLATE} Its columns are on the hidden sheet ${sheet}: unhide that sheet, save, and upload the file again.`,
    columns_double: () =>
      `${USE_TEMPLATE} On sheet ${sheet}, ${columnsDouble(params)}. Keep one of them and upload the file again.`,
    headers_missing: () => `${USE_TEMPLATE} ${headersMissing(kind, params)}`,
    headers_not_found: () =>
      `No sheet of the file has a row of column headers in its first ${LAST_HEADER_ROW} rows.`,
    values_beyond_headers: () =>
      `Row ${number(params, "row")} has more values than there are headers. Put values with a comma, such as 1,200.00, in quotation marks, or give each column a header, and upload the file again.`,
    ambiguous_column: () =>
      list(params, "rows").length > 0
        ? `${rowsMerged(kind, list(params, "rows"), `column ${quote(text(params, "header"))} in ${text(params, "cell")}`)} Is it the ${kind.fields[text(params, "field")]?.header ?? ""}? Match it, or ignore it.`
        : `Column ${quote(text(params, "header"))} in ${text(params, "cell")} of sheet ${sheet} may be the ${kind.fields[text(params, "field")]?.header ?? ""}; no other column matches it. Match it, or ignore it.`,
    layout_unconfirmed: () =>
      `This looks like a ${text(params, "title")}. Check how we matched its columns, then continue.`,
    rows_undecided: () => rowsUndecided(params),
    undecided_columns: () => undecidedColumns(list(params, "headers"), params),
    charge_repeated: () =>
      `Column ${quote(text(params, "header"))} has money on several rows of one ${record} (${joinList(list(params, "cells"))}). ${repeatedQuestion(record)}`,
    sheets_overlap: () => sheetsOverlap(kind, params),
    all_left_out: () =>
      `All rows of sheet ${sheet} are left out, as chosen for this company, so nothing would be billed. Change which rows are billed, or choose another file.`,
    no_rows: () =>
      `Sheet ${sheet} has ${params["hasSamples"] ? "only the sample rows of the template" : "no rows below its headers"}. Add your ${records} and upload the file again.`,
    too_many_data_rows: () =>
      `${severalSheets(params) ?? `Sheet ${sheet} has`} ${formatCount(number(params, "count"))} rows; you can upload at most ${formatCount(number(params, "max"))} at a time. Split it into several files, keeping the lines of each ${record} together, and upload them one after the other.`,
    date_order_unclear: () =>
      `Is ${text(params, "value")} in ${text(params, "cell")} ${monthAndDay(text(params, "mdy"))} or ${monthAndDay(text(params, "dmy"))}? We couldn't tell from this file.`,
    dates_swapped: () => datesSwapped(params),
  };
  return sentences[code]?.() ?? fileSentence(code, params, record) ?? unknownSentence(code);
}

const severalSheets = (params: Params): string | undefined => {
  const sheets = list(params, "sheets");
  return sheets.length > 1 ? `Sheets ${joinList(sheets.map(quote))} together have` : undefined;
};

/** Two sheets that repeat a record. */
export function sheetsOverlap({ words: { record } }: SheetKind, params: Params): string {
  const name = text(params, "name");
  const what = name ? `${text(params, "header")} ${name}` : `The ${record} of row ${number(params, "row")}`;
  return `${what} is on sheets ${quote(text(params, "first"))} and ${quote(text(params, "second"))}. Choose the sheets to read so that it's billed once, or keep it on only one of them.`;
}

/** Beside a column that must be matched or ignored. */
export function undecidedReason({ orElse, guess }: Pick<Undecided, "orElse" | "guess">): string {
  if (orElse !== undefined) return "Is it a percentage or an amount?";
  return guess === null ? "May change the amount" : "Used for the amount";
}

/** Beside a column with money of a record on several of its rows. */
export const repeatedQuestion = (record: string): string =>
  `Is it billed once per ${record}, or once per row?`;

/** Beside a column in which rows differ that would become one record. */
export const mergedReason = (kind: SheetKind, field: string, rows: readonly string[]): string =>
  `${rowsMerged(kind, rows, "this column")} Is it the ${kind.fields[field]?.header ?? ""}?`;

const rowsMerged = ({ words }: SheetKind, [first, other]: readonly string[], where: string): string =>
  `Rows ${first} and ${other} would become one ${words.record}, but differ in ${where}.`;

export const ambiguousReason = (kind: SheetKind, field: string): string =>
  `This may be ${kind.fields[field]?.header ?? ""}.`;

function undecidedColumns(headers: readonly string[], params: Params): string {
  const [cells, sums] = [list(params, "cells"), list(params, "sums")];
  const named = headers.map((header, at) =>
    [quote(header), ` (${[cells[at], sums[at] && `sum ${sums[at]}`].filter(Boolean).join(", ")})`].join(""),
  );
  const isOne = headers.length === 1;
  return `${isOne ? "Column" : "Columns"} ${joinList(named)} may change what you bill. Match ${isOne ? "it" : "each"}, or ignore it.`;
}

/** `params` has parallel lists; a column without a cell stands for hidden rows. */
function rowsUndecided(params: Params): string {
  const [headers, cells] = [list(params, "headers"), list(params, "cells")];
  const [values, rows] = [list(params, "values"), list(params, "rows")];
  const asked = cells.map((cell, at) => {
    const where = `${/^\d+$/.test(rows[at] ?? "") ? "row" : "rows"} ${rows[at]}`;
    return headers[at]
      ? `${quote(headers[at])}${cell ? ` in ${cell}` : ""} says ${values[at]} (${where})`
      : `${where} of sheet ${quote(text(params, "sheet"))} ${where.startsWith("rows") ? "are" : "is"} hidden`;
  });
  return `${capitalize(joinList(asked))}. Should these rows be billed? Choose for each.`;
}

const USE_TEMPLATE = "The selected file must use the template.";

function columnsMissing(kind: SheetKind, params: Params): string {
  const missing = list(params, "missing").map((choice) =>
    joinList(
      choice.split(" ").map((field) => quote(kind.fields[field]?.header ?? field)),
      "or",
    ),
  );
  const isOne = missing.length === 1;
  return `Sheet ${quote(text(params, "sheet"))} has its headers in row ${number(params, "row")}, but ${isOne ? "this column is" : "these columns are"} missing: ${joinList(missing)}. Add ${isOne ? "it" : "them"} and upload the file again.`;
}

function headersMissing(kind: SheetKind, params: Params): string {
  const cells = list(params, "cells");
  const seen =
    cells.length > 0
      ? ` Sheet ${quote(text(params, "sheet"))} starts with ${joinList(cells.map(quote))}.`
      : "";
  return `No sheet has its columns in the first ${LAST_HEADER_ROW} rows: ${requiredHeaders(kind)}.${seen} Download the template and copy your rows into it.`;
}

/** `"Customer", "Item", and "Amount" or "Qty" with "Rate"` */
function requiredHeaders(kind: SheetKind): string {
  const header = (field: string) => quote(kind.fields[field]?.header ?? field);
  const required = requiredFields(kind).map(({ field, unless }) =>
    unless.length === 0 ? header(field) : `${header(field)} or ${unless.map(header).join(" with ")}`,
  );
  return joinList(required);
}

/** `params` has three parallel lists; columns of one field are adjacent. */
function columnsDouble(params: Params): string {
  const [headers, cells, fields] = [list(params, "headers"), list(params, "cells"), list(params, "fields")];
  const doubles = Map.groupBy(fields.keys(), (index) => fields[index]);
  return [...doubles]
    .map(([field, indexes]) => {
      const places = indexes.map((index) => `${quote(headers[index] ?? "")} in ${cells[index]}`);
      return `${joinList(places)} ${places.length === 2 ? "both" : "all"} stand for "${field}"`;
    })
    .join("; ");
}

function datesSwapped(params: Params): string {
  const [written, read] = params["order"] === "dmy" ? ["day", "month"] : ["month", "day"];
  const place = (value: string, cell: string) => `${quote(text(params, value))} in ${text(params, cell)}`;
  return `Excel seems to have swapped day and month in column ${quote(text(params, "header"))}: its dates with the ${written} first, such as ${place("text", "textCell")}, stayed text, and no real date in it, such as ${place("real", "realCell")}, has a day after the 12th. So Excel read the file with the ${read} first. Upload the original file, from before Excel opened it, or write all dates of the column with the month's name: January 31, 2026.`;
}

/** Explains why a file can't be read and what to do about it; undefined for other codes. */
export function fileSentence(code: string, params: Params, record: string): string | undefined {
  const max = formatCount(number(params, "max"));
  const sentences: Record<string, () => string> = {
    empty_file: () => "The selected file is empty. Save it again and upload the saved file.",
    encrypted: () =>
      "The selected file is password protected. In Excel choose File > Info > Protect Workbook > Encrypt with Password, clear the password, save, and upload the file again.",
    macros: () =>
      "The selected file contains macros. In Excel choose File > Save As > Excel Workbook (*.xlsx), which leaves the macros out, and upload that file.",
    damaged: () =>
      `The selected file is damaged (${text(params, "where")}). Open it in Excel, save it again as an Excel Workbook (*.xlsx), and upload that file.`,
    not_plain: () =>
      "The selected file isn't a plain Excel file: it carries a document type declaration, which Excel never writes. Open it in Excel, save it as an Excel Workbook (*.xlsx), and upload that file.",
    no_sheets: () =>
      "The selected file has no filled cells. Put your rows on a sheet and upload the file again.",
    not_xlsx: () => otherKind(text(params, "what")),
    old_excel: () => otherKind("an Excel 97-2003 file (.xls)"),
    binary_excel: () => otherKind("an Excel Binary Workbook (.xlsb)"),
    google_shortcut: () =>
      "The selected file is a shortcut to a Google Sheet and holds no rows. Open the sheet in Google Sheets, choose File > Download > Microsoft Excel (.xlsx), and upload that file.",
    numbers_document: () =>
      "The selected file is a Numbers document. In Numbers choose File > Export To > Excel, and upload that file.",
    open_document: () => otherKind("an OpenDocument spreadsheet (.ods)"),
    not_text: () =>
      "The selected file isn't a CSV file: it holds bytes that aren't text. Save it again as CSV or as an Excel Workbook (*.xlsx) and upload that file.",
    web_page: () =>
      "The selected file is a web page (HTML), not a CSV file. Open it in Excel, choose File > Save As > Excel Workbook (*.xlsx), and upload that file.",
    quote_not_closed: () =>
      `Row ${number(params, "row")} of the selected file opens a quotation mark (") that is never closed. Close it, or remove it, and upload the file again.`,
    control_character: () =>
      `Row ${number(params, "row")} of the selected file holds a control character (${controlName(number(params, "code"))}), which isn't text. Remove it, or type the value again, and upload the file again.`,
    text_too_long: () =>
      params["cell"] === undefined
        ? `Row ${number(params, "row")} of the selected file holds a text of more than ${max} characters. Shorten it, or look for a quotation mark that isn't closed, and upload the file again.`
        : `${text(params, "cell")} on sheet "${text(params, "sheet")}" holds more than ${max} characters, which Excel doesn't allow. Shorten it and upload the file again.`,
    too_large_unpacked: () =>
      `The selected file is too large when unpacked (limit ${number(params, "megabytes")} MB). ${FEWER_ROWS}`,
    too_many_parts: () =>
      "The selected file has too many parts inside to be a plain spreadsheet. Copy the rows into a new one and upload that file.",
    too_many_texts: () => `The selected file has too much text. ${FEWER_ROWS}`,
    too_many_cells: () =>
      `The selected file has more than ${max} cells with values. ${params["isText"] ? splitFile(record) : FEWER_ROWS}`,
    too_many_columns: () =>
      params["isText"]
        ? `The selected file has more than ${max} columns with values. Remove the columns you don't need and upload the file again.`
        : `Sheet "${text(params, "sheet")}" has a value in ${text(params, "cell")}, beyond the last column allowed (${text(params, "last")}). Delete the columns you don't need and upload the file again.`,
    too_many_rows: () =>
      params["isText"]
        ? `The selected file has more than ${max} rows with values. ${splitFile(record)}`
        : `Sheet "${text(params, "sheet")}" has more than ${max} rows with values. Split it into several files and upload them one after the other.`,
    took_too_long: () => `Reading the selected file took too long. ${FEWER_ROWS}`,
    too_much_memory: () => `The selected file needs too much memory to read. ${FEWER_ROWS}`,
  };
  return sentences[code]?.();
}

const FEWER_ROWS = "Copy only the rows you need into a new file and upload that.";

const otherKind = (what: string) =>
  `The selected file must be an XLSX spreadsheet. It is ${what}. In Excel choose File > Save As > Excel Workbook (*.xlsx) and upload that file.`;

const splitFile = (record: string) =>
  `Split it into several files, keeping the lines of each ${record} together, and upload them one after the other.`;

function controlName(code: number): string {
  const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code === 0 ? `NUL, ${point}` : point;
}
