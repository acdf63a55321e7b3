import { spellDate } from "#formats/table/dates.ts";
import type { Params } from "#formats/facts.ts";
import { joinList } from "#formats/text/phrases.ts";
import { cleanText } from "#formats/table/texts.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";
import { characterName, plainCure } from "#features/sheets/reading.ts";
import { rowsText, textsIn, type Sentences } from "#features/invoices/results/rules-sentences.ts";

/** Of the sheet, and of the content of its cells. */
export const SHEET_SENTENCES: Sentences = {
  number_alike: ({ problem, param, value, quote, cell }) =>
    `Invoice No ${value} is nearly ${quote(param("first"))} in ${cell(cellName(problem.column ?? 0, Number(param("firstRow"))))}, and the two are posted as two invoices. Write both alike if they are one.`,
  number_not_searchable: ({ problem, param, header, quote }) => {
    const [named, cure] = inNumber(param("character"));
    return `${header} ${quote(cleanText(problem.value))} has ${named} that QuickBooks can't search for, so we can't check whether the number is taken. ${cure}`;
  },
  required: ({ header }) => `${header} is missing. Add it to the invoice's first row.`,
  postal_code_short: ({ param, header, value }) =>
    `${header} ${value} has fewer than 5 digits; Excel removes leading zeros. ${
      param("readAs") ? `It is read as ${param("readAs")}.` : "Check it, and format the column as Text."
    }`,
  date_far_away: ({ param, header }) => {
    const years = Number(param("years"));
    return `${header} ${spellDate(param("date"))} is ${Math.abs(years)} years ${years < 0 ? "ago" : "ahead"}. Check the year.`;
  },
  due_before_invoice: ({ param }) =>
    `Due Date ${spellDate(param("dueDate"))} is before Invoice Date ${spellDate(param("txnDate"))}. The invoice is overdue from the start; check both dates.`,
  not_an_email: ({ value }) => `Email ${value} isn't an email address. Correct it, or leave the cell blank.`,
  tracking_check_digit: ({ param, value }) =>
    `Tracking No ${value} looks like a UPS number, but its last digit should be ${param("digit")}. Check it for a typing mistake.`,
  not_kept: ({ problem, param, quote }) => {
    const off = SWITCHES[problem.field ?? ""];
    return `QuickBooks won't keep ${quote(param("header"))}: ${off?.are} switched off for the invoices of ${param("company")}. Switch ${off?.it} on in QuickBooks under Account and settings, ${off?.where}, or leave the column out.`;
  },
  po_not_sent: ({ param, quote }) =>
    `${quote(param("header"))} wasn't included: ${param("company")} has no PO field on invoices. Add one in QuickBooks, or use Customer Memo.`,
  partly_posted: ({ param, params, rows }) => {
    const numbers = textsIn(params["numbers"]);
    const named = numbers.length > 0 ? ` as invoice ${joinList(numbers)}` : "";
    return `The same file was uploaded as "${param("fileName")}" on ${spellDate(param("day"))}, and of the rows of this invoice ${someRows(params["posted"], rows)} or may have been posted${named}, ${someRows(params["missing"], rows)} not. Undo that upload and upload the file again, or upload the missing rows by themselves: "Download problem rows" gives them.`;
  },
};

/** A character that no invoice number may have, by name, and what to do about it. */
function inNumber(character: string): [named: string, cure: string] {
  if (character === "\\") return ["a backslash (\\)", "Use another character."];
  if (character === "\n") return ["a line break", "Write it on one line."];
  return [`the character ${characterName(character)}`, plainCure(character, "Use another character.")];
}

type Switch = { are: string; it: string; where: string };
const SHIPPING: Switch = { are: "shipping is", it: "it", where: "Sales" };

/** What a company has switched off when QuickBooks drops a field, and where its users find that in QuickBooks. */
const SWITCHES: Readonly<Record<string, Switch>> = {
  shipVia: SHIPPING,
  shipDate: SHIPPING,
  trackingNo: SHIPPING,
  serviceDate: { are: "the service date is", it: "it", where: "Sales" },
  className: { are: "classes on each row are", it: "them", where: "Advanced" },
  location: { are: "locations are", it: "them", where: "Advanced" },
};

/** "row 4 was", "rows 4-6 were". */
function someRows(flat: Params[string] | undefined, name: (rows: string) => string): string {
  const numbers = Array.isArray(flat) ? flat : [];
  const isOne = numbers.length === 2 && numbers[0] === numbers[1];
  return isOne ? `row ${name(rowsText(flat))} was` : `rows ${name(rowsText(flat))} were`;
}
