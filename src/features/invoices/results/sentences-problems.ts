import type { Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import { type Field, fieldHeader, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { NAMED_FIELDS } from "#features/invoices/workbook/named-fields.ts";
import * as sheets from "#features/sheets/reading.ts";
import {
  BESIDE_FILE,
  besideFile,
  characterName,
  plainFix,
  withPlace,
  type Place,
  type Wording,
} from "#features/sheets/reading.ts";
import { joinList } from "#formats/text/phrases.ts";
import { spellDate } from "#formats/table/dates.ts";

/** Describes a problem, without its place. */
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

/** The same text after its place. @param place neighbors that all have this problem, its own row when left out */
export const problemText = (problem: Problem, place: Place = {}): string =>
  withPlace(problem, problemSentence(problem, besideFile(place.sheets ?? [])), place);

const paramText = (value: Params[string] | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : value === true ? "true" : "";

/** First and last of adjacent rows. */
export type Range = readonly [number, number];

/** Input of a sentence. */
export type SentenceInput = Wording & {
  problem: Problem;
  params: Params;
  /** Returns a single parameter as text; empty for none, false and null. */
  param: (name: string) => string;
  /** Template header of the field; empty if the problem concerns none. */
  header: string;
  /** Content of the cell, in quotation marks. */
  value: string;
};

export type Sentences = Readonly<Record<string, (said: SentenceInput) => string>>;

/** Whether a field belongs to the invoice sheet. */
export const isField = (field: string | null): field is Field =>
  field !== null && (invoiceSheet.names as readonly string[]).includes(field);

/** Texts of a parameter that is a list. */
const textsIn = (list: Params[string] | undefined): string[] => (Array.isArray(list) ? list.map(String) : []);

/** Formats a money parameter in the invoice's currency, with all its decimals. */
function money({ param }: SentenceInput, name: string): string {
  const [amount, currency] = [param(name), param("currency")];
  if (!/^[A-Z]{3}$/.test(currency) || amount === "") return amount;
  const style = { style: "currency", currency, maximumFractionDigits: 5 } as const;
  return new Intl.NumberFormat("en-US", style).format(Number(amount));
}

/** "2 × $89.00" */
const product = (said: SentenceInput) => `${said.param("qty")} × ${money(said, "rate")}`;

/** Sentences about quantities, rates and amounts; the parameters are formatted as users write them. */
const MONEY_SENTENCES: Sentences = {
  item_missing: () => "Item is missing.",
  only_amount: () =>
    "This row has an amount and nothing else, and it isn't the sum of the rows above. Fill in Item, or delete the row if it's a total.",
  line_blank: () => "Item and Description are both missing.",
  amount_missing: ({ param }) =>
    param("hasRate") ? "Qty or Amount is missing." : "Qty, Rate, and Amount are missing.",
  amount_differs: (said) => `${product(said)} is ${money(said, "product")}, not ${money(said, "amount")}.`,
  amount_not_divisible: (said) =>
    said.param("qty") === ""
      ? `Qty is missing: ${money(said, "amount")} ÷ ${money(said, "rate")} has too many decimals.`
      : `Rate is missing: ${money(said, "amount")} ÷ ${said.param("qty")} has too many decimals.`,
  qty_derived: () => "Qty calculated from Amount ÷ Rate",
  rate_derived: () => "Rate calculated from Amount ÷ Qty",
  qty_has_decimals: (said) =>
    `Qty is missing: ${money(said, "amount")} ÷ ${money(said, "rate")} isn't a whole number.`,
  rounding_changes_amount: (said) =>
    `QuickBooks keeps five decimals of ${said.header}, which changes ${money(said, "full")} to ${money(said, "product")}.`,
  rate_missing: ({ param }) => {
    if (!param("item")) return "Rate is missing.";
    return param("billed")
      ? `Rate is missing: QuickBooks has the price of ${param("item")} in ${param("home")}, and bills ${param("customer")} in ${param("billed")}.`
      : `Rate is missing: ${param("item")} has no price in QuickBooks.`;
  },
  rate_from_books: (said) => `Rate taken from QuickBooks: ${product(said)} = ${money(said, "amount")}`,
  amount_net_unclear: () => "Is Amount before or after the discount? Fill in Qty and Rate.",
  discounts_differ: ({ param, value }) =>
    `${value} isn't ${param("percent")} of ${param("gross")}, which is ${param("result")}.`,
  charge_negative: ({ header }) => `${header} can't be negative.`,
  percent_too_large: ({ header }) => `${header} is more than 100%.`,
  total_differs: (said) =>
    `${said.header} is ${money(said, "total")}, but the invoice adds up to ${money(said, "sum")}${said.param("tax") ? ` before ${money(said, "tax")} in tax` : ""}.`,
  tax_not_billed: (said) =>
    said.param("fileTax")
      ? `${money(said, "tax")} of the file's ${money(said, "fileTax")} in sales tax in column ${said.value} won't be in QuickBooks: we don't send tax, and those invoices have no row marked taxable. To have QuickBooks compute it, put Y in column Taxable. QuickBooks computes tax for the other invoices itself, and the receipt compares both.`
      : `The file has ${money(said, "tax")} in sales tax in column ${said.value}, and none of it will be in QuickBooks: ${said.param("salesTaxOff") ? "sales tax is turned off there (Taxes)" : "we don't send tax, and no row is marked taxable. To have QuickBooks compute it, add a column Taxable with Y"}.`,
  tax_computed: (said) =>
    `The file's sales tax (${money(said, "tax")}) isn't sent: QuickBooks computes its own, and the receipt compares both.`,
  terms_in_date: ({ value }) => `${value} is a payment term, not a date. Use the Terms column.`,
  not_a_currency: ({ value }) => `${value} isn't a currency code, such as USD.`,
  charge_billed_once: ({ params, param, value, quote, rows }) => {
    const [first = 0, second = 0] = Array.isArray(params["rows"]) ? params["rows"].map(Number) : [];
    return `Rows ${rows([first, first, second, second])} of one invoice both have ${value} in column ${quote(param("header"))}, so it's billed once. If each row has its own charge, enter the sum in the first row.`;
  },
  total_below_zero: (said) =>
    `Invoice total is ${money(said, "total")}. QuickBooks doesn't accept negative invoices; enter a credit memo instead.`,
};

const unknown =
  (entry: string) =>
  ({ params, value, quote }: SentenceInput): string => {
    const names = textsIn(params["names"]).map(quote);
    const hint = names.length > 0 ? ` Did you mean ${joinList(names, "or")}?` : "";
    return `${value} isn't ${entry} in QuickBooks.${hint}`;
  };

const ambiguous = ({ params, value, quote }: SentenceInput): string =>
  `${value} matches more than one name in QuickBooks: ${joinList(textsIn(params["names"]).map(quote))}.`;

const inactive = ({ value }: SentenceInput): string => `${value} is inactive in QuickBooks.`;

/** Sentences about names and numbers of the company's books. */
const BOOKS_SENTENCES: Sentences = {
  ...Object.fromEntries(
    Object.values(NAMED_FIELDS).flatMap(({ codePrefix, entry }) => [
      [`${codePrefix}_unknown`, unknown(entry)] as const,
      [`${codePrefix}_ambiguous`, ambiguous] as const,
      [`${codePrefix}_inactive`, inactive] as const,
    ]),
  ),
  item_is_category: ({ value }) => `${value} is a category in QuickBooks, not an item.`,
  item_is_bundle: ({ value }) => `${value} is a bundle in QuickBooks. List its items instead.`,
  before_inventory_start: ({ param, quote }) =>
    `${quote(param("item"))} is in stock only from ${spellDate(param("start"))}.`,
  number_in_books: ({ problem, param }) => {
    const about = [param("customer"), param("voided") && "voided"].filter(Boolean).join(", ");
    const there = `Invoice ${problem.value} already exists${about && ` (${about})`}.`;
    return param("voided")
      ? `${there} Use another number, or delete it in QuickBooks.`
      : `${there} Use another number or leave it out.`;
  },
  books_closed: ({ param }) => `The books are closed through ${spellDate(param("closedThrough"))}.`,
  currency_differs: ({ problem, param }) =>
    `QuickBooks bills ${param("customer")} in ${param("expected")}, not ${problem.value}.`,
  deposit_off: () => "Deposits are turned off in QuickBooks (Account and settings > Sales).",
  rate_not_positive: ({ header }) => `${header} must be above zero.`,
  exchange_rate_not_sent: ({ param }) =>
    `Exchange Rate isn't sent: QuickBooks bills ${param("customer")} in ${param("currency")}, the company's own currency.`,
  currency_sign_differs: ({ param, params }) =>
    `This is in ${textsIn(params["codes"]).join(" or ")}; QuickBooks bills ${param("customer")} in ${param("billed")}.`,
};

/** Sentences about the sheet and the content of its cells. */
const SHEET_SENTENCES: Sentences = {
  number_alike: ({ problem, param, cell }) =>
    `${problem.value} looks like ${param("first")} in ${cell(problem.column ?? 0, Number(param("firstRow")))}. They'll be posted as two invoices.`,
  number_not_searchable: ({ param }) => {
    const [named, fix] = inNumber(param("character"));
    return `QuickBooks can't search for a number with ${named}. ${fix}`;
  },
  not_an_invoice: ({ value }) => `This row is ${value}. Only invoices are posted.`,
  not_billed: ({ value }) => `This invoice is ${value} in the file, so it isn't posted.`,
  required: ({ header }) => `${header} is missing.`,
  postal_code_short: ({ problem, param, header }) =>
    param("readAs")
      ? `We read ${header} ${problem.value} as ${param("readAs")}.`
      : `${header} ${problem.value} is missing a digit.`,
  date_far_away: ({ param, header }) => {
    const years = Number(param("years"));
    return `${header} ${spellDate(param("date"))} is ${Math.abs(years)} years ${years < 0 ? "ago" : "ahead"}.`;
  },
  year_last: ({ param, problem, header }) =>
    `We read ${header} ${problem.value} as ${spellDate(param("date"))}. If it is ${spellDate(param("other"))}, type ${param("other")}.`,
  due_before_invoice: ({ param }) =>
    `Due Date ${spellDate(param("dueDate"))} is before Invoice Date ${spellDate(param("txnDate"))}.`,
  not_an_email: () => "This isn't an email address.",
  tracking_check_digit: ({ param }) =>
    `This looks like a UPS number with a typo: its last digit should be ${param("digit")}.`,
  not_kept: ({ problem, param, quote }) => {
    const off = SWITCHES[problem.field ?? ""];
    return `QuickBooks won't keep ${quote(param("header"))}: ${off?.are} turned off (Account and settings > ${off?.where}).`;
  },
  po_not_sent: ({ param, quote }) =>
    `${quote(param("header"))} isn't sent: ${param("company")} has no PO field turned on for invoices. Add one or turn it on in QuickBooks, or use Customer Memo.`,
  partly_posted: ({ param, params, rows }) => {
    const numbers = textsIn(params["numbers"]);
    const named = numbers.length > 0 ? ` as invoice ${joinList(numbers)}` : "";
    return `This file was already uploaded as "${param("fileName")}" on ${spellDate(param("day"))}. Of this invoice, ${someRows(params["posted"], rows)} or may have been posted${named}; ${someRows(params["missing"], rows)} not. Undo that upload and upload the file again, or upload only the missing rows: choose "Download problem rows".`;
  },
};

/** Names a character that invoice numbers can't have, with the correction. */
function inNumber(character: string): [named: string, fix: string] {
  if (character === "\\") return ["a backslash (\\)", "Use another character."];
  if (character === "\n") return ["a line break", "Write it on one line."];
  return [
    `the character ${characterName(character)}`,
    plainFix(character).trim() || "Use another character.",
  ];
}

type Switch = { are: string; where: string };
const SHIPPING: Switch = { are: "shipping is", where: "Sales" };

/** Company preferences without which QuickBooks drops a field, and where users find them in QuickBooks. */
const SWITCHES: Readonly<Record<string, Switch>> = {
  shipVia: SHIPPING,
  shipDate: SHIPPING,
  trackingNo: SHIPPING,
  serviceDate: { are: "the service date is", where: "Sales" },
  className: { are: "classes on each row are", where: "Advanced" },
  location: { are: "locations are", where: "Advanced" },
};

/** "row 4 was", "rows 4-6 were". */
function someRows(flat: Params[string] | undefined, name: Wording["rows"]): string {
  const numbers = Array.isArray(flat) ? flat.map(Number) : [];
  const isOne = numbers.length === 2 && numbers[0] === numbers[1];
  return isOne ? `row ${name(numbers)} was` : `rows ${name(numbers)} were`;
}

const SENTENCES: Sentences = { ...SHEET_SENTENCES, ...BOOKS_SENTENCES, ...MONEY_SENTENCES };
