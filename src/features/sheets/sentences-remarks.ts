import { spellDate } from "#formats/table/dates.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Problem } from "#formats/table/problem.ts";
import { listParam as list, numberParam as number, textParam as text, type Params } from "#formats/facts.ts";
import { formatCount, joinList, quote, rangesText, capitalize } from "#formats/text/phrases.ts";

/** More blank rows than this between two rows of data look like a mistake. */
const LARGE_GAP = 200;

/** What is said of columns, rows and the sheet as a whole; undefined for a code about a cell. */
export function remarkSentence(
  { words, notTaken }: SheetKind,
  { code, value, params }: Problem,
): string | undefined {
  const isOne = params["count"] === 1;
  const sentences: Record<string, () => string> = {
    column_ignored: () => ignoredColumn(notTaken, value, params),
    sheet_not_read: () =>
      `Sheet ${quote(text(params, "sheet"))} was read. Sheet ${quote(value)} has the columns too but wasn't read: upload it as a file of its own.`,
    rows_above_headers: () =>
      `${rowsAre(params)} above the headers in row ${number(params, "headerRow")} and not read as ${isOne ? `${articleOf(words.record)} ${words.record}` : words.records}.`,
    sample_rows: () => `Sample ${rowsOf(params)} skipped.`,
    header_rows: () =>
      `${rowsAre(params)} the headers again, so we skipped ${params["count"] === 1 ? "it" : "them"}.`,
    total_rows: () =>
      `${capitalize(rowsOf(params))} ${isOne ? "looks like a total, so we skipped it." : "look like totals, so we skipped them."}`,
    hidden_rows: () => `${rowsAre(params)} hidden in Excel and read all the same.`,
    stray_rows: () => `${rowsAre(params)} ignored: no known column has a value there.`,
    hidden_columns: () => hiddenColumns(params),
    nameless_columns: () => namelessColumns(list(params, "columns")),
    blank_rows: () => blankRows(params),
    merged_cells: () => mergedCells(params),
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

/** "an" before a vowel. */
export const articleOf = (word: string) => (/^[aeiou]/i.test(word) ? "an" : "a");

/** "row 3", "rows 3-5". */
const rowsOf = (params: Params): string =>
  `${params["count"] === 1 ? "row" : "rows"} ${rangesText(list(params, "ranges").map(Number))}`;

const rowsAre = (params: Params): string =>
  `${capitalize(rowsOf(params))} ${params["count"] === 1 ? "is" : "are"}`;

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
