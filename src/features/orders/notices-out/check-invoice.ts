import { addDecimals, isDecimalText, isSameDecimal } from "#formats/x12/decimals.ts";
import { fromCents, multiplyToCents, percentOfCents, toCents } from "#features/orders/notices-out/money.ts";
import type { BookedInvoice, NoticeDocument, ShipFacts } from "#features/orders/notices-out/types.ts";
import { isXml } from "#features/orders/notices-out/types.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { divideCharges, findUnitPrice, listCharges } from "#features/orders/rules.ts";
import type { Order, OrderLine } from "#features/orders/types.ts";

/** An invoice document as it would be sent, with the data that it must match. */
export type InvoiceParts = {
  order: Order;
  partner: Partner;
  document: NoticeDocument;
  invoice: BookedInvoice;
  /** Ship notices that the invoice covers. */
  shipments: readonly ShipFacts[];
  /** Other invoices of the order. */
  others: readonly BookedInvoice[];
  /** PO number of another invoice to this retailer that has the same number; null if none has. */
  duplicateNumberPo: string | null;
};

/** Shipped quantity of each line, summed over the shipments, as decimal text. */
export const countShipped = (shipments: readonly ShipFacts[]): Map<string, string> =>
  sumByLine(shipments.flatMap(({ lines }) => lines));

function sumByLine(counted: readonly { line: string; quantity: string }[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (const { line, quantity } of counted) sums.set(line, addDecimals([sums.get(line) ?? "0", quantity]));
  return sums;
}

/**
 * Compares an invoice with its order and ship notices, to the unit and the cent.
 * @returns reasons not to send it, as sentences; empty if everything matches
 */
export function checkInvoice(parts: InvoiceParts): string[] {
  const faults = [...checkValues(parts), ...checkLines(parts), ...checkAmounts(parts)];
  return faults.map((fault) => `Invoice ${parts.invoice.number || "without a number"}: ${fault}`);
}

/** Checks the values that a retailer's accounts payable requires. */
function* checkValues(parts: InvoiceParts): Generator<string> {
  const { order, partner, document, invoice, shipments, duplicateNumberPo } = parts;
  const { numberMax, required } = partner.invoices;
  if (order.poNumber === "") yield "the PO number of the order is missing.";
  yield* checkNumber(invoice.number, numberMax);
  if (duplicateNumberPo !== null)
    yield `its number is also the number of the invoice for PO # ${duplicateNumberPo}. Change one of them in QuickBooks.`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(invoice.date) || Number.isNaN(Date.parse(invoice.date)))
    yield `its date is "${invoice.date}", not a date like 2026-12-01.`;
  if (required.includes("vendor_number") && findVendorNumber(order, partner, shipments) === "")
    yield "the vendor number is missing. Enter it in the UPS label settings on the Labels page, or enter this invoice in the retailer's portal.";
  // CommerceHub's format has no field for it.
  if (required.includes("store") && !isXml(document) && findStore(order) === "")
    yield "the order doesn't name its store. Enter this invoice in the retailer's portal.";
  if (shipments.length === 0) yield "there is no ship notice to compare it with.";
  else if (required.includes("tracking_number") && findTrackingNumbers(shipments).length === 0)
    yield "the ship notice has no tracking number.";
  const { currency = "" } = order.billing ?? {};
  if (!["", "USD"].includes(currency.trim().toUpperCase()))
    yield `the order is in ${currency}, and invoices are sent to retailers in USD only. ${PORTAL}`;
  else if (invoice.currency !== "USD")
    yield `it is in ${invoice.currency}, and invoices are sent to retailers in USD only. ${PORTAL}`;
}

function* checkNumber(number: string, numberMax: number): Generator<string> {
  if (number === "") yield "the invoice number is missing. Enter one in QuickBooks.";
  else if (number.length > numberMax)
    yield `its number has ${number.length} characters. The retailer accepts at most ${numberMax}. Change it in QuickBooks.`;
  else if (!/^[\w ./-]+$/.test(number))
    yield "its number has characters other than letters, digits, hyphens, periods, and slashes. Change it in QuickBooks.";
}

/** Finds the order's vendor number, else the company's. */
export const findVendorNumber = (order: Order, partner: Partner, shipments: readonly ShipFacts[]): string =>
  order.references.find(({ qualifier }) => qualifier === partner.invoices.vendorReference)?.value ||
  order.billing?.parties.find(({ kind }) => kind === "RE")?.id ||
  (shipments.map(({ vendorNumber }) => vendorNumber).find(Boolean) ?? "");

/** Finds the store: its own reference, else the number of the bill-to or ship-to party. */
export const findStore = ({ references, billing }: Order): string =>
  references.find(({ qualifier }) => qualifier === "ST")?.value ||
  (["BT", "ST"].map((kind) => billing?.parties.find((party) => party.kind === kind)?.id).find(Boolean) ?? "");

export const findTrackingNumbers = (shipments: readonly ShipFacts[]): string[] =>
  shipments.flatMap(({ cartons }) => cartons.map(({ trackingNumber }) => trackingNumber)).filter(Boolean);

function* checkLines({ order, invoice, shipments, others }: InvoiceParts): Generator<string> {
  if (invoice.lines.length === 0) yield "it has no lines.";
  const shipped = countShipped(shipments);
  const seen = new Set<string>();
  for (const line of invoice.lines) {
    const ordered = order.lines.find((found) => found.line === line.line);
    if (!ordered) yield `line ${line.line} isn't a line of the order.`;
    else if (seen.has(line.line)) yield `line ${line.line} occurs twice.`;
    else yield* checkLine(line, { ordered, shipped: shipped.get(line.line) ?? "0", others });
    seen.add(line.line);
  }
  if (shipments.length === 0) return;
  for (const [line, quantity] of shipped)
    if (!seen.has(line) && !isSameDecimal(quantity, "0"))
      yield `line ${line} isn't billed, but ${quantity} of it ${quantity === "1" ? "was" : "were"} shipped.`;
}

function* checkLine(
  { line, quantity, unitPrice, amount }: BookedInvoice["lines"][number],
  { ordered, shipped, others }: { ordered: OrderLine; shipped: string; others: readonly BookedInvoice[] },
): Generator<string> {
  const where = `line ${line}`;
  if (!isDecimalText(quantity) || !isDecimalText(unitPrice)) {
    yield `${where} has the quantity "${quantity}" and the price "${unitPrice}", which aren't both numbers.`;
    return;
  }
  if (!isSameDecimal(quantity, shipped))
    yield `${where} bills ${quantity}, but ${shipped} ${shipped === "1" ? "was" : "were"} shipped. Correct the invoice in QuickBooks.`;
  const billed = sumByLine([...others.flatMap((other) => other.lines), { line, quantity }]).get(line) ?? "0";
  if (Number(billed) > Number(ordered.quantity))
    yield `${where} would bill ${billed} in total, but ${ordered.quantity} were ordered.`;
  if (listCharges(ordered.charges).length > 0)
    yield `${where} has an allowance or charge of its own in the order, which isn't billed here. Enter this invoice in the retailer's portal.`;
  if (findUnitPrice(ordered) !== ordered.unitCost)
    yield `${where} has a price with the basis ${ordered.priceBasis} in the order, which isn't the price of one unit. ${PORTAL}`;
  else if (!isDecimalText(ordered.unitCost)) yield `${where} has no price in the order.`;
  else if (!isSameDecimal(unitPrice, ordered.unitCost))
    yield `${where} bills a price of ${unitPrice}, but the order says ${ordered.unitCost}. Correct the invoice in QuickBooks, or ask the retailer to change the order.`;
  const expected = multiplyToCents(quantity, unitPrice);
  if (expected === null || toCents(amount) !== expected)
    yield `${where} has the amount ${amount}, but ${quantity} × ${unitPrice} is ${fromCents(expected ?? 0)}.`;
}

function* checkAmounts({ order, partner, invoice, others }: InvoiceParts): Generator<string> {
  const named = ["total", "freight", "allowance", "tax"] as const;
  const read = (name: (typeof named)[number]) => toCents(invoice[name]) ?? -1;
  const [total, freight, allowance, tax] = [read("total"), read("freight"), read("allowance"), read("tax")];
  const wrong = named.find((name) => read(name) < 0);
  const merchandise = invoice.lines.reduce((sum, { amount }) => sum + (toCents(amount) ?? 0), 0);
  if (wrong !== undefined) {
    yield `the ${wrong} is "${invoice[wrong]}", not an amount in dollars and cents.`;
    return;
  }
  if (total === 0) yield "its total is 0. Invoices for $0.00 aren't sent.";
  const sum = merchandise + freight + tax - allowance;
  if (total !== sum)
    yield `its total is ${fromCents(total)}, but its lines, freight, tax, and allowance add up to ${fromCents(sum)}.`;
  if (tax !== 0 && !partner.invoices.acceptsTax)
    yield `it has ${fromCents(tax)} of sales tax, which the retailer doesn't pay. Make the customer tax-exempt in QuickBooks.`;
  for (const { name, cents } of [
    { name: "allowance", cents: allowance },
    { name: "freight", cents: freight },
  ] as const)
    yield* checkCharge(name, { cents, merchandise, order, partner, others });
}

function* checkCharge(
  name: "allowance" | "freight",
  {
    cents,
    merchandise,
    order,
    partner,
    others,
  }: { cents: number; merchandise: number } & Pick<InvoiceParts, "order" | "partner" | "others">,
): Generator<string> {
  const rule = partner.invoices.charges.find(({ amount }) => amount === name);
  const { [name]: ordered, others: unbilled } = divideCharges(order, partner);
  if (cents !== 0 && (!rule || (rule.needsOrder && !ordered))) {
    yield `it has ${name === "freight" ? "freight" : "an allowance"} of ${fromCents(cents)}, which ${rule ? "the order doesn't name" : "the retailer doesn't accept"}.`;
    return;
  }
  const other = unbilled.find(({ indicator }) => indicator === "A");
  if (name === "allowance" && other)
    yield `the order has the allowance ${other.code}, which isn't billed here. ${PORTAL}`;
  if (!ordered) return;
  const { amountCents, percent } = ordered;
  if (amountCents === null) yield* checkPercent(name, cents, { percent, merchandise });
  else {
    const all = others.reduce((sum, invoice) => sum + (toCents(invoice[name]) ?? 0), cents);
    yield* name === "freight" ? checkFreight(cents, amountCents, all) : checkAllowance(all, amountCents);
  }
}

const PORTAL = "Enter this invoice in the retailer's portal.";

/** A percent is of the goods of each invoice. */
function* checkPercent(
  name: "allowance" | "freight",
  cents: number,
  { percent, merchandise }: { percent: string; merchandise: number },
): Generator<string> {
  const expected = percentOfCents(merchandise, percent);
  if (expected === null) yield `the order's ${name} is neither an amount nor a percent. ${PORTAL}`;
  else if (cents !== expected)
    yield `its ${name} is ${fromCents(cents)}, but ${percent}% of ${fromCents(merchandise)} is ${fromCents(expected)}.`;
}

/** A fixed-amount allowance applies once per order, on any one of its invoices. @param all that of all its invoices */
function* checkAllowance(all: number, amountCents: number): Generator<string> {
  if (all !== amountCents)
    yield `with this invoice, allowances on the order total ${fromCents(all)}, but the order has ${fromCents(amountCents)}.`;
}

/** Freight may be less than the order allows. @param all that of all its invoices */
function* checkFreight(cents: number, maxCents: number, all: number): Generator<string> {
  if (cents > maxCents)
    yield `it has freight of ${fromCents(cents)}, but the order allows ${fromCents(maxCents)}.`;
  else if (cents > 0 && all > maxCents)
    yield `with this invoice, freight on the order totals ${fromCents(all)}, but the order allows ${fromCents(maxCents)}.`;
}
