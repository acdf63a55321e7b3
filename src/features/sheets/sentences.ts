import { PLAIN_CHARACTERS } from "#formats/table/texts.ts";
import { monthAndDay, spellDate } from "#formats/table/dates.ts";
import { withDecimalPoint } from "#formats/table/numbers.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Problem } from "#formats/table/problem.ts";
import { listParam as list, numberParam as number, textParam as text, type Params } from "#formats/facts.ts";
import { cleanText } from "#formats/table/texts.ts";
import { formatCount, quote, rangesText, capitalize, joinList, shorten } from "#formats/text/phrases.ts";
import { cellPlace } from "#formats/table/places.ts";
import { ownRow, rowText, type SheetNames } from "#formats/text/sheet-rows.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";

/** Formats texts, cells and rows of a file inside a sentence; rows as ranges from `toRanges`. */
export type Wording = {
  quote: (text: string) => string;
  cell: (column: number, row: number) => string;
  rows: (ranges: readonly number[]) => string;
};

/** Wording for users who have the file in front of them. @param sheets names of those that were read together */
export const besideFile = (sheets: SheetNames): Wording => ({
  quote,
  cell: (column, row) => cellPlace(column, row, sheets),
  rows: (ranges) => rangesText(ranges, sheets),
});
export const BESIDE_FILE = besideFile([]);

/** Wording for users who have another workbook in front of them, in which the cells have moved. */
export const awayFrom = (fileName: string, sheets: SheetNames): Wording => ({
  quote,
  cell: (_column, row) => `row ${rowText(row, sheets)} of ${quote(fileName)}`,
  rows: (ranges) => `${rangesText(ranges, sheets)} of ${quote(fileName)}`,
});

/** Describes a problem in one or two full sentences, without its place. */
export function problemSentence(kind: SheetKind, problem: Problem, wording = BESIDE_FILE): string {
  return noteSentence(kind, problem) ?? cellSentence(kind, problem, wording) ?? unknownSentence(problem.code);
}

/** Sentence for a stored code that this version does not know, since stored codes outlive versions. */
export const unknownSentence = (code: string): string =>
  `We have no explanation for "${code}". Contact us and quote this code.`;

/** `rows`: first and last of a range that has the same problem, by default its own; `sheets`: names of those read. */
export type Place = { rows?: readonly [number, number] | undefined; sheets?: SheetNames };

/**
 * Puts the place in front of a sentence: the cell, or the row if the sheet has no such column.
 */
export function withPlace(
  { field, row, column }: Problem,
  sentence: string,
  { rows: [first, last] = [row, row], sheets = [] }: Place = {},
): string {
  const isOne = first === last;
  if (column !== null) {
    const from = cellPlace(column, first, sheets);
    return `${isOne ? from : `${from}-${cellName(column, ownRow(last))}`}: ${sentence}`;
  }
  if (field === null) return sentence;
  return `${isOne ? "Row" : "Rows"} ${rangesText([first, last], sheets)}: ${sentence}`;
}

function cellSentence(kind: SheetKind, problem: Problem, wording: Wording): string | undefined {
  const { code, field, value, params } = problem;
  const header = kind.fields[field ?? ""]?.header ?? "";
  const { receiver } = kind.words;
  const sentences: Record<string, () => string> = {
    values_differ: () => valuesDiffer(kind, header, problem, wording),
    lines_apart: () => linesApart(kind, problem, wording),
    rows_equal: () =>
      `Rows ${wording.rows(list(params, "rows").map(Number))} are identical, and each is billed. If one was copied by mistake, remove it.`,
    formula_error: () => `The formula shows ${value}.`,
    formula_without_value: () =>
      "The formula has no saved result. Open the file in Excel, save it, and upload it again.",
    not_a_date: () => `We can't read this date. ${dateHint(params)}`,
    date_ambiguous: () =>
      `This could be ${spellDate(text(params, "date"))} or ${spellDate(text(params, "other"))}.`,
    date_out_of_range: () => `The year ${text(params, "date").slice(0, 4)} can't be right.`,
    date_from_number: () => `We read the number ${value} as ${spellDate(text(params, "date"))}.`,
    date_order: () => dateOrder(value, params),
    number_too_large: () => "Enter a number below 1,000,000,000,000.",
    number_from_percent: () => `We read ${text(params, "shown")} as the number ${text(params, "number")}.`,
    not_a_number: () => notANumber(value, params),
    percent_unclear: () => `Is this ${value}% or ${text(params, "percent")}%? Add the percent sign.`,
    not_yes_or_no: () => "Enter Y or N.",
    text_became_date: () => `Excel made this a date. We read it as ${text(params, "text")}.`,
    code_became_date: () => `Excel made this a date (${value}). Type the value again.`,
    digits_lost: () => "Excel cut digits off this number. Type it again.",
    too_long: () =>
      `This has ${formatCount(number(params, "length"))} characters; ${receiver} allows at most ${formatCount(number(params, "max"))}.`,
    character_not_taken: () =>
      `${capitalize(receiver)} doesn't accept the character ${characterName(text(params, "character"))}.${plainFix(text(params, "character"))}`,
  };
  return sentences[code]?.();
}

/** "Invoice M-8 has two customers: Red Rock Diner and Cool Cars." */
function valuesDiffer(
  { words: { record } }: SheetKind,
  header: string,
  { value, params }: Problem,
  wording: Wording,
): string {
  const name = text(params, "record")
    ? `${capitalize(record)} ${text(params, "record")}`
    : `The ${record} of row ${oneRow(wording, number(params, "recordRow"))}`;
  const isPlainNoun = /^[A-Z][a-z]*[a-rt-z]$/.test(header);
  const values = isPlainNoun ? `two ${header.toLowerCase()}s` : `two values of ${header}`;
  return `${name} has ${values}: ${shorten(text(params, "first"))} and ${shorten(value)}.`;
}

const oneRow = (wording: Wording, row: number) => wording.rows([row, row]);

function linesApart({ words }: SheetKind, { value, params }: Problem, wording: Wording): string {
  return `${capitalize(words.record)} ${value} continues here after rows of other ${words.records}. Its lines (rows ${wording.rows(list(params, "rows").map(Number))}) are combined.`;
}

/** A day after the 12th is read the same way in any file. */
function dateHint({ order }: Params): string {
  if (order === "dmy") return "Type it like the others: 31/1/2026.";
  return order === "mdy" ? "Type it like the others: 1/31/2026." : "Type it like this: 1/31/2026.";
}

function dateOrder(shown: string, params: Params): string {
  const first = params["order"] === "mdy" ? "month" : "day";
  const source = params["isRemembered"] ? "your company's files put" : "this file puts";
  return `We read ${shown} as ${monthAndDay(text(params, "date"))} because ${source} the ${first} first.`;
}

function notANumber(value: string, params: Params): string {
  const hint = text(params, "hint");
  if (hint === "time") return `Enter the hours as a number: ${number(params, "hours")}.`;
  if (hint === "decimals") return `Use at most ${number(params, "max")} decimals.`;
  if (hint === "separator")
    return `This could be ${text(params, "first")}${text(params, "last")} or ${text(params, "first")}.${text(params, "last")}.`;
  if (hint === "decimal_comma") return `Use a decimal point: ${withDecimalPoint(value) ?? "1234.50"}.`;
  return NUMBER_HINTS[hint] ?? `Enter a number${withoutUnit(value)}.`;
}

/** Names the text around a number: `, without "pcs"`. */
function withoutUnit(value: string): string {
  const [, before = "", after = ""] = /^(\D*)\d[\d.,]*([^\d.,]\D*)?$/.exec(cleanText(value)) ?? [];
  const unit = [before.replace(/-$/, "").trimEnd(), after.trimStart()].filter((part) => /\p{L}/u.test(part));
  return unit.length === 1 ? `, without ${quote(unit[0] ?? "")}` : "";
}

/** Advice for text that looks like a number. */
const NUMBER_HINTS: Readonly<Record<string, string>> = {
  percent: "Enter a number, not a percentage.",
  shortened: "Excel shortened this number. Type it again.",
  credit_letters: "Enter a credit with a minus sign, without CR or DR.",
  dash: "Enter 0, or leave it blank.",
  brackets_and_minus: "Use parentheses or a minus sign, not both.",
  fraction: "Write the fraction as a decimal, such as 1.5.",
  apostrophe: "Leave out the apostrophe, such as in 1250.00.",
  count_of: "This may be two numbers. Write each in its own column.",
  date: "This is a date, not a number.",
  space: "There is a space in this number.",
};

/** "“ (U+201C)" */
export function characterName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${character} (U+${code})`;
}

/** Suggests the plain character for one that office programs substituted. */
export function plainFix(character: string): string {
  const plain = PLAIN_CHARACTERS[character];
  return plain ? ` Use ${plain} instead.` : "";
}

/** Notes and warnings about columns, rows and the sheet; undefined for a code about a cell. */
export function noteSentence(
  { words, notTaken }: SheetKind,
  { code, value, params }: Problem,
): string | undefined {
  const isOne = params["count"] === 1;
  const sentences: Record<string, () => string> = {
    money_ignored: () =>
      `Column ${quote(value)}${text(params, "sum") ? ` (sum ${text(params, "sum")})` : ""} was left out, as chosen${chosenBy(params)}.`,
    one_for_all: () =>
      `The file has no column for ${text(params, "header")}, so its lines use ${quote(value)}, as chosen for this company.`,
    placeholders_blank: () => `We read ${joinList(list(params, "words").map(quote))} as blank cells.`,
    codes_without_zero: () =>
      `Column ${quote(text(params, "header"))} has codes that became decimal numbers: we read ${quote(value)} as ${text(params, "code")}.`,
    further_lines: () => {
      const [names, more] = [list(params, "headers").map(quote), number(params, "count") - 3];
      return `Columns ${joinList(more > 0 ? [...names, `${more} more`] : names)} are read as further lines of their rows.`;
    },
    column_ignored: () => ignoredColumn(notTaken, value, params),
    sheets_read: () => `Sheets ${joinList(list(params, "sheets").filter(Boolean).map(quote))} were read.`,
    sheet_left_out: () => `Sheet ${quote(value)} was left out, as chosen${chosenBy(params)}.`,
    sheet_not_read: () => sheetNotRead(words, value, params),
    rows_above_headers: () =>
      `${rowsAre(params)} above the headers in row ${number(params, "headerRow")} and not read as ${isOne ? `${withArticle(words.record)}` : words.records}.`,
    sample_rows: () => `Sample ${rowsText(params)} skipped.`,
    header_rows: () =>
      `${capitalize(rowsText(params))} ${isOne ? "repeats the headers, so we skipped it." : "repeat the headers, so we skipped them."}`,
    total_rows: () =>
      `${capitalize(rowsText(params))} ${isOne ? "looks like a total, so we skipped it." : "look like totals, so we skipped them."}`,
    footer_rows: () => `${capitalize(rowsText(params))} skipped: page numbers and footers.`,
    file_totals: () =>
      list(params, "differing").length === 0
        ? `${list(params, "rows").length === 1 ? "The total in the file matches" : "All totals in the file match"} its rows.`
        : list(params, "differing").length === 1
          ? `The total in row ${list(params, "differing")[0]} doesn't match the rows above it.`
          : `The totals in rows ${joinList(list(params, "differing"))} don't match the rows above them.`,
    total_row_differs: () =>
      `Row ${number(params, "at")} says ${text(params, "amount")}; its rows add up to ${text(params, "sum")} (${text(params, "by")} ${params["isMore"] ? "more" : "less"}). A row may be in the file twice, or was added after the total was made.`,
    rows_not_billed: () => {
      const amount = text(params, "amount") ? ` (${text(params, "amount")})` : "";
      const why = text(params, "header")
        ? `${quote(text(params, "header"))} is ${quote(value)}`
        : `${isOne ? "it is" : "they are"} hidden`;
      return `${rowsAre(params)} not billed${amount}: ${why}, as chosen${chosenBy(params)}.`;
    },
    hidden_rows: () => `${rowsAre(params)} hidden in Excel, but we read ${isOne ? "it" : "them"}.`,
    stray_rows: () => `${rowsAre(params)} ignored: no known column has a value there.`,
    hidden_columns: () => hiddenColumns(params),
    nameless_columns: () => namelessColumns(list(params, "columns")),
    blank_rows: () =>
      `Rows ${number(params, "from")}-${number(params, "from") + number(params, "largest") - 1} are blank. Check that nothing is missing.`,
    merged_cells: () => mergedCells(params),
    characters_made_plain: () =>
      `${words.receiver} doesn't accept the characters ${list(params, "characters").join(" ")} for US companies, so we send plain ones instead: ${list(
        params,
        "characters",
      )
        .map((character) => PLAIN_CHARACTERS[character] ?? "")
        .join(" ")}`,
    template_old: () =>
      `This file was made with version ${value} of the template; the current one is ${text(params, "today")}. We read everything in it. Download the template again for your next file.`,
    template_lists_old: () =>
      `The drop-downs of this template are from ${spellDate(value)}, and the lists of ${text(params, "company")} have changed since. We check everything against today's lists. Download the template again to choose from them.`,
  };
  const sentence = sentences[code]?.();
  const sheets = list(params, "onSheets").map(quote);
  return sentence && sheets.length > 0
    ? `On ${sheets.length === 1 ? "sheet" : "sheets"} ${joinList(sheets)}: ${sentence}`
    : sentence;
}

const chosenBy = (params: Params): string =>
  text(params, "by") ? ` by ${text(params, "by")} on ${spellDate(text(params, "day"))}` : " for this company";

/** Says how a sheet differs from the one that was read, and what to do. */
function sheetNotRead({ records }: SheetKind["words"], value: string, params: Params): string {
  const [name, read] = [quote(value), quote(text(params, "sheet"))];
  if (params["hasNoHeaders"])
    return `Sheet ${name} seems to hold ${records}, but has no row of headers, so it wasn't read. Copy the headers of sheet ${read} to its first row and upload the file again.`;
  const [missing, added] = [list(params, "missing").map(quote), list(params, "added").map(quote)];
  const differences = [
    missing.length > 0 && `it has no ${joinList(missing, "or")}`,
    added.length > 0 && `it also has ${joinList(added)}`,
  ].filter(Boolean);
  return `Sheet ${name} wasn't read, because its columns aren't those of sheet ${read}: ${differences.join(", and ")}. Give it the same headers, or upload it as a file of its own.`;
}

function ignoredColumn(notTaken: SheetKind["notTaken"], header: string, { near, known }: Params): string {
  const hint = near ? ` Did you mean "${String(near)}"?` : known ? ` ${notTaken?.[String(known)]?.hint}` : "";
  return `Column ${quote(header)} isn't used.${hint}`;
}

/** "an invoice", "a label" */
export const withArticle = (word: string) => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;

/** "row 3", "rows 3-5". */
const rowsText = (params: Params): string =>
  `${params["count"] === 1 ? "row" : "rows"} ${rangesText(list(params, "ranges").map(Number))}`;

const rowsAre = (params: Params): string =>
  `${capitalize(rowsText(params))} ${params["count"] === 1 ? "is" : "are"}`;

function hiddenColumns(params: Params): string {
  const headers = list(params, "headers");
  const names = joinList(
    list(params, "columns").map((column, index) => `${column} (${quote(headers[index] ?? "")})`),
  );
  return `${headers.length === 1 ? `Column ${names} is` : `Columns ${names} are`} hidden in Excel, but we read ${headers.length === 1 ? "it" : "them"}.`;
}

const namelessColumns = (names: readonly string[]): string =>
  names.length === 1
    ? `Column ${names[0]} has no header, so we ignored its values.`
    : `Columns ${joinList(names)} have no headers, so we ignored their values.`;

function mergedCells(params: Params): string {
  const [count, first] = [number(params, "count"), list(params, "ranges")];
  const ranges = joinList(count > first.length ? [...first, `${count - first.length} more`] : first);
  return `${count === 1 ? `Range ${ranges} is` : `Ranges ${ranges} are`} merged: we read only the value of the first cell, as Excel shows it.`;
}
