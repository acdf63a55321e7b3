import { listParam as list, numberParam as number, textParam as text } from "#formats/facts.ts";
import { spellDate } from "#formats/table/dates.ts";
import type { Problem } from "#formats/table/problem.ts";
import { formatCount, joinList, quote, rowRanges } from "#formats/text/phrases.ts";
import { type AppError, badRequest } from "#platform/errors.ts";
import { MAX_LINES } from "#features/labels/limits.ts";
import type { ProblemGroup } from "#features/sheets/contract.ts";
import {
  characterName,
  type ProblemFacts,
  problemSentence,
  toProblemGroup,
} from "#features/sheets/reading.ts";
import { fieldHeader, labelSheet, type Field } from "#features/labels/sheet.ts";

/** A problem with its place: "Row 7, column UPC / GTIN: check digit should be 5." */
function problemLine(problem: Problem): string {
  const { row, column, field } = problem;
  const said = sentence(problem);
  if (field === null) return said;
  if (column === null) return `Row ${row}: ${said}`;
  const header = fieldHeader(field as Field);
  // Most sentences begin with the column, which is part of the place here.
  const rest = said.startsWith(header) ? said.slice(header.length).replace(/^:? /, "") : said;
  return `Row ${row}, column ${header}: ${rest}`;
}

/** A warning about a sheet, as pages show it. */
export const warningGroup = (facts: ProblemFacts): ProblemGroup =>
  toProblemGroup(labelSheet, facts, sentence(facts.problem));

/** A problem without its place. */
export function sentence(problem: Problem): string {
  const { code, field, value, params } = problem;
  const header = field === null ? "" : fieldHeader(field as Field);
  const shown = quote(value);
  const sentences: Record<string, () => string> = {
    required: () => `${header} is required.`,
    country_unknown: () => `${header} ${shown} isn't a country. Write its two letters, such as US or CA.`,
    state_unknown: () =>
      `${header} ${shown} isn't a state of ${text(params, "country")}. Write its two letters.`,
    postal_code_canada: () => `${header} ${shown} isn't a Canadian postal code. Write it as K1A 0B1.`,
    postal_code_other: () =>
      `${header} ${shown} doesn't fit the barcode, which has room for 9 letters and digits.`,
    zip_not_valid: () => `${header} ${shown} isn't a ZIP code. Write five digits, or nine as 89506-1234.`,
    zip_padded: () =>
      `${header} ${value} has fewer than 5 digits, as Excel removes zeros in front. Read as ${text(params, "padded")}.`,
    zip_ambiguous: () =>
      `${header} ${value} has fewer than 5 digits, and ZIP codes of this state don't begin with 0. Write all five. Did you mean ${text(params, "padded")}?`,
    store_digits: () => `${header} ${shown} must be a number of at most ${number(params, "digits")} digits.`,
    gtin_lost_zero: () =>
      `${header} ${value} has 11 digits, as Excel removes a zero in front. Did you mean ${text(params, "padded")}? Format the column as Text and write it with the zero.`,
    gtin_digits: () => `${header} ${shown} must have 8, 12, 13 or 14 digits.`,
    check_digit: () => `${header} check digit should be ${number(params, "digit")}.`,
    sscc_digits: () => `${header} ${shown} must have 18 digits, or 20 that begin with 00.`,
    sscc_prefix: () =>
      `${header} ${value} doesn't begin with a GS1 prefix of this company: ${joinList(list(params, "prefixes"), "or")}, after the extension digit.`,
    sscc_twice: () =>
      `${header} ${value} is used in rows ${rowRanges(list(params, "rows").map(Number))}. Each carton needs its own.`,
    sscc_used: () =>
      `${header} ${value} was already used on ${spellDate(text(params, "date"))} for PO ${text(params, "poNumber")}. Leave the cell blank to get a new one.`,
    ship_from_unknown: () => {
      const codes = list(params, "codes");
      const known =
        codes.length === 0 ? "there are none in the label settings" : `choose ${joinList(codes, "or")}`;
      return `${header} ${shown} isn't the code of a ship-from address: ${known}.`;
    },
    ship_date_far: () =>
      `${header} ${spellDate(text(params, "date"))} is more than a year away. Correct the year.`,
    not_an_integer: () =>
      `${header} ${shown} must be a number from ${formatCount(number(params, "min"))} to ${formatCount(number(params, "max"))} without decimals.`,
    carton_beyond_count: () =>
      `${header} ${value} is beyond the Carton Count of ${formatCount(number(params, "count"))}.`,
    carton_count_short: () =>
      `${header} ${value} is less than the ${formatCount(number(params, "cartons"))} cartons that this file has for PO ${text(params, "poNumber")}. Correct it, or leave it blank and we count them.`,
    carton_counts_differ: () =>
      `${header} ${value} differs among rows ${rowRanges(list(params, "rows").map(Number))} of PO ${text(params, "poNumber")}, whose Carton Number is blank. Write the same, or leave it blank and we count them.`,
    cartons_excluded: () =>
      `${header} ${value} makes several labels, so ${fieldHeader(text(params, "other") as Field)} must be blank.`,
    weight_range: () => `${header} ${shown} must be above 0 and at most 9,999.`,
    not_printable: () =>
      `${header} has the character ${characterName(text(params, "character"))}, which the label font can't print. Write it in Latin, Greek or Cyrillic letters.`,
    bar_code_character: () =>
      `${header} ${shown}: the barcode can't hold ${characterName(text(params, "character"))}. Allowed: A–Z a–z 0–9 and !"%&'()*+,-./:;<=>?_`,
    bar_code_too_wide: () =>
      `${header}: ${text(params, "symbol")} would be ${number(params, "widthMm").toFixed(1)} mm wide; its place on a 4 in label holds ${number(params, "roomMm").toFixed(1)} mm. Shorten it.`,
    bar_code_digits: () =>
      `${header} ${shown} must have ${number(params, "digits")} digits for its barcode (${text(params, "ai")}), the last of them the check digit.`,
    bar_code_needs_item: () =>
      `${header} is in a barcode that must name its item. Fill ${fieldHeader("gtin")}.`,
    bar_code_fault: () => `${header}: ${text(params, "symbol")} isn't allowed in a GS1 barcode. Correct it.`,
  };
  return sentences[code]?.() ?? roomSentence(problem, header) ?? problemSentence(labelSheet, problem);
}

/** A text that a label has no room for; undefined for every other problem. */
function roomSentence({ code, value, params }: Problem, header: string): string | undefined {
  const shown = quote(value);
  const mm = (name: string) => `${number(params, name).toFixed(1)} mm`;
  const long = () =>
    `its line would be ${mm("widthMm")} wide, its place is ${mm("roomMm")} and has no line more. About ${number(params, "count")} characters fit.`;
  const cure = () =>
    text(params, "paper") === "letter-4"
      ? " on a quarter of a Letter sheet. Choose another paper."
      : ". Leave one of its cells blank.";
  const sentences: Record<string, () => string> = {
    text_long: () => `${header} ${shown} has no room on the label: ${long()} Shorten it.`,
    ship_from_long: () =>
      `${header}: ${shown} of the ship-from address has no room on the label: ${long()} Shorten it in the label settings.`,
    label_low: () =>
      `${header} ${shown} has no room on the label: zone ${text(params, "zone")} is ${mm("overMm")} too low for all of its lines${cure()}`,
  };
  return sentences[code]?.();
}

/** Refuses a sheet with its first errors, each with its place, and the number of others. */
export function refuseRows(problems: readonly Problem[]): AppError {
  const lines = problems.filter(({ severity }) => severity === "error").map(problemLine);
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? [`${formatCount(more)} more ${more === 1 ? "problem" : "problems"}.`] : [];
  return badRequest("row_problems", [...lines.slice(0, MAX_LINES), ...rest].join("\n"));
}
