import { problemAt, type Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import type { CheckedInvoice, Line, Note, PlanContext } from "#features/invoices/plan/rules.ts";
import {
  FIXED_DECIMALS,
  divideCents,
  fixedToNumber,
  formatCents,
  formatMoney,
  formatQty,
  multiplyNumbersToCents,
  multiplyToCents,
  numberToFixed,
  toCents,
  type Fixed,
} from "#formats/table/amounts.ts";
import { fieldRule, type ReadRow } from "#features/invoices/workbook/rules-sheet.ts";
import { NUMBER_TYPES } from "#formats/table/define-sheet.ts";
import { asFurther, cellNumber, cellText, cellUnrounded } from "#formats/table/cells.ts";
import { type DiscountRule, lineDiscount } from "#features/invoices/plan/rules-charges.ts";
import { foreignCurrency } from "#features/invoices/plan/rules-currency.ts";
import { checkItem, checkReference } from "#features/invoices/plan/rules-references.ts";

type OfInvoice = { problems: Problem[]; txnDate: string | undefined };

/** Checks one row as a line of its invoice; adds faults to `problems`. */
export function checkLine(
  context: PlanContext,
  row: ReadRow,
  { problems, txnDate, customer }: Pick<CheckedInvoice, "customer"> & OfInvoice,
): Line {
  const note: Note = (field, found) => {
    const value = row.cells.get(field)?.shown ?? "";
    const { columns = context.table.columns } = row;
    const problem = problemAt({ columns }, { field, row: row.row }, { value, ...found });
    problems.push(row.columns ? asFurther(problem) : problem);
  };
  const { classes, lists } = context;
  const item = checkItem(context, cellText(row, "item"), { txnDate, note });
  const lineClass = checkReference(classes, cellText(row, "className"), { field: "className", lists, note });
  const discount = lineDiscount(row, note);
  const taxable = row.cells.get("taxable")?.value;
  const foreign = foreignCurrency(customer, lists);
  const noListPrice =
    foreign === undefined
      ? undefined
      : { home: lists.homeCurrency, customer: customer?.name ?? "", billed: foreign };
  return {
    item,
    description: cellText(row, "description"),
    ...withDiscount(readMoney(row, { item, note, discount, noListPrice }), discount),
    serviceDate: cellText(row, "serviceDate"),
    lineClass,
    taxable: typeof taxable === "boolean" ? taxable : undefined,
  };
}

/** A discounted line is sent at its full price; the discounts of all lines become one separate line. */
function withDiscount(money: Money, discount: DiscountRule | null): Money & Pick<Line, "discountCents"> {
  if (!discount || money.cents === undefined) return money;
  const discountCents = discount(money.cents);
  return discountCents === undefined ? { ...money, cents: undefined } : { ...money, discountCents };
}

type Money = Pick<Line, "qty" | "rate" | "cents">;
const MONEY_FIELDS = ["qty", "rate", "amount"] as const;

type Beside = {
  item: Line["item"];
  note: Note;
  discount: DiscountRule | null;
  /** Set where the prices of the list are in another currency than the invoice. */
  noListPrice: Params | undefined;
};

function readMoney(row: ReadRow, { item, note, discount, noListPrice }: Beside): Money {
  const nothing: Money = { qty: undefined, rate: undefined, cents: undefined };
  const isUnreadable = MONEY_FIELDS.some((field) => row.cells.get(field)?.value === null);
  if (isUnreadable) return nothing;
  const [qty, rate, amount] = MONEY_FIELDS.map((field) => cellNumber(row, field));
  const hasMoney = qty !== undefined || rate !== undefined || amount !== undefined;
  if (!row.cells.has("item")) return withoutItem(row, { hasMoney, note });
  const cents = amount === undefined ? undefined : toCents(amount);
  if (qty !== undefined && rate !== undefined)
    return withBoth(row, { qty, rate, cents: beforeDiscount({ qty, rate, cents }, discount), note });
  if (cents !== undefined && discount && cents !== 0n) {
    note("amount", { code: "amount_net_unclear", params: { amount: formatCents(cents) } });
    return nothing;
  }
  if (cents !== undefined) return withAmount({ qty, rate, cents }, note);
  if (qty !== undefined) return withListPrice(row, qty, { item, note, noListPrice });
  note("amount", { code: "amount_missing", params: { hasRate: rate !== undefined } });
  return nothing;
}

/** Adds the discount back to an Amount that has it subtracted, so that it equals Qty × Rate. */
function beforeDiscount(
  { qty, rate, cents }: { qty: Fixed; rate: Fixed; cents: bigint | undefined },
  discount: DiscountRule | null,
): bigint | undefined {
  if (cents === undefined || !discount) return cents;
  const product = multiplyToCents(qty, rate);
  return product !== cents && product - (discount(product) ?? 0n) === cents ? product : cents;
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
 * Whether rounding changes money: QuickBooks keeps five decimals and multiplies those, while Excel multiplied
 * all decimals of a cell. If the cents differ, the user must choose, unless the Amount decides.
 */
function losesMoney(row: ReadRow, { qty, rate, cents, note }: Given): boolean {
  const field = cellUnrounded(row, "rate") === undefined ? "qty" : "rate";
  if (cellUnrounded(row, field) === undefined) return false;
  const [sent, meant] = [
    multiplyToCents(qty, rate),
    multiplyNumbersToCents(
      cellUnrounded(row, "qty") ?? fixedToNumber(qty),
      cellUnrounded(row, "rate") ?? fixedToNumber(rate),
    ),
  ];
  if (meant === undefined || meant === sent || (cents ?? meant) !== meant) return false;
  const params = { ...spell({ qty, rate }), product: formatCents(sent), full: formatCents(meant) };
  note(field, { code: "rounding_changes_amount", params });
  return true;
}

/** A line of text needs no item; QuickBooks silently drops money without an item. */
function withoutItem(row: ReadRow, { hasMoney, note }: { hasMoney: boolean; note: Note }): Money {
  const money: Money = { qty: undefined, rate: undefined, cents: hasMoney ? undefined : 0n };
  const isBare = [...row.cells.keys()].every((field) => NUMBER_TYPES.has(fieldRule(field).type));
  if (hasMoney) note("item", { code: isBare ? "only_amount" : "item_missing" });
  else if (!row.cells.has("description")) note("item", { code: "line_blank" });
  return money;
}

function withAmount({ qty, rate, cents }: Omit<Money, "cents"> & { cents: bigint }, note: Note): Money {
  if (qty === undefined && rate === undefined) return { qty, rate, cents };
  if (qty !== undefined && rate !== undefined) {
    const product = multiplyToCents(qty, rate);
    if (product === cents) return { qty, rate, cents };
    const amounts = { amount: formatCents(cents), product: formatCents(product) };
    note("amount", { code: "amount_differs", params: { ...spell({ qty, rate }), ...amounts } });
    return { qty, rate, cents: undefined };
  }
  return qty === undefined ? withQty({ rate: rate ?? 0n, cents }, note) : withRate({ qty, cents }, note);
}

/** Derives the quantity. A fraction that is not in the sheet means a mistake in the Rate or the Amount. */
function withQty({ rate, cents }: { rate: Fixed; cents: bigint }, note: Note): Money {
  const qty = divideCents(cents, rate);
  if (qty !== undefined && hasNoDecimals(qty)) {
    note("qty", { severity: "warning", code: "qty_derived" });
    return { qty, rate, cents };
  }
  const params = { ...spell({ qty: undefined, rate }), amount: formatCents(cents) };
  if (qty === undefined) note("amount", { code: "amount_not_divisible", params });
  else note("qty", { code: "qty_has_decimals", params: { ...params, quotient: formatQty(qty) } });
  return { qty: undefined, rate, cents: undefined };
}

function withRate({ qty, cents }: { qty: Fixed; cents: bigint }, note: Note): Money {
  const rate = divideCents(cents, qty);
  if (rate !== undefined) {
    note("rate", { severity: "warning", code: "rate_derived" });
    return { qty, rate, cents };
  }
  const params = { ...spell({ qty, rate }), amount: formatCents(cents) };
  note("amount", { code: "amount_not_divisible", params });
  return { qty, rate, cents: undefined };
}

const hasNoDecimals = (value: Fixed): boolean => value % 10n ** BigInt(FIXED_DECIMALS) === 0n;

/** Uses the price in the books for a blank rate and reports it to the user. */
function withListPrice(
  row: ReadRow,
  qty: Fixed,
  { item, note, noListPrice }: Omit<Beside, "discount">,
): Money {
  const rate = item?.unitPrice === undefined ? undefined : numberToFixed(item.unitPrice, 5);
  if (!rate || noListPrice) {
    note("rate", { code: "rate_missing", params: { item: item?.name ?? null, ...(rate && noListPrice) } });
    return { qty, rate: undefined, cents: undefined };
  }
  if (losesMoney(row, { qty, rate, cents: undefined, note })) return { qty, rate, cents: undefined };
  const cents = multiplyToCents(qty, rate);
  const params = { ...spell({ qty, rate }), amount: formatCents(cents) };
  note("rate", { severity: "warning", code: "rate_from_books", params });
  return { qty, rate, cents };
}

/** Quantity and rate as users write them; null for a blank one. */
const spell = ({ qty, rate }: Pick<Money, "qty" | "rate">) => ({
  qty: qty === undefined ? null : formatQty(qty),
  rate: rate === undefined ? null : formatMoney(rate),
});
