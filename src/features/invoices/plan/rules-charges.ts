import { ONE, fixedToNumber, formatCents, percentOfCents, toCents } from "#formats/table/amounts.ts";
import type { Read, ReadRow } from "#formats/table/cells.ts";
import { findFirst } from "#formats/table/records.ts";
import type { Field, RowGroup } from "#features/invoices/workbook/rules-sheet.ts";
import { checkItem } from "#features/invoices/plan/rules-references.ts";
import type { Charges, CheckedInvoice, Line, Note, PlanContext } from "#features/invoices/plan/rules.ts";

/**
 * Amounts of a whole invoice, which exports repeat on each of its rows or fill with zeros after the first.
 */
const INVOICE_MONEY = ["discount", "discountPercent", "shipping", "fee", "deposit", "invoiceTotal"] as const;

/** Removes zeros if the invoice has another value in the same column: they mean nothing. */
export function withoutZeros(group: RowGroup): RowGroup {
  const zeros = INVOICE_MONEY.filter(
    (field) =>
      group.rows.some(({ cells }) => cells.get(field)?.value === 0n) &&
      group.rows.some(({ cells }) => (cells.get(field)?.value ?? 0n) !== 0n),
  );
  if (zeros.length === 0) return group;
  const rows = group.rows.map(({ cells, ...row }) => {
    const kept = [...cells].filter(
      ([field, { value }]) => value !== 0n || !zeros.some((zero) => zero === field),
    );
    return { ...row, cells: new Map(kept) };
  });
  return { ...group, rows };
}

/** Computes the cents a discount takes off a sum; undefined if a problem makes it unknown. */
export type DiscountRule = (grossCents: bigint) => bigint | undefined;

const NO_DISCOUNT: DiscountRule = () => 0n;

/** Discount of a row, or null for a row without one. Problems are noted when it is applied. */
export function lineDiscount(row: ReadRow<Field>, note: Note): DiscountRule | null {
  return readDiscount(
    { amount: row.cells.get("lineDiscount"), percent: row.cells.get("lineDiscountPercent") },
    { fields: ["lineDiscount", "lineDiscountPercent"], note },
  );
}

type DiscountReads = { amount: Read | undefined; percent: Read | undefined };
type DiscountFields = readonly [amount: Field, percent: Field];

/** Reads a discount; if it is given both ways, both must agree. */
function readDiscount(
  { amount, percent }: DiscountReads,
  { fields: [amountField, percentField], note }: { fields: DiscountFields; note: Note },
): DiscountRule | null {
  const rules = (
    [
      [amountField, amount],
      [percentField, percent],
    ] as const
  ).flatMap(([field, read]) => {
    if (!read || read.value === 0n) return [];
    return [toRule(read, { field, isPercent: field === percentField || read.isPercent === true, note })];
  });
  const [first, second] = rules;
  if (!first) return null;
  if (!second) return first;
  return (gross) => {
    const [a, b] = [first(gross), second(gross)];
    if (a === undefined || b === undefined || a === b) return b && a;
    const params = { percent: percent?.shown ?? "", gross: formatCents(gross), result: formatCents(b) };
    note(amountField, { code: "discounts_differ", value: amount?.shown ?? "", params });
    return undefined;
  };
}

function toRule(
  { value, shown }: Read,
  { field, isPercent, note }: { field: Field; isPercent: boolean; note: Note },
): DiscountRule {
  if (typeof value !== "bigint") return () => undefined;
  if (value < 0n) {
    note(field, { code: "charge_negative", value: shown });
    return () => undefined;
  }
  if (!isPercent) return () => toCents(value);
  if (value > 100n * ONE) {
    note(field, { code: "percent_too_large", value: shown });
    return () => undefined;
  }
  return (gross) => percentOfCents(gross, value);
}

type Found = Pick<CheckedInvoice, "customer" | "lines"> & { txnDate: string | undefined; note: Note };

/** Reads the amounts of an invoice outside its lines: discounts, shipping, a fee and a deposit. */
export function checkCharges(context: PlanContext, group: RowGroup, found: Found): Charges {
  const { lists } = context;
  const {
    discount: takesDiscount,
    shipping: takesShipping,
    deposit: takesDeposit,
  } = lists.allowed ?? ALLOWED;
  const { lines, note } = found;
  const discount = sumDiscounts(group, lines, note);
  const shipping = addCharges(readCharge(group, "shipping", note), sumCharges(group, "lineShipping", note));
  const fee = addCharges(readCharge(group, "fee", note), sumCharges(group, "lineFee", note));
  const deposit = readCharge(group, "deposit", note);
  const charges: Charges = {
    discount: undefined,
    shippingCents: undefined,
    lines: [],
    depositCents: undefined,
    cents:
      discount === undefined || shipping === undefined || fee === undefined || deposit === undefined
        ? undefined
        : shipping + fee - discount.cents,
  };
  const addLine = (field: Field, cents: bigint) => {
    const item = itemCalledLikeColumn(context, field, found);
    if (item) charges.lines.push({ item, cents });
  };
  if (shipping && takesShipping) charges.shippingCents = shipping;
  else if (shipping) addLine(columnAmong(context, ["shipping", "lineShipping"]), shipping);
  if (fee) addLine(columnAmong(context, ["fee", "lineFee"]), fee);
  if (discount && discount.cents !== 0n) {
    if (takesDiscount) charges.discount = discount;
    else addLine(columnAmong(context, DISCOUNTS), -discount.cents);
  }
  if (deposit) {
    if (takesDeposit) charges.depositCents = deposit;
    else note("deposit", { code: "deposit_off", params: { company: lists.companyName } });
  }
  return charges;
}

const DISCOUNTS = ["discount", "discountPercent", "lineDiscount", "lineDiscountPercent"] as const;

/** Defaults for a company whose preferences are not known. */
const ALLOWED = { discount: true, shipping: true, deposit: false };

/** Sums the discounts of all lines, and the invoice's discount on the remainder. */
function sumDiscounts(group: RowGroup, lines: readonly Line[], note: Note): Charges["discount"] {
  const gross = lines.reduce((sum, { cents }) => sum + (cents ?? 0n), 0n);
  const ofLines = lines.reduce((sum, { discountCents = 0n }) => sum + discountCents, 0n);
  const [amount, percent] = [findFirst(group, "discount")?.read, findFirst(group, "discountPercent")?.read];
  const fields = ["discount", "discountPercent"] as const;
  const rule = readDiscount({ amount, percent }, { fields, note }) ?? NO_DISCOUNT;
  const ofInvoice = rule(gross - ofLines);
  if (ofInvoice === undefined) return undefined;
  const only = amount?.isPercent ? amount : percent;
  const isPercent = ofLines === 0n && typeof only?.value === "bigint" && only.value > 0n;
  const isAmount = amount !== undefined && amount.value !== 0n && !amount.isPercent;
  const plain = isPercent && !isAmount && typeof only.value === "bigint" ? only.value : undefined;
  return { cents: ofLines + ofInvoice, percent: plain };
}

const addCharges = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || b === undefined ? undefined : a + b;

/** Fees may lower an invoice: an adjustment, or a rounding. */
const mayBeNegative = (field: Field): boolean => field === "fee" || field === "lineFee";

/** Whole cents of a column of the rows, all together; undefined when one has a problem. */
function sumCharges({ rows }: RowGroup, field: Field, note: Note): bigint | undefined {
  let sum = 0n;
  for (const { cells } of rows) {
    const read = cells.get(field);
    if (!read) continue;
    if (typeof read.value !== "bigint") return undefined;
    if (read.value < 0n && !mayBeNegative(field)) {
      note(field, { code: "charge_negative", value: read.shown });
      return undefined;
    }
    sum += toCents(read.value);
  }
  return sum;
}

/** Whole cents of a column of the invoice, zero for a blank cell; undefined when it has a problem. */
function readCharge(group: RowGroup, field: Field, note: Note): bigint | undefined {
  const read = findFirst(group, field)?.read;
  if (!read) return 0n;
  if (typeof read.value !== "bigint") return undefined;
  if (read.value >= 0n || mayBeNegative(field)) return toCents(read.value);
  note(field, { code: "charge_negative" });
  return undefined;
}

/**
 * Finds the item for a charge column by the column's name; a missing one is asked about like any unknown
 * name.
 */
function itemCalledLikeColumn(context: PlanContext, field: Field, { txnDate, note }: Found): Line["item"] {
  const header = context.table.columns.find((column) => column.field === field)?.header ?? "";
  return checkItem(context, header, { txnDate, note: (_, found) => note(field, found) });
}

/** The first of some fields that the sheet has a column of. */
const columnAmong = ({ table }: PlanContext, fields: readonly [Field, ...Field[]]): Field =>
  fields.find((field) => table.columns.some((column) => column.field === field)) ?? fields[0];

/** Reads the exchange rate of an invoice in a foreign currency; for a blank one, QuickBooks uses its own. */
export function readExchangeRate(
  { lists }: PlanContext,
  group: RowGroup,
  { customer, note }: Pick<Found, "customer" | "note">,
): number | undefined {
  const read = findFirst(group, "exchangeRate")?.read;
  if (typeof read?.value !== "bigint") return undefined;
  const rate = read.exact ?? fixedToNumber(read.value);
  if (rate <= 0) {
    note("exchangeRate", { code: "rate_not_positive" });
    return undefined;
  }
  const { homeCurrency } = lists;
  const billed = customer?.currency ?? homeCurrency;
  if (customer && homeCurrency !== null && billed !== homeCurrency) return rate;
  if (customer && rate !== 1)
    note("exchangeRate", {
      severity: "warning",
      code: "exchange_rate_not_sent",
      params: { customer: customer.name, currency: billed },
    });
  return undefined;
}
