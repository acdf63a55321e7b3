import {
  centsToFixed,
  divideCents,
  fixedToNumber,
  formatMoney,
  formatQty,
  multiplyNumbersToCents,
  multiplyToCents,
  numberToFixed,
  toCents,
  type Fixed,
} from "#features/invoices/workbook/rules-amounts.ts";
import type { ReadRow } from "#features/invoices/workbook/rules-cells.ts";
import type { PlanContext } from "#features/invoices/plan/rules-checks.ts";
import { fieldHeader, type Field } from "#features/invoices/workbook/rules-fields.ts";
import { numberOf, textOf, unroundedOf } from "#features/invoices/plan/rules-invoices.ts";
import type { BooksLists } from "#features/invoices/plan/rules-plan.ts";
import { problemAt, quote, type Found, type Problem } from "#features/invoices/workbook/rules-problems.ts";
import { checkItem, checkReference, type Reference } from "#features/invoices/plan/rules-references.ts";

/** One checked row. `cents` is undefined when the row has an error about its money. A line without item is text only. */
export type Line = {
  item: BooksLists["items"][number] | undefined;
  description: string | undefined;
  qty: Fixed | undefined;
  rate: Fixed | undefined;
  cents: bigint | undefined;
  serviceDate: string | undefined;
  lineClass: Reference | undefined;
  taxable: boolean | undefined;
};

type Note = (field: Field, found: Found) => void;

/** Checks one row as a line of its invoice; what is wrong goes to `problems`. */
export function checkLine(
  context: PlanContext,
  row: ReadRow,
  { problems, txnDate }: { problems: Problem[]; txnDate: string | undefined },
): Line {
  const note: Note = (field, found) => {
    problems.push(
      problemAt(
        context.table,
        { field, row: row.row },
        { value: row.cells.get(field)?.shown ?? "", ...found },
      ),
    );
  };
  const item = checkItem(context, textOf(row, "item"), { txnDate, note: (found) => note("item", found) });
  const lineClass = checkReference(context.classes, textOf(row, "className"), {
    field: "className",
    lists: context.lists,
    note: (found) => note("className", found),
  });
  const taxable = row.cells.get("taxable")?.value;
  return {
    item,
    description: textOf(row, "description"),
    ...moneyOf(row, { item, note }),
    serviceDate: textOf(row, "serviceDate"),
    lineClass,
    taxable: typeof taxable === "boolean" ? taxable : undefined,
  };
}

type Money = Pick<Line, "qty" | "rate" | "cents">;
const MONEY_FIELDS = ["qty", "rate", "amount"] as const;

function moneyOf(row: ReadRow, { item, note }: { item: Line["item"]; note: Note }): Money {
  const nothing: Money = { qty: undefined, rate: undefined, cents: undefined };
  const isUnreadable = MONEY_FIELDS.some((field) => row.cells.get(field)?.value === null);
  if (isUnreadable) return nothing;
  const [qty, rate, amount] = MONEY_FIELDS.map((field) => numberOf(row, field)) as [
    Fixed | undefined,
    Fixed | undefined,
    Fixed | undefined,
  ];
  const hasMoney = qty !== undefined || rate !== undefined || amount !== undefined;
  if (!row.cells.has("item")) return withoutItem(row, { hasMoney, note });
  const cents = amount === undefined ? undefined : toCents(amount);
  if (qty !== undefined && rate !== undefined) return withBoth(row, { qty, rate, cents, note });
  if (cents !== undefined) return withAmount({ qty, rate, cents }, note);
  if (qty !== undefined) return withListPrice(row, qty, { item, note });
  const text =
    rate === undefined
      ? "Qty, Rate and Amount are all blank. Fill in the Amount, or Qty and Rate."
      : "There is a Rate but neither Qty nor Amount. Fill in one of them.";
  note("amount", { code: "amount_missing", text });
  return nothing;
}

function withBoth(row: ReadRow, given: Given): Money {
  const { qty, rate, cents, note } = given;
  if (losesMoney(row, given)) return { qty, rate, cents: undefined };
  return cents === undefined
    ? { qty, rate, cents: multiplyToCents(qty, rate) }
    : withAmount({ qty, rate, cents }, note);
}

type Given = { qty: Fixed; rate: Fixed; cents: bigint | undefined; note: Note };

/**
 * QuickBooks keeps five decimals and multiplies those; Excel multiplied all of a cell's own. Where the cents differ a
 * person must say which are meant, unless the Amount says it already.
 */
function losesMoney(row: ReadRow, { qty, rate, cents, note }: Given): boolean {
  const field = unroundedOf(row, "rate") === undefined ? "qty" : "rate";
  if (unroundedOf(row, field) === undefined) return false;
  const [sent, meant] = [
    multiplyToCents(qty, rate),
    multiplyNumbersToCents(
      unroundedOf(row, "qty") ?? fixedToNumber(qty),
      unroundedOf(row, "rate") ?? fixedToNumber(rate),
    ),
  ];
  if (meant === undefined || meant === sent || (cents ?? meant) !== meant) return false;
  const [product, full] = [sent, meant].map((each) => formatMoney(centsToFixed(each)));
  note(field, {
    code: "rounding_changes_amount",
    text: `${fieldHeader(field)} ${row.cells.get(field)?.shown} has more than the five decimals that QuickBooks keeps: Qty ${formatQty(qty)} × Rate ${formatMoney(rate)} = ${product}, but with all its decimals ${full}. Round it to five decimals, or leave Qty and Rate blank and write the Amount.`,
  });
  return true;
}

/** A line of text needs no item; money without an item would be dropped by QuickBooks without a word. */
function withoutItem(row: ReadRow, { hasMoney, note }: { hasMoney: boolean; note: Note }): Money {
  const money: Money = { qty: undefined, rate: undefined, cents: hasMoney ? undefined : 0n };
  if (hasMoney)
    note("item", {
      code: "item_missing",
      text: "Item is blank on a line with an amount. Name the item, or remove Qty, Rate and Amount to make it a line of text.",
    });
  else if (!row.cells.has("description"))
    note("item", {
      code: "line_blank",
      text: "The line has neither an Item nor a Description. Fill in one of them, or remove the row.",
    });
  return money;
}

function withAmount({ qty, rate, cents }: Omit<Money, "cents"> & { cents: bigint }, note: Note): Money {
  if (qty === undefined && rate === undefined) return { qty, rate, cents };
  if (qty !== undefined && rate !== undefined) {
    const product = multiplyToCents(qty, rate);
    if (product === cents) return { qty, rate, cents };
    note("amount", {
      code: "amount_differs",
      text: `Amount ${formatMoney(centsToFixed(cents))} is not Qty ${formatQty(qty)} × Rate ${formatMoney(rate)} = ${formatMoney(centsToFixed(product))}. Correct one of the three.`,
    });
    return { qty, rate, cents: undefined };
  }
  const known = qty ?? rate ?? 0n;
  const other = divideCents(cents, known);
  if (other !== undefined)
    return qty === undefined ? { qty: other, rate, cents } : { qty, rate: other, cents };
  const [given, missing] =
    qty === undefined ? [`Rate ${formatMoney(known)}`, "Qty"] : [`Qty ${formatQty(known)}`, "Rate"];
  note("amount", {
    code: "amount_not_divisible",
    text: `No ${missing} with five decimals gives Amount ${formatMoney(centsToFixed(cents))} for ${given}. Fill in the ${missing}.`,
  });
  return { qty, rate, cents: undefined };
}

/** The price list of the books stands in for a blank rate; a person is told the figure. */
function withListPrice(row: ReadRow, qty: Fixed, { item, note }: { item: Line["item"]; note: Note }): Money {
  const rate = item?.unitPrice === undefined ? undefined : numberToFixed(item.unitPrice, 5);
  if (!rate) {
    const why = item ? `, and ${quote(item.name)} has no price in QuickBooks` : "";
    note("rate", { code: "rate_missing", text: `Rate and Amount are blank${why}. Fill in one of them.` });
    return { qty, rate: undefined, cents: undefined };
  }
  if (losesMoney(row, { qty, rate, cents: undefined, note })) return { qty, rate, cents: undefined };
  const cents = multiplyToCents(qty, rate);
  note("rate", {
    severity: "warning",
    code: "rate_from_books",
    text: `Rate is blank; the price in QuickBooks is used: Qty ${formatQty(qty)} × Rate ${formatMoney(rate)} = ${formatMoney(centsToFixed(cents))}.`,
  });
  return { qty, rate, cents };
}
