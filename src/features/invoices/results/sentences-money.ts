import type { Said, Sentences } from "#features/invoices/results/rules-sentences.ts";

const product = (param: Said["param"]) => `Qty ${param("qty")} × Rate ${param("rate")}`;

/** Of quantities, rates and amounts; all of them stand in the parameters as people write them. */
export const MONEY_SENTENCES: Sentences = {
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
  total_below_zero: ({ param }) =>
    `Invoice total is ${param("total")}. QuickBooks doesn't accept negative invoices; enter a credit memo instead.`,
};
