import { decimalToFixed, FIXED_DECIMALS, type Fixed } from "#features/invoices/workbook/rules-amounts.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { specOf } from "#features/invoices/workbook/rules-fields.ts";
import { problemAt, quote } from "#features/invoices/workbook/rules-problems.ts";

export type TextNumber = { ok: true; value: Fixed } | { ok: false; hint: string };

/** A number of the file whose comma stands before decimals, and its cell. */
export type DecimalComma = { text: string; cell: string };

const PLAIN_HINT = "Write it as a plain number such as 1234.50.";

/**
 * Reads a number written as text: currency signs go, commas and spaces must group in threes, brackets or a minus at the
 * end make it negative. "1.234,50" is refused rather than guessed.
 * @param decimals places allowed behind the point
 * @param comma given where the file's numbers have decimal commas: then "1,250" and "1.250" may be either
 */
export function readNumberText(text: string, decimals: number, comma?: DecimalComma): TextNumber {
  const { digits, negative } = plainDigits(text);
  const hint = hintFor(digits, negative) ?? (comma && hintBeside(comma, digits));
  if (hint) return { ok: false, hint };
  const number = digits.replaceAll(/[, ]/g, "");
  const places = /\.(\d*?)0*$/.exec(number)?.[1]?.length ?? 0;
  if (places > decimals)
    return { ok: false, hint: `It has ${places} decimals; at most ${decimals} are taken. Round it.` };
  const value = decimalToFixed(number, Math.min(decimals, FIXED_DECIMALS));
  if (value === undefined) return { ok: false, hint: PLAIN_HINT };
  return { ok: true, value: negative ? -value : value };
}

const DECIMAL_COMMA = /^-?\d{1,3}(?:\.\d{3})+,\d+$|^-?\d+,(?:\d{1,2}|\d{4,})$|^-?0\d*,\d+$/;
const DECIMAL_POINT = /,\d{3}\.|\.(?:\d{1,2}|\d{4,})$|^-?0\d*\.\d+$/;

/**
 * The first number of a table with a decimal comma; undefined when as many or more have a decimal point. Where the
 * comma stands before decimals, "1,250" may be 1.25: a thousand times less than it looks.
 */
export function findDecimalComma(table: Table): DecimalComma | undefined {
  const numbers = table.columns.filter(({ field }) => ["decimal", "money"].includes(specOf(field).kind));
  const count = (pattern: RegExp, sought: string) => {
    let found: DecimalComma | undefined;
    let times = 0;
    for (const { field, index } of numbers) {
      for (const { number: row, cells } of table.rows) {
        const text = cells[index];
        if (typeof text !== "string" || !text.includes(sought) || !pattern.test(plainDigits(text).digits))
          continue;
        times += 1;
        found ??= { text: text.trim(), cell: problemAt(table, { field, row }, { code: "", text: "" }).cell };
      }
    }
    return { times, found };
  };
  const commas = count(DECIMAL_COMMA, ",");
  return commas.found && commas.times > count(DECIMAL_POINT, ".").times ? commas.found : undefined;
}

/** The currency sign or code that stands beside a number written as text, in capitals. */
export function currencyBeside(text: string): string | undefined {
  return /[^\d.,\s()+-]/.test(text) ? plainDigits(text).currency : undefined;
}

const CURRENCY = "US\\$|CA?\\$|USD|CAD|EUR|GBP|[$€£¥]";
const IN_FRONT = new RegExp(`^([-+]?)(${CURRENCY})`, "i");
const BEHIND = new RegExp(`(${CURRENCY})$`, "i");

type Bare = { digits: string; negative: boolean; currency: string | undefined };

/** Longer texts are no numbers, and are not looked at closely. */
const LONGEST = 60;

/** Without currency signs, brackets and the sign that stands behind; spaces stay only between digits. */
function plainDigits(text: string): Bare {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return { digits: "", negative: false, currency: undefined };
  if (/^-?[\d.,]+$/.test(trimmed)) return { digits: trimmed, negative: false, currency: undefined };
  const bare = trimmed.normalize("NFKC").replaceAll("\u2212", "-").replaceAll(/\s+/g, keepInside);
  const outer = withoutCurrency(bare);
  const inBrackets = /^\(.*\)$/.test(outer.digits);
  const inner = inBrackets ? withoutCurrency(outer.digits.slice(1, -1)) : outer;
  const digits = inner.digits.replace(/^([^-]+)-$/, "-$1").replace(/^\+/, "");
  return { digits, negative: inBrackets, currency: outer.currency ?? inner.currency };
}

/** Spaces with part of a number on both sides stay: they may stand between two numbers. */
function keepInside(spaces: string, at: number, whole: string): string {
  const sides = [whole[at - 1], whole[at + spaces.length]];
  return sides.every((side) => side !== undefined && /[\d.,]/.test(side)) ? spaces : "";
}

function withoutCurrency(text: string): { digits: string; currency: string | undefined } {
  const currency = (IN_FRONT.exec(text)?.[2] ?? BEHIND.exec(text)?.[1])?.toUpperCase();
  return { digits: text.replace(IN_FRONT, "$1").replace(BEHIND, ""), currency };
}

/** Why a number cannot be read for certain; undefined when it can be tried. */
function hintFor(digits: string, inBrackets: boolean): string | undefined {
  if (digits.endsWith("%")) return "A percentage is not taken here. Write the number itself.";
  if (DECIMAL_COMMA.test(digits.replaceAll(/(?<=\d) (?=\d{3})/g, "")))
    return "A comma before the decimals is not taken. Write a point: 1234.50.";
  if (/e[+-]?\d+$/i.test(digits))
    return "Excel has shortened it. Format the column as a number and type it again.";
  if (/[CD]R$/i.test(digits)) return "CR and DR are not taken. Write a credit with a minus: -12.50.";
  if (digits === "-") return "Write 0, or leave the cell blank.";
  if (inBrackets && digits.startsWith("-"))
    return "It has both brackets and a minus. Write a credit with a minus only: -12.50.";
  if (/\s/.test(digits) && !/^-?\d{1,3}(?: \d{3})+(?:\.\d*)?$/.test(digits))
    return `There is a space in it, so that it may be two numbers. ${PLAIN_HINT}`;
  return digits.includes(",") && !/^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits) ? PLAIN_HINT : undefined;
}

/** In a file of decimal commas a single separator before three digits may be of thousands or of decimals. */
function hintBeside({ text, cell }: DecimalComma, digits: string): string | undefined {
  const match = /^-?(\d{1,3})([.,])(\d{3})$/.exec(digits);
  if (!match) return undefined;
  const [, whole, , last] = match;
  return `It may be ${whole}${last} or ${whole}.${last}: other numbers of the file have a comma before their decimals, as ${quote(text)} in ${cell}. Write it without a separator of thousands, with a point before decimals.`;
}
