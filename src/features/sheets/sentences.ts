import { PLAIN_CHARACTERS } from "#formats/table/texts.ts";
import { spellDate } from "#formats/table/dates.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Problem } from "#formats/table/problem.ts";
import { listParam as list, numberParam as number, textParam as text, type Params } from "#formats/facts.ts";
import { cleanText } from "#formats/table/texts.ts";
import { formatCount, quote, rangesText, capitalize, joinList } from "#formats/text/phrases.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";

/** Formats texts, cells ("B3") and rows ("3" or "3-5") of a file inside a sentence. */
export type Wording = Record<"quote" | "cell" | "rows", (text: string) => string>;

/** Wording for users who have the file in front of them. */
export const BESIDE_FILE: Wording = { quote, cell: (name) => name, rows: (rows) => rows };

/** Wording for users who have another workbook in front of them, in which the cells have moved. */
export const awayFrom = (fileName: string): Wording => ({
  quote,
  cell: (name) => `row ${/\d+$/.exec(name)?.[0]} of ${quote(fileName)}`,
  rows: (rows) => `${rows} of ${quote(fileName)}`,
});

/** Describes a problem in one or two full sentences, without its place. */
export function problemSentence(kind: SheetKind, problem: Problem, wording = BESIDE_FILE): string {
  return noteSentence(kind, problem) ?? cellSentence(kind, problem, wording) ?? unknownSentence(problem.code);
}

/** Sentence for a stored code that this version does not know, since stored codes outlive versions. */
export const unknownSentence = (code: string): string =>
  `This version of the product has no explanation for "${code}". Contact us and name it.`;

/**
 * Puts the place in front of a sentence: the cell, or the row if the sheet has no such column.
 * @param rows first and last row of a range that has the same problem; defaults to the problem's row
 */
export function withPlace(
  { field, row, column }: Problem,
  sentence: string,
  [first, last]: readonly [number, number] = [row, row],
): string {
  const isOne = first === last;
  if (column !== null) {
    const cells = isOne ? cellName(column, first) : `${cellName(column, first)}-${cellName(column, last)}`;
    return `${cells}: ${sentence}`;
  }
  if (field === null) return sentence;
  return isOne ? `Row ${first}: ${sentence}` : `Rows ${first}-${last}: ${sentence}`;
}

function cellSentence(kind: SheetKind, problem: Problem, wording: Wording): string | undefined {
  const { code, field, value, params } = problem;
  const header = kind.fields[field ?? ""]?.header ?? "";
  const { receiver } = kind.words;
  const shown = quote(value);
  const clean = quote(cleanText(value));
  const sentences: Record<string, () => string> = {
    values_differ: () => `${header} ${valuesDiffer(kind, problem, wording)}`,
    lines_apart: () => linesApart(kind, problem, wording),
    formula_error: () => `${header} shows ${value}. Repair the formula in Excel, or type the value.`,
    formula_without_value: () =>
      `The formula of ${header} has no saved result. Open the file in Excel, save it, and upload it again.`,
    not_a_date: () => `${header} ${shown} isn't a date. Write it as 1/31/2026.`,
    date_ambiguous: () => ambiguousDate(header, shown, params),
    date_out_of_range: () =>
      `${header} ${spellDate(text(params, "date"))} isn't between ${number(params, "min")} and ${number(params, "max")}. Correct the year.`,
    date_from_number: () =>
      `${header} ${value} is a plain number; it is read as ${spellDate(text(params, "date"))}. Format the column as a date.`,
    date_order: () => dateOrder(shown, params),
    number_too_large: () =>
      `${header} ${number(params, "number")} is too large. Write a number below 1,000,000,000,000.`,
    number_from_percent: () =>
      `${header} ${quote(text(params, "shown"))} is a percentage; it is read as the number ${text(params, "number")}. Write the sum itself where a part of something is meant.`,
    not_a_number: () => `${header} ${notANumber(shown, params, wording)}`,
    percent_unclear: () =>
      `${header} ${shown} may be ${value}% or ${text(params, "percent")}%. Write it with a percent sign.`,
    not_yes_or_no: () => `${header} ${shown} is neither yes nor no. Write Y or N.`,
    text_became_date: () =>
      `${header} is a date for Excel and is read as ${text(params, "text")}. To send what was typed, format the column as Text and type it again.`,
    code_became_date: () =>
      `${header} is a date (${value}), probably because Excel turned it into one. Format the column as Text and type the value again.`,
    digits_lost: () =>
      `${header} ${value} lost digits, since Excel keeps 15. Format the column as Text and type the number again.`,
    too_long: () =>
      `${header} ${clean} has ${formatCount(number(params, "length"))} characters; ${receiver} takes at most ${formatCount(number(params, "max"))}. Shorten it.`,
    character_not_taken: () =>
      `${header} ${clean} has the character ${characterName(text(params, "character"))}, which ${receiver} doesn't accept for US companies. ${plainCure(text(params, "character"), "Replace it.")}`,
  };
  return sentences[code]?.();
}

function valuesDiffer(
  { words: { record, key } }: SheetKind,
  { column, value, params }: Problem,
  wording: Wording,
): string {
  const name = text(params, "record")
    ? `${record} ${text(params, "record")}`
    : `the ${record} of row ${wording.rows(String(number(params, "recordRow")))}`;
  const first = wording.cell(cellName(column ?? 0, number(params, "firstRow")));
  return `${wording.quote(value)} differs from ${wording.quote(text(params, "first"))} in ${first}, and both rows belong to ${name}. Give both the same value, or another ${key}.`;
}

function linesApart({ words }: SheetKind, { row, value, params }: Problem, wording: Wording): string {
  const twin = number(params, "twin");
  const doubt = twin
    ? ` Row ${wording.rows(String(row))} says the same as row ${wording.rows(String(twin))}: remove it if it was copied by mistake.`
    : "";
  return `${capitalize(words.record)} ${value} goes on here after rows of other ${words.records}. Its lines (rows ${wording.rows(rangesText(list(params, "rows").map(Number)))}) are put together.${doubt}`;
}

function ambiguousDate(header: string, shown: string, params: Params): string {
  const [date, other] = [spellDate(text(params, "date")), spellDate(text(params, "other"))];
  const [why, cure] =
    params["order"] === "mixed"
      ? ["the column holds dates of both kinds", ""]
      : ["no date in the file shows which", ", or upload the file again to be asked"];
  return `${header} ${shown} could be ${date} or ${other}, and ${why}. Write it as ${date}${cure}.`;
}

function dateOrder(shown: string, params: Params): string {
  const written = params["order"] === "mdy" ? "month/day/year" : "day/month/year";
  const source = params["isRemembered"] ? ", as remembered for this company" : "";
  return `${text(params, "header")} ${shown} and others like it are read as ${written}${source}: ${spellDate(text(params, "date"))}.`;
}

function notANumber(shown: string, params: Params, wording: Wording): string {
  const hint = text(params, "hint");
  if (hint === "time")
    return `${quote(text(params, "shown"))} is a time, which Excel keeps as a part of a day. Write the hours as a plain number: ${number(params, "hours")}.`;
  if (hint === "decimals")
    return `${shown} has ${number(params, "places")} decimals; ${number(params, "max")} at most work here. Round it.`;
  if (hint === "separator")
    return `${shown} could be read as more than one number. ${separatorHint(params, wording)}`;
  const how = NUMBER_HINTS[hint];
  return how ? `${shown} isn't a plain number. ${how}` : `${shown} isn't a number. ${PLAIN_HINT}`;
}

const PLAIN_HINT = "Write it as a plain number such as 1234.50.";

/** Advice for text that looks like a number. */
const NUMBER_HINTS: Readonly<Record<string, string>> = {
  percent: "Percentages don't work here. Write the number itself.",
  decimal_comma: "Use a decimal point: 1234.50.",
  shortened: "Excel has shortened it. Format the column as a number and type it again.",
  credit_letters: "CR and DR don't work here. Write a credit with a minus: -12.50.",
  dash: "Write 0, or leave the cell blank.",
  brackets_and_minus: "It has both brackets and a minus. Write a credit with a minus only: -12.50.",
  unit: "There is more in it than a number. Write the full figure, such as 1234.50, and a unit in the description.",
  fraction: "Write the fraction as a decimal, such as 1.5.",
  apostrophe: "Leave out the apostrophe, such as in 1250.00.",
  count_of: "It may be two numbers. Write each in its own column.",
  date: "It is a date. Check that the columns stand under their headers.",
  space: `There is a space in it, so that it may be two numbers. ${PLAIN_HINT}`,
};

function separatorHint(why: Params, wording: Wording): string {
  const [first, last] = [text(why, "first"), text(why, "last")];
  return `It may be ${first}${last} or ${first}.${last}: other numbers of the file have a comma before their decimals, as ${quote(text(why, "text"))} in ${wording.cell(text(why, "cell"))}. Write it without a separator of thousands, with a point before decimals.`;
}

/** "“ (U+201C)" */
export function characterName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${character} (U+${code})`;
}

/** Suggests the plain character for one that office programs substituted. */
export function plainCure(character: string, otherwise: string): string {
  const plain = PLAIN_CHARACTERS[character];
  return plain ? `Write ${plain} instead.` : otherwise;
}

/** A longer run of blank rows between data rows gets a warning. */
const LARGE_GAP = 200;

/** Notes and warnings about columns, rows and the sheet; undefined for a code about a cell. */
export function noteSentence(
  { words, notTaken }: SheetKind,
  { code, value, params }: Problem,
): string | undefined {
  const isOne = params["count"] === 1;
  const sentences: Record<string, () => string> = {
    money_ignored: () =>
      `Column ${quote(value)}${text(params, "sum") ? ` (sum ${text(params, "sum")})` : ""} is left out, as chosen${text(params, "by") ? ` by ${text(params, "by")} on ${spellDate(text(params, "day"))}` : " for this company"}.`,
    placeholders_blank: () => `We read ${joinList(list(params, "words").map(quote))} as blank cells.`,
    codes_without_zero: () =>
      `Column ${quote(text(params, "header"))} has its codes as decimal numbers: ${quote(value)} is read as ${text(params, "code")}.`,
    further_lines: () => {
      const [names, more] = [list(params, "headers").map(quote), number(params, "count") - 3];
      return `Columns ${joinList(more > 0 ? [...names, `${more} more`] : names)} are read as further lines of their rows.`;
    },
    column_ignored: () => ignoredColumn(notTaken, value, params),
    sheet_not_read: () =>
      `Sheet ${quote(text(params, "sheet"))} was read. Sheet ${quote(value)} has the columns too but wasn't read: upload it as a file of its own.`,
    rows_above_headers: () =>
      `${rowsAre(params)} above the headers in row ${number(params, "headerRow")} and not read as ${isOne ? `${withArticle(words.record)}` : words.records}.`,
    sample_rows: () => `Sample ${rowsText(params)} skipped.`,
    header_rows: () =>
      `${rowsAre(params)} the headers again, so we skipped ${params["count"] === 1 ? "it" : "them"}.`,
    total_rows: () =>
      `${capitalize(rowsText(params))} ${isOne ? "looks like a total, so we skipped it." : "look like totals, so we skipped them."}`,
    hidden_rows: () => `${rowsAre(params)} hidden in Excel and read all the same.`,
    stray_rows: () => `${rowsAre(params)} ignored: no known column has a value there.`,
    hidden_columns: () => hiddenColumns(params),
    nameless_columns: () => namelessColumns(list(params, "columns")),
    blank_rows: () => blankRows(params),
    merged_cells: () => mergedCells(params),
    characters_made_plain: () =>
      `${words.receiver} doesn't accept the characters ${list(params, "characters").join(" ")} for US companies, so we send plain ones instead: ${list(
        params,
        "characters",
      )
        .map((character) => PLAIN_CHARACTERS[character] ?? "")
        .join(" ")}`,
    template_old: () =>
      `The file was made with version ${value} of the template; today's is version ${text(params, "today")}. Everything in it is read; download the template again for the next file.`,
    template_lists_old: () =>
      `The drop-downs of this template are of ${spellDate(value)}, and the lists of ${text(params, "company")} have changed since. Everything is checked against today's lists; download the template again to choose from them.`,
  };
  return sentences[code]?.();
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
  return `${headers.length === 1 ? `Column ${names} is` : `Columns ${names} are`} hidden in Excel and read all the same.`;
}

const namelessColumns = (names: readonly string[]): string =>
  names.length === 1
    ? `Column ${names[0]} has no header, and what it holds is ignored.`
    : `Columns ${joinList(names)} have no headers, and what they hold is ignored.`;

function blankRows(params: Params): string {
  const [gaps, largest, from] = [number(params, "gaps"), number(params, "largest"), number(params, "from")];
  const rows =
    gaps === 1 ? `Row ${from} is blank` : `${formatCount(gaps)} blank rows are between the data rows`;
  const warning =
    largest > LARGE_GAP
      ? ` Rows ${from}-${from + largest - 1} are blank in one piece: check that nothing is missing.`
      : "";
  return `${rows}; blank rows are skipped.${warning}`;
}

function mergedCells(params: Params): string {
  const [count, first] = [number(params, "count"), list(params, "ranges")];
  const ranges =
    count > first.length ? `${first.join(", ")} and ${count - first.length} more` : joinList(first);
  return `${count === 1 ? `Range ${ranges} is` : `Ranges ${ranges} are`} merged: the value counts for the first row and column only.`;
}
