import type { Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import { type Field, fieldHeader, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { NAMED_FIELDS } from "#features/invoices/workbook/named-fields.ts";
import * as sheets from "#features/sheets/reading.ts";
import { BESIDE_FILE, characterName, plainCure, withPlace, type Wording } from "#features/sheets/reading.ts";
import { joinList, rangesText } from "#formats/text/phrases.ts";
import { spellDate } from "#formats/table/dates.ts";
import { cleanText } from "#formats/table/texts.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";

/** Says a problem, without its place. */
export function problemSentence(problem: Problem, wording: Wording = BESIDE_FILE): string {
  const { code, field, params, value } = problem;
  const say = SENTENCES[code];
  if (!say) return sheets.problemSentence(invoiceSheet, problem, wording);
  const header = isField(field) ? fieldHeader(field) : "";
  return say({
    problem,
    params,
    param: (name) => paramText(params[name]),
    header,
    value: wording.quote(value),
    ...wording,
  });
}

/** The same text after its place. @param rows neighbours that all have this problem; its own when left out */
export const problemText = (problem: Problem, rows?: Range): string =>
  withPlace(problem, problemSentence(problem), rows);

const paramText = (value: Params[string] | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : value === true ? "true" : "";

/** First and last of neighbouring rows. */
export type Range = readonly [number, number];

/** Input of a sentence. */
export type SentenceInput = Wording & {
  problem: Problem;
  params: Params;
  /** A single parameter as text; empty for none, false and null. */
  param: (name: string) => string;
  /** The template's header of the field; empty for a problem of none. */
  header: string;
  /** The content of the cell, in quotation marks. */
  value: string;
};

export type Sentences = Readonly<Record<string, (said: SentenceInput) => string>>;

/** True for a field of the sheet of invoices. */
export const isField = (field: string | null): field is Field =>
  field !== null && (invoiceSheet.names as readonly string[]).includes(field);

/** Row numbers that `rangesOf` made a parameter of. */
export const rowsText = (flat: Params[string] | undefined): string =>
  rangesText(Array.isArray(flat) ? flat.map(Number) : []);

/** Texts of a parameter that is a list. */
const textsIn = (list: Params[string] | undefined): string[] => (Array.isArray(list) ? list.map(String) : []);

const product = (param: SentenceInput["param"]) => `Qty ${param("qty")} × Rate ${param("rate")}`;

/** Sentences about quantities, rates and amounts; the parameters have them as users write them. */
const MONEY_SENTENCES: Sentences = {
  item_missing: () =>
    "Item is blank on a line with an amount. Name the item, or remove Qty, Rate and Amount to make it a line of text.",
  line_blank: () => "The line has neither an Item nor a Description. Fill in one of them, or remove the row.",
  amount_missing: ({ param }) =>
    param("hasRate")
      ? "Qty or Amount is missing. Fill in one."
      : "Qty, Rate and Amount are all blank. Fill in the Amount, or Qty and Rate.",
  amount_differs: ({ param }) =>
    `Amount ${param("amount")} isn't ${product(param)} = ${param("product")}. Correct one of the three.`,
  amount_not_divisible: ({ param }) =>
    param("qty") === ""
      ? `No Qty with five decimals gives Amount ${param("amount")} for Rate ${param("rate")}. Fill in the Qty.`
      : `No Rate with five decimals gives Amount ${param("amount")} for Qty ${param("qty")}. Fill in the Rate.`,
  qty_derived: () => "Qty is blank; Amount ÷ Rate is used.",
  rate_derived: () => "Rate is blank; Amount ÷ Qty is used.",
  qty_has_decimals: ({ param }) =>
    `Qty is blank, and Amount ${param("amount")} ÷ Rate ${param("rate")} = ${param("quotient")} has decimals. Fill in the Qty, or correct the Rate or the Amount.`,
  rounding_changes_amount: ({ problem, param, header }) =>
    `${header} ${problem.value} has more than the five decimals that QuickBooks keeps: ${product(param)} = ${param("product")}, but with all its decimals ${param("full")}. Round it to five decimals, or leave Qty and Rate blank and write the Amount.`,
  rate_missing: ({ param, quote }) => {
    const why = param("item") ? `, and ${quote(param("item"))} has no price in QuickBooks` : "";
    return `Rate and Amount are blank${why}. Fill in one of them.`;
  },
  rate_from_books: ({ param }) =>
    `Rate is blank; the price in QuickBooks is used: ${product(param)} = ${param("amount")}.`,
  amount_net_unclear: ({ param }) =>
    `Amount ${param("amount")} may be before or after the discount of its line. Fill in Qty and Rate.`,
  discounts_differ: ({ param, header, value }) =>
    `${header} ${value} isn't ${param("percent")} of ${param("gross")} = ${param("result")}. Correct one of them, or leave one blank.`,
  charge_negative: ({ header, value }) =>
    `${header} ${value} is negative. Write it without the minus, or as a line of its own.`,
  percent_too_large: ({ header, value }) => `${header} ${value} is more than 100%. Correct it.`,
  total_differs: ({ param, header, value }) =>
    `${header} ${value} isn't what its lines, discounts and charges add up to: ${param("sum")}${param("tax") ? `, or with tax ${param("tax")} more` : ""}. Correct one of them.`,
  terms_in_date: ({ header, value }) =>
    `${header} ${value} is a payment term. Write it in column Terms, and leave ${header} blank.`,
  not_a_currency: ({ header, value }) =>
    `${header} ${value} isn't a currency. Write its code of three letters, for example USD.`,
  charge_billed_once: ({ params, param, value, quote }) => {
    const [first, second] = Array.isArray(params["rows"]) ? params["rows"] : [];
    return `Rows ${first} and ${second} of one invoice both have ${value} in column ${quote(param("header"))}: it's billed once. If each line has its own, write their sum on the first row.`;
  },
  total_below_zero: ({ param }) =>
    `Invoice total is ${param("total")}. QuickBooks doesn't accept negative invoices; enter a credit memo instead.`,
};

const unknown =
  (entry: string) =>
  ({ params, value, quote }: SentenceInput): string => {
    const names = textsIn(params["names"]).map(quote);
    const hint = names.length > 0 ? ` Did you mean ${joinList(names, "or")}?` : "";
    return `${value} isn't ${entry} in QuickBooks. Match it, add it in QuickBooks, or fix the cell.${hint}`;
  };

const ambiguous = ({ params, header, value, quote }: SentenceInput): string =>
  `${header} ${value} matches more than one in QuickBooks: ${joinList(textsIn(params["names"]).map(quote))}. Write the full name.`;

const inactive = ({ header, value }: SentenceInput): string =>
  `${header} ${value} is inactive in QuickBooks. Make it active in QuickBooks, or fix the cell.`;

/** Sentences about names and numbers of the company's books. */
const BOOKS_SENTENCES: Sentences = {
  ...Object.fromEntries(
    Object.values(NAMED_FIELDS).flatMap(({ word, entry }) => [
      [`${word}_unknown`, unknown(entry)] as const,
      [`${word}_ambiguous`, ambiguous] as const,
      [`${word}_inactive`, inactive] as const,
    ]),
  ),
  item_is_category: ({ param, value }) =>
    `Item ${value} is a category in QuickBooks and can't be sold. Name one of the items in it, as "${param("fullName")}:…".`,
  item_is_bundle: ({ value }) =>
    `Item ${value} is a bundle in QuickBooks, which we can't post. List its items on lines of their own.`,
  before_inventory_start: ({ param, quote }) =>
    `Item ${quote(param("item"))} is counted in stock from ${spellDate(param("start"))} on, and the invoice is of ${spellDate(param("txnDate"))}. Use a later Invoice Date, or change the item's start date in QuickBooks.`,
  number_in_books: ({ param, value, quote }) => {
    const whose = param("customer") ? ` for ${quote(param("customer"))}` : "";
    const there = `Invoice number ${value} is already in QuickBooks${whose}`;
    return param("voided")
      ? `${there}, on an invoice that was voided. Delete it in QuickBooks, or give this invoice another number.`
      : `${there}. Give this invoice another number, or remove its rows if it is the same invoice.`;
  },
  books_closed: ({ param }) =>
    `Invoice Date ${spellDate(param("txnDate"))} is in a closed period: the books of ${param("company")} are closed through ${spellDate(param("closedThrough"))}. Use a later date, or reopen the books in QuickBooks.`,
  currency_differs: ({ param, value, quote }) =>
    `Currency ${value} isn't the customer's: QuickBooks bills ${quote(param("customer"))} in ${param("expected")}. Correct the currency or the customer.`,
  deposit_off: ({ param }) =>
    `Deposits are switched off for the invoices of ${param("company")}. Switch them on in QuickBooks under Account and settings, Sales, or leave the cell blank.`,
  rate_not_positive: ({ header, value }) =>
    `${header} ${value} isn't above zero. Correct it, or leave it blank.`,
  exchange_rate_not_sent: ({ param, value, quote }) =>
    `Exchange Rate ${value} isn't sent: QuickBooks bills ${quote(param("customer"))} in ${param("currency")}, the company's own currency.`,
  currency_sign_differs: ({ param, params, header, value, quote }) =>
    `${header} ${value} is in ${textsIn(params["codes"]).join(" or ")}, and QuickBooks bills ${quote(param("customer"))} in ${param("billed")}. Convert it, or take the sign away where it is wrong.`,
};

/** Sentences about the sheet and the content of its cells. */
const SHEET_SENTENCES: Sentences = {
  number_alike: ({ problem, param, value, quote, cell }) =>
    `Invoice No ${value} is nearly ${quote(param("first"))} in ${cell(cellName(problem.column ?? 0, Number(param("firstRow"))))}, and the two are posted as two invoices. Write both alike if they are one.`,
  number_not_searchable: ({ problem, param, header, quote }) => {
    const [named, cure] = inNumber(param("character"));
    return `${header} ${quote(cleanText(problem.value))} has ${named} that QuickBooks can't search for, so we can't check whether the number is taken. ${cure}`;
  },
  not_an_invoice: ({ value }) => `This row is ${value}. Only invoices are posted.`,
  not_billed: ({ value }) => `This invoice is ${value} in the file, so it isn't posted.`,
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

/** Switch of a company without which QuickBooks drops a field, and where its users find it in QuickBooks. */
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

const SENTENCES: Sentences = { ...SHEET_SENTENCES, ...BOOKS_SENTENCES, ...MONEY_SENTENCES };
