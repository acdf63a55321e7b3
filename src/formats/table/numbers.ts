import { decimalToFixed, FIXED_DECIMALS, type Fixed } from "./amounts.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import type { SheetRow } from "../xlsx/workbook.ts";
import type { Params } from "../facts.ts";

/** Why a text is not read as a number: a code, and the facts of its sentence. */
export type NumberHint = { hint: string } & Params;

export type TextNumber = { ok: true; value: Fixed } | { ok: false; why: NumberHint };

/** A number of the file with a decimal comma. */
export type DecimalComma = { text: string };

/**
 * Reads a number written as text. Currency signs are dropped, commas and spaces must separate groups of three digits, and
 * brackets or a trailing minus make it negative. "1.234,50" is refused, not guessed.
 * @param decimals places allowed after the point
 * @param comma a number of the file with a decimal comma, if there is one: "1,250" and "1.250" are then ambiguous
 */
export function readNumberText(text: string, decimals: number, comma?: DecimalComma): TextNumber {
  const { digits, negative } = plainDigits(text);
  const why = hintFor(digits, negative) ?? (comma && hintBeside(comma, digits));
  if (why) return { ok: false, why };
  const number = digits.replaceAll(/[, ]/g, "");
  const places = /\.(\d*[1-9])?0*$/.exec(number)?.[1]?.length ?? 0;
  if (places > decimals) return { ok: false, why: { hint: "decimals", places, max: decimals } };
  const value = decimalToFixed(number, Math.min(decimals, FIXED_DECIMALS));
  if (value === undefined) return { ok: false, why: { hint: "plain" } };
  return { ok: true, value: negative ? -value : value };
}

const DECIMAL_COMMA = /^-?\d{1,3}(?:\.\d{3})+,\d+$|^-?\d+,(?:\d{1,2}|\d{4,})$|^-?0\d*,\d+$/;
const DECIMAL_POINT = /,\d{3}\.|\.(?:\d{1,2}|\d{4,})$|^-?0\d*\.\d+$/;

/**
 * Finds the first number of a table with a decimal comma; undefined if at least as many have a decimal point. In a file
 * with decimal commas "1,250" may be 1.25, a thousand times less than it looks.
 */
export function findDecimalComma({
  kind,
  columns,
  rows,
}: {
  kind: SheetKind;
  columns: readonly { field: string; index: number }[];
  rows: readonly SheetRow[];
}): DecimalComma | undefined {
  const numbers = columns.filter(({ field }) => NUMBER_TYPES.has(kind.fields[field]?.type));
  const count = (pattern: RegExp, searchFor: string) => {
    let found: DecimalComma | undefined;
    let times = 0;
    for (const { index } of numbers) {
      for (const { cells } of rows) {
        const text = cells[index];
        if (typeof text !== "string" || !text.includes(searchFor) || !pattern.test(plainDigits(text).digits))
          continue;
        times += 1;
        found ??= { text: text.trim() };
      }
    }
    return { times, found };
  };
  const commas = count(DECIMAL_COMMA, ",");
  return commas.found && commas.times > count(DECIMAL_POINT, ".").times ? commas.found : undefined;
}

/** Rewrites a number with a decimal comma, such as "1.234,50", with a decimal point; null for any other text. */
export function withDecimalPoint(text: string): string | null {
  const { digits, negative, currency } = plainDigits(text);
  if (negative || currency !== undefined || hintFor(digits, false)?.hint !== "decimal_comma") return null;
  return digits.replaceAll(/[. ]/g, "").replace(",", ".");
}

/** Returns the currency sign or code beside a number in a text, in capitals. */
export function currencyBeside(text: string): string | undefined {
  return /[^\d.,\s()+-]/.test(text) ? plainDigits(text).currency : undefined;
}

const CURRENCY = "US\\$|CA?\\$|USD|CAD|EUR|GBP|[$€£¥]";
const IN_FRONT = new RegExp(`^([-+]?)(${CURRENCY})`, "i");
const BEHIND = new RegExp(`(${CURRENCY})$`, "i");

type Bare = { digits: string; negative: boolean; currency: string | undefined };

/** Longer texts are not numbers. */
const MAX_LENGTH = 60;

/** Removes currency signs, brackets and a trailing sign, and spaces that are not between digits. */
function plainDigits(text: string): Bare {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return { digits: "", negative: false, currency: undefined };
  if (/^-?[\d.,]+$/.test(trimmed)) return { digits: trimmed, negative: false, currency: undefined };
  // Superscripts, circled digits and fractions would become digits.
  if (/\p{No}/u.test(trimmed)) return { digits: trimmed, negative: false, currency: undefined };
  const bare = trimmed.normalize("NFKC").replaceAll("\u2212", "-").replaceAll(/\s+/g, keepInside);
  const outer = withoutCurrency(bare);
  const inBrackets = /^\(.*\)$/.test(outer.digits);
  const inner = inBrackets ? withoutCurrency(outer.digits.slice(1, -1)) : outer;
  // "60.-" has no cents; the dash is a sign only after a digit.
  const digits = inner.digits
    .replace(/([.,])[-\u2013\u2014]{1,2}$/, "$100")
    .replace(/^([^-]+)-$/, "-$1")
    .replace(/^\+/, "");
  return { digits, negative: inBrackets, currency: outer.currency ?? inner.currency };
}

/** Keeps spaces between parts of a number: they may separate two numbers. */
function keepInside(spaces: string, at: number, text: string): string {
  const sides = [text[at - 1], text[at + spaces.length]];
  return sides.every((side) => side !== undefined && /[\d.,]/.test(side)) ? spaces : "";
}

function withoutCurrency(text: string): { digits: string; currency: string | undefined } {
  const currency = (IN_FRONT.exec(text)?.[2] ?? BEHIND.exec(text)?.[1])?.toUpperCase();
  return { digits: text.replace(IN_FRONT, "$1").replace(BEHIND, ""), currency };
}

/** Finds why a text must not be read as a number; undefined if it may be. */
function hintFor(digits: string, inBrackets: boolean): NumberHint | undefined {
  if (digits.endsWith("%")) return { hint: "percent" };
  if (DECIMAL_COMMA.test(digits.replaceAll(/(?<=\d) (?=\d{3})/g, ""))) return { hint: "decimal_comma" };
  if (/e[+-]?\d+$/i.test(digits)) return { hint: "shortened" };
  if (/[CD]R$/i.test(digits)) return { hint: "credit_letters" };
  const written = writtenOtherwise(digits);
  if (written) return { hint: written };
  if (digits === "-") return { hint: "dash" };
  if (inBrackets && digits.startsWith("-")) return { hint: "brackets_and_minus" };
  if (/\s/.test(digits) && !/^-?\d{1,3}(?: \d{3})+(?:\.\d*)?$/.test(digits)) return { hint: "space" };
  return digits.includes(",") && !/^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits)
    ? { hint: "plain" }
    : undefined;
}

/** Names what makes a text ambiguous: a unit, half a number, or no number. "1.2k" and "1 dz" are not 1. */
function writtenOtherwise(text: string): string | undefined {
  if (/^\d+ ?(?:of|\/) ?\d+$/i.test(text)) return "count_of";
  if (/^\d+ \d+\/\d+$/.test(text)) return "fraction";
  if (/^-?\d{1,3}(?:['\u2019]\d{3})+(?:\.\d*)?$/.test(text)) return "apostrophe";
  if (/^\d{1,2}[-/ ]?[a-z]{3,9}[-/ ,]*\d{2,4}$|^\d{1,4}([-/.])\d{1,2}\1\d{2,4}$/i.test(text)) return "date";
  return /\d/.test(text) && /[a-z@/"]/i.test(text) ? "unit" : undefined;
}

/** In a file with decimal commas, one separator before three digits may separate thousands or decimals. */
function hintBeside({ text }: DecimalComma, digits: string): NumberHint | undefined {
  const match = /^-?(\d{1,3})([.,])(\d{3})$/.exec(digits);
  if (!match) return undefined;
  const [, first = "", , last = ""] = match;
  return { hint: "separator", first, last, text };
}
