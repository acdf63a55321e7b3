import { spellDate } from "#formats/table/dates.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { LAST_HEADER_ROW, requiredFields } from "#formats/table/headers.ts";
import {
  listParam as list,
  numberParam as number,
  textParam as text,
  type Params,
  type FileRefused,
} from "#formats/facts.ts";
import { fileSentence } from "#features/sheets/sentences-files.ts";
import { unknownSentence } from "#features/sheets/sentences.ts";
import { formatCount, joinList, quote } from "#formats/text/phrases.ts";

type Refusal = Pick<FileRefused, "code" | "params">;

/** Why a file cannot be read as a sheet of a kind: the code of the reply and its sentence. */
export function refusalReply(kind: SheetKind, refusal: Refusal): { code: string; detail: string } {
  const { code } = refusal;
  return {
    code: TEMPLATE_FAULTS.has(code) ? "template_mismatch" : (LIMITS[code] ?? code),
    detail: refusalSentence(kind, refusal),
  };
}

/** Replies have one code for what counts as one limit. */
const LIMITS: Readonly<Record<string, string>> = {
  too_many_texts: "too_many_cells",
  too_many_data_rows: "too_many_rows",
};

/** Users are offered to say what the columns mean. */
const TEMPLATE_FAULTS: ReadonlySet<string> = new Set([
  "columns_missing",
  "columns_hidden",
  "columns_double",
  "headers_missing",
  "headers_not_found",
  "column_unsure",
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
    headers_not_found: () => "No sheet of the file has a row of column headers in its first ten rows.",
    column_unsure: () =>
      `Column ${quote(text(params, "header"))} in ${text(params, "cell")} of sheet ${sheet} may be the ${kind.fields[text(params, "field")]?.header ?? ""}, and no other column is. Match it, or ignore it.`,
    no_rows: () =>
      `Sheet ${sheet} has ${params["hasSamples"] ? "only the sample rows of the template" : "no rows below its headers"}. Add your ${records} and upload the file again.`,
    too_many_data_rows: () =>
      `Sheet ${sheet} has ${formatCount(number(params, "count"))} rows; the most we take at once is ${formatCount(number(params, "max"))}. Split it into several files, keeping the lines of each ${record} together, and upload them one after the other.`,
    date_order_unclear: () =>
      `Is ${text(params, "value")} in ${text(params, "cell")} ${monthAndDay(text(params, "mdy"))} or ${monthAndDay(text(params, "dmy"))}? We couldn't tell from this file.`,
    dates_swapped: () => datesSwapped(params),
  };
  return sentences[code]?.() ?? fileSentence(code, params, record) ?? unknownSentence(code);
}

/** "March 4" */
const monthAndDay = (iso: string) => spellDate(iso).replace(/, \d+$/, "");

const USE_TEMPLATE = "The selected file must use the template.";

function columnsMissing(kind: SheetKind, params: Params): string {
  const missing = list(params, "missing").map((choice) =>
    joinList(
      choice.split(" ").map((field) => quote(kind.fields[field]?.header ?? field)),
      "or",
    ),
  );
  const isOne = missing.length === 1;
  return `Sheet ${quote(text(params, "sheet"))} has its headers in row ${number(params, "row")}, but ${isOne ? "this column is" : "these columns are"} missing: ${missing.join(", ")}. Add ${isOne ? "it" : "them"} and upload the file again.`;
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
  return required.length < 2
    ? required.join("")
    : `${required.slice(0, -1).join(", ")}, and ${required.at(-1)}`;
}

/** Places come in three lists of one length, the columns of one field behind each other. */
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
  return `Excel seems to have swapped day and month in column ${quote(text(params, "header"))}: its dates with the ${written} first, such as ${place("text", "textCell")}, stayed text, and no real date in it, such as ${place("real", "realCell")}, has a day after the 12th. So Excel read the file with the ${read} first. Upload the file it came from as it was before Excel opened it, or write all dates of the column with the name of the month: January 31, 2026.`;
}
