import type { CellValue } from "../xlsx/workbook.ts";
import type { FieldRule } from "./define-sheet.ts";
import type { Found } from "./problem.ts";

type Context = { field: FieldRule; rules: { latinOnly: boolean }; note: (found: Found) => void };

/**
 * Reads the text of a cell that is neither blank nor an error; null if it cannot be used, which is reported.
 */
export function readText(cell: CellValue, { field, rules, note }: Context): string | null {
  const written = cleanText(typeof cell === "string" ? cell : showCell(cell));
  const rewritten = field.rewrite?.(written) ?? written;
  const text = isMadePlain(field, rules) ? plainText(rewritten) : rewritten;
  const found =
    (field.type === "code" ? spoiledCode(cell) : undefined) ??
    tooLong(text, field) ??
    (rules.latinOnly && !field.lookedUp ? strangeCharacter(text) : undefined) ??
    field.check?.(text);
  if (found) {
    note(found);
    return null;
  }
  // Text such as "Nov-26" that Excel converted to a date may be sent differently from what the cell shows.
  if (typeof cell === "object" && cell.kind === "date")
    note({ severity: "warning", code: "text_became_date", params: { text } });
  return text;
}

/** Detects damaged codes: Excel converts date-like text to dates, and keeps only 15 digits of a number. */
function spoiledCode(cell: CellValue): Found | undefined {
  if (typeof cell === "object" && cell.kind === "date") return { code: "code_became_date" };
  const isShortened = typeof cell === "string" && /^\d(?:\.\d+)?E\+\d+$/i.test(cell.trim());
  const isTooLong = typeof cell === "number" && Math.abs(cell) >= 1e15;
  return isShortened || isTooLong ? { code: "digits_lost" } : undefined;
}

function tooLong(text: string, { max }: FieldRule): Found | undefined {
  if (max === undefined || text.length <= max) return undefined;
  return { code: "too_long", params: { length: text.length, max } };
}

/**
 * Whether typographic characters of a text are replaced by plain ones. Codes are not changed: a number must
 * be searchable as it was sent.
 */
export const isMadePlain = ({ type = "text", lookedUp }: FieldRule, rules: Context["rules"]): boolean =>
  rules.latinOnly && !lookedUp && type === "text";

/** Plain characters for those that office programs substitute during typing. */
export const PLAIN_CHARACTERS: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201A": "'",
  "\u201B": "'",
  "\u2032": "'",
  "\u201C": '"',
  "\u201D": '"',
  "\u201E": '"',
  "\u2033": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2015": "-",
  "\u2212": "-",
  "\u2026": "...",
  "\u2022": "*",
  "\u2002": " ",
  "\u2003": " ",
  "\u2007": " ",
  "\u2009": " ",
  "\u202F": " ",
};

const TYPOGRAPHIC = new RegExp(`[${Object.keys(PLAIN_CHARACTERS).join("")}]`, "g");

/** Lists typographic characters of a text, in order. */
export const findTypographic = (text: string): string[] =>
  PLAIN.test(text) ? [] : [...text.matchAll(TYPOGRAPHIC)].map(([character]) => character);

const plainText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replaceAll(TYPOGRAPHIC, (character) => PLAIN_CHARACTERS[character] ?? character);

function strangeCharacter(text: string): Found | undefined {
  const character = /[^\0-\xFF]/u.exec(text)?.[0];
  return character === undefined ? undefined : { code: "character_not_taken", params: { character } };
}

/** Returns the cell's content as users see it. */
export function showCell(cell: CellValue): string {
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if (typeof cell !== "object") return String(cell);
  if (cell.kind === "date") return `${cell.m}/${cell.d}/${cell.y}`;
  if (cell.kind === "no_value") return "";
  return cell.kind === "error" ? cell.code : cell.text;
}

/** Printable ASCII without outer spaces: nearly every cell. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** Removes control characters, unpaired surrogates, invisible marks and outer spaces; keeps line breaks. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\u00A0", " ")
    .replaceAll(/[\0-\x08\x0B-\x1F\x7F-\x9F\p{Cs}\uFEFF\u200B-\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .trim();
}
