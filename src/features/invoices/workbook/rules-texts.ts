import type { CellValue } from "#formats/xlsx/workbook.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { isoDate } from "#features/invoices/workbook/rules-dates.ts";
import { specOf, type Field } from "#features/invoices/workbook/rules-fields.ts";
import { quote, type Found } from "#features/invoices/workbook/rules-problems.ts";

type Context = { rules: { latinOnly: boolean }; note: (found: Found) => void };

/** The text of a cell that is neither blank nor an error; null when it cannot be used, which is noted. */
export function readText(cell: CellValue, field: Field, { rules, note }: Context): string | null {
  const text = cleanText(typeof cell === "string" ? cell : showCell(cell));
  const found =
    spoiledCode(cell, field) ??
    tooLong(text, field) ??
    (rules.latinOnly ? strangeCharacter(text, field) : undefined) ??
    (field === "invoiceNo" ? unsearchable(text, field) : undefined);
  if (found) {
    note(found);
    return null;
  }
  if (typeof cell === "object" && cell.kind === "date") note(madeDate(text, field));
  return text;
}

/** A text such as "Nov-26" that Excel made a date may be sent as another one than the cell shows. */
const madeDate = (text: string, field: Field): Found => ({
  severity: "warning",
  code: "text_became_date",
  text: `${specOf(field).header} is a date for Excel and is read as ${text}. To send what was typed, format the column as Text and type it again.`,
});

/** Excel turns what looks like a date into one, and keeps 15 digits of a number. */
function spoiledCode(cell: CellValue, field: Field): Found | undefined {
  const { kind, header } = specOf(field);
  if (kind !== "code") return undefined;
  if (typeof cell === "object" && cell.kind === "date") {
    return {
      code: "code_became_date",
      text: `${header} is a date (${showCell(cell)}), probably because Excel turned it into one. Format the column as Text and type the value again.`,
    };
  }
  const isShortened = typeof cell === "string" && /^\d(?:\.\d+)?E\+\d+$/i.test(cell.trim());
  const isTooLong = typeof cell === "number" && Math.abs(cell) >= 1e15;
  if (!isShortened && !isTooLong) return undefined;
  return {
    code: "digits_lost",
    text: `${header} ${showCell(cell)} lost digits, since Excel keeps 15. Format the column as Text and type the number again.`,
  };
}

function tooLong(text: string, field: Field): Found | undefined {
  const { max, header } = specOf(field);
  if (max === undefined || text.length <= max) return undefined;
  const [length, limit] = [text.length.toLocaleString("en-US"), max.toLocaleString("en-US")];
  return {
    code: "too_long",
    text: `${header} ${quote(text)} has ${length} characters; QuickBooks takes at most ${limit}. Shorten it.`,
  };
}

function strangeCharacter(text: string, field: Field): Found | undefined {
  const strange = LOOKED_UP.has(field) ? undefined : /[^\0-\xFF]/u.exec(text)?.[0];
  if (strange === undefined) return undefined;
  const code = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const plain = PLAIN_CHARACTERS[strange];
  const cure = plain ? `Write ${plain} instead.` : "Replace it.";
  return {
    code: "character_not_taken",
    text: `${specOf(field).header} ${quote(text)} has the character ${strange} (U+${code}), which QuickBooks does not take for US companies. ${cure}`,
  };
}

/** A number that Intuit's query language cannot express would be sent without a look whether it is taken. */
function unsearchable(text: string, field: Field): Found | undefined {
  if (quoteText(text) !== null) return undefined;
  const char = [...text].find((one) => quoteText(one) === null) ?? "";
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const plain = PLAIN_CHARACTERS[char];
  const [named, cure] =
    char === "\\"
      ? ["a backslash (\\)", "Use another character."]
      : char === "\n"
        ? ["a line break", "Write it on one line."]
        : [`the character ${char} (U+${code})`, plain ? `Write ${plain} instead.` : "Use another character."];
  return {
    code: "number_not_searchable",
    text: `${specOf(field).header} ${quote(text)} has ${named}, and QuickBooks cannot be asked whether it has such a number already. ${cure}`,
  };
}

/** These are looked up in lists and sent as ids, so their letters do not matter. */
const LOOKED_UP: ReadonlySet<Field> = new Set([
  "customer",
  "item",
  "terms",
  "className",
  "location",
  "group",
]);

/** What office programs put in place of what was typed. */
const PLAIN_CHARACTERS: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201C": '"',
  "\u201D": '"',
  "\u2013": "-",
  "\u2014": "-",
  "\u2026": "...",
  "\u2022": "*",
};

/** The cell's content as a person sees it. */
export function showCell(cell: CellValue): string {
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if (typeof cell !== "object") return String(cell);
  switch (cell.kind) {
    case "date":
      return isoDate(cell.y, cell.m, cell.d) ?? `${cell.y}-${cell.m}-${cell.d}`;
    case "padded":
    case "time":
    case "percent":
    case "money":
      return cell.text;
    case "error":
      return cell.code;
    case "no_value":
      return "";
  }
}

/** Without control characters, invisible marks and outer spaces; line breaks stay. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\u00A0", " ")
    .replaceAll(/[\0-\x08\x0B-\x1F\x7F\uFEFF\u200B-\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .trim();
}
