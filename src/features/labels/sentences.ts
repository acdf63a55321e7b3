import { listParam as list, numberParam as number, textParam as text } from "#formats/facts.ts";
import { spellDate } from "#formats/table/dates.ts";
import type { Problem } from "#formats/table/problem.ts";
import { formatCount, joinList, quote, rangesText, rowRanges } from "#formats/text/phrases.ts";
import { type AppError, badRequest } from "#platform/errors.ts";
import { MAX_PROBLEM_LINES } from "#features/labels/limits.ts";
import type { ProblemGroup } from "#features/sheets/contract.ts";
import {
  characterName,
  type ProblemFacts,
  problemSentence,
  toProblemGroup,
} from "#features/sheets/reading.ts";
import { fieldHeader, labelSheet, type Field } from "#features/labels/sheet.ts";

/** A problem with its place: "UPC / GTIN in row 7: The check digit should be 5." */
function problemLine(problem: Problem): string {
  const { code, row, field } = problem;
  if (field === null) return sentence(problem);
  const header = fieldHeader(field as Field);
  return code === "required"
    ? `${header} is missing in row ${row}.`
    : `${header} in row ${row}: ${sentence(problem)}`;
}

/** A warning about a sheet, as pages show it. */
export const warningGroup = (facts: ProblemFacts): ProblemGroup =>
  toProblemGroup(labelSheet, facts, { text: sentence(facts.problem) });

/** A problem without its location. */
export function sentence(problem: Problem): string {
  const { code, field, value, params } = problem;
  const header = field === null ? "" : fieldHeader(field as Field);
  const sentences: Record<string, () => string> = {
    required: () => `${header} is missing.`,
    country_unknown: () => "We don't know this country. Use two letters, such as US.",
    state_unknown: () => `This isn't a state of ${text(params, "country")}. Use two letters.`,
    postal_code_canada: () => "This isn't a Canadian postal code, such as K1A 0B1.",
    postal_code_other: () => "The barcode has room for up to 9 letters and digits.",
    zip_not_valid: () => "This isn't a ZIP code, such as 89506 or 89506-1234.",
    zip_padded: () => `We read ZIP code ${value} as ${text(params, "padded")}.`,
    zip_ambiguous: () =>
      `This ZIP code is missing a digit.${text(params, "starts") && ` ${text(params, "state")} ZIP codes start with ${text(params, "starts")}.`}`,
    store_digits: () => `Enter a number of at most ${number(params, "digits")} digits.`,
    gtin_lost_zero: () =>
      `This UPC is missing a digit: Excel removes leading zeros. Did you mean ${text(params, "padded")}?`,
    gtin_digits: () => "A UPC or GTIN has 8, 12, 13, or 14 digits.",
    check_digit: () => `The check digit should be ${number(params, "digit")}.`,
    sscc_digits: () => "An SSCC has 18 digits, or 20 with a leading 00.",
    sscc_prefix: () =>
      `This SSCC doesn't have this company's GS1 prefix (${joinList(list(params, "prefixes"), "or")}).`,
    sscc_twice: () =>
      `This SSCC is in rows ${rowRanges(list(params, "rows").map(Number))}. Each carton needs its own.`,
    sscc_used: () =>
      `This SSCC was used on ${spellDate(text(params, "date"))} for PO ${text(params, "poNumber")}. Leave it blank to get a new one.`,
    ship_from_unknown: () => {
      const codes = list(params, "codes");
      const known =
        codes.length === 0 ? "there are none in the label settings" : `choose ${joinList(codes, "or")}`;
      return `This isn't a ship-from code: ${known}.`;
    },
    ship_date_far: () => `${header} ${spellDate(text(params, "date"))} is more than a year away.`,
    not_an_integer: () =>
      `Enter a whole number from ${formatCount(number(params, "min"))} to ${formatCount(number(params, "max"))}.`,
    carton_beyond_count: () =>
      `Carton ${value} is beyond the Carton Count of ${formatCount(number(params, "count"))}.`,
    carton_count_short: () =>
      `PO ${text(params, "poNumber")} has ${formatCount(number(params, "cartons"))} cartons here, not ${value}. Leave it blank and we'll count them.`,
    carton_counts_differ: () =>
      `PO ${text(params, "poNumber")} has different counts in rows ${rowRanges(list(params, "rows").map(Number))}. Leave them blank and we'll count them.`,
    carton_differs: () =>
      `Rows ${rowRanges(list(params, "rows").map(Number))} are both carton ${number(params, "carton")} of PO ${text(params, "poNumber")}, but ${header} differs: ${quote(text(params, "first"))} and ${quote(value)}. Make them the same, or give each carton its own number.`,
    carton_needs_one: () => needsOneSentence(header, problem),
    carton_held: () =>
      `The same carton is in row ${rangesText(list(params, "rows").map(Number))}, which needs fixing first.`,
    cartons_uncounted: () => {
      const rows = list(params, "rows").map(Number);
      const isOne = rows.length === 2 && rows[0] === rows[1];
      return `Its cartons can't be counted until ${isOne ? "row" : "rows"} ${rangesText(rows)} ${isOne ? "is" : "are"} fixed.`;
    },
    cartons_mixed: () =>
      `Rows ${rangesText(list(params, "ranges").map(Number))} share ${number(params, "count") === 1 ? "1 carton number: it gets one label" : `${formatCount(number(params, "count"))} carton numbers: each gets one label`} with mixed contents and one SSCC.`,
    cartons_summed: () =>
      `Rows ${rangesText(list(params, "ranges").map(Number))} share ${number(params, "count") === 1 ? "1 carton number: it gets one label with the sum of its quantities" : `${formatCount(number(params, "count"))} carton numbers: each gets one label with the sum of its quantities`} and one SSCC.`,
    cartons_missing: () => {
      const gaps = list(params, "gaps").map(Number);
      const isOne = gaps.length === 2 && gaps[0] === gaps[1];
      const store = text(params, "store") && ` for store ${text(params, "store")}`;
      return `PO ${value}${store} has no ${isOne ? "carton" : "cartons"} ${rangesText(gaps)} of ${formatCount(number(params, "last"))} in this file. Check that no row is missing.`;
    },
    cartons_excluded: () =>
      `${header} ${value} makes several labels, so ${fieldHeader(text(params, "other") as Field)} must be blank.`,
    weight_range: () => "Enter a weight above 0, up to 9,999.",
    not_printable: () =>
      `The label font can't print the character ${characterName(text(params, "character"))}.`,
    rare_letters: () =>
      "The PDF prints these letters. ZPL uses the Zebra printer's own font, which may not have them: print the ZPL test page to see.",
    bar_code_character: () =>
      `The barcode can't hold ${text(params, "character") === " " ? "a space" : characterName(text(params, "character"))}.`,
    bar_code_too_wide: () =>
      `The barcode would be ${number(params, "widthMm").toFixed(1)} mm wide; the label has room for ${number(params, "roomMm").toFixed(1)} mm.`,
    bar_code_digits: () =>
      `The barcode (${text(params, "ai")}) needs ${number(params, "digits")} digits, the last of them the check digit.`,
    bar_code_needs_item: () => `The barcode must name its item: ${fieldHeader("gtin")} is missing.`,
    bar_code_fault: () => `GS1 doesn't allow ${text(params, "symbol")} in a barcode.`,
  };
  return sentences[code]?.() ?? roomSentence(problem) ?? problemSentence(labelSheet, problem);
}

/** Sentence for rows of one carton that differ in a field for which its label has room for one value. */
function needsOneSentence(header: string, { value, params }: Problem): string {
  const fixes: Record<string, string> = {
    equal: "make them the same, or give each item its own carton.",
    split: "give each item its own carton.",
    blank: `give each item its own carton, or leave ${header} blank in all rows of the carton.`,
  };
  const need = text(params, "needed") === "true" ? "must have one" : "has a barcode for one";
  const found = value === "" ? "blank" : quote(value);
  return `Rows ${rowRanges(list(params, "rows").map(Number))} are both carton ${number(params, "carton")} of PO ${text(params, "poNumber")}, but ${header} differs: ${quote(text(params, "first"))} and ${found}. The ${text(params, "profile")} label ${need}: ${fixes[text(params, "cure")]}`;
}

/** Sentence for text that does not fit on the label; undefined for other problems. */
function roomSentence({ code, value, params }: Problem): string | undefined {
  const fit = `about ${number(params, "count")} characters fit.`;
  const fix =
    text(params, "paper") === "letter-4" ? "Choose another paper." : "Leave one of its cells blank.";
  const sentences: Record<string, () => string> = {
    text_long: () => `This is too long for the label: ${fit}`,
    ship_from_long: () => `The ship-from address ${quote(value)} is too long for the label: ${fit}`,
    label_low: () => `The label is too small for all lines of zone ${text(params, "zone")}. ${fix}`,
  };
  return sentences[code]?.();
}

/** True if the row itself is fine and only waits for other rows, whose problems come first. */
export const isWaiting = ({ code }: Problem): boolean => code === "cartons_uncounted";

/** Refuses a sheet with its first errors, each with its location, and the number of remaining ones. */
export function refuseRows(problems: readonly Problem[]): AppError {
  const wrong = problems.filter((problem) => problem.severity === "error" && !isWaiting(problem));
  const lines = wrong.map(problemLine);
  const more = lines.length - MAX_PROBLEM_LINES;
  const rest = more > 0 ? [`${formatCount(more)} more ${more === 1 ? "problem" : "problems"}.`] : [];
  return badRequest("row_problems", [...lines.slice(0, MAX_PROBLEM_LINES), ...rest].join("\n"));
}
