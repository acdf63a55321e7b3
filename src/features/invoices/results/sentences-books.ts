import { spellDate } from "#formats/table/dates.ts";
import { joinList } from "#formats/text/phrases.ts";
import { textsIn, type Said, type Sentences } from "#features/invoices/results/rules-sentences.ts";
import { NAMED_FIELDS } from "#features/invoices/workbook/rules-names.ts";

const unknown =
  (entry: string) =>
  ({ params, value, quote }: Said): string => {
    const names = textsIn(params["names"]).map(quote);
    const hint = names.length > 0 ? ` Did you mean ${joinList(names, "or")}?` : "";
    return `${value} isn't ${entry} in QuickBooks. Match it, add it in QuickBooks, or fix the cell.${hint}`;
  };

const ambiguous = ({ params, header, value, quote }: Said): string =>
  `${header} ${value} matches more than one in QuickBooks: ${joinList(textsIn(params["names"]).map(quote))}. Write the full name.`;

const inactive = ({ header, value }: Said): string =>
  `${header} ${value} is inactive in QuickBooks. Make it active in QuickBooks, or fix the cell.`;

/** Of names and numbers as the company's books have them. */
export const BOOKS_SENTENCES: Sentences = {
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
  currency_sign_differs: ({ param, params, header, value, quote }) =>
    `${header} ${value} is in ${textsIn(params["codes"]).join(" or ")}, and QuickBooks bills ${quote(param("customer"))} in ${param("billed")}. Convert it, or take the sign away where it is wrong.`,
};
