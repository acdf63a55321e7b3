import type { InvoiceOfPo } from "#features/books/index.ts";
import type { BooksLists } from "#features/books/reading.ts";
import { findName, indexNames, type ListEntry } from "#features/books/reading.ts";
import type { Part } from "#features/order-invoices/shipments.ts";
import {
  divideCharges,
  findOpenCancel,
  findUnitPrice,
  fingerprintOrder,
  listCharges,
  type Order,
  type Partner,
  type Pieces,
  type StoredOrder,
} from "#features/orders/index.ts";
import {
  decimalToFixed,
  FIXED_DECIMALS,
  formatQty,
  multiplyToCents,
  percentOfCents,
} from "#formats/table/amounts.ts";
import { DAY_MS } from "#platform/time.ts";

/** Why an invoice can't be posted before a user answers. */
export type Wait =
  | "voided"
  | "credit"
  | "nothing"
  | "customer"
  | "sku"
  | "terms"
  | "no_price"
  | "charge"
  | "currency"
  | "price"
  | "books";

/** The entry of the books that a name of the retailer means. */
export type Target = { id: string; name: string };

/** Decimal text; amounts are cents. */
export type DraftLine = {
  line: string;
  /** The retailer's SKU, else ours: the name that is matched. */
  sku: string;
  description: string;
  ordered: string;
  /** Pieces that are billed: those that were shipped. */
  quantity: string;
  unitPrice: string;
  cents: number;
  item: Target | null;
  /** Entries of the books that it may be, the likeliest first. */
  suggestions: readonly string[];
  /** The item's price in the books, where it is another one. */
  itemPrice: string | null;
};

export type Draft = {
  /** Fingerprint of the order that it was drafted from. */
  order?: string;
  customer: Target | null;
  lines: readonly DraftLine[];
  /** It has the charges of the whole order, such as its freight. */
  hasOrderCharges: boolean;
  /** The order names an allowance or charge that the retailer's invoices here don't have, or whose amount isn't known. */
  hasUnbilledCharge?: true;
  /** The order is in another currency than its customer in the books. */
  hasOtherCurrency?: true;
  freightCents: number;
  allowanceCents: number;
  totalCents: number;
  /** YYYY-MM-DD: the invoice is of that day. */
  shipDate: string;
  service: string;
  trackingNumbers: readonly string[];
  /** The books' terms with the days or the name that the order has; null where they have none. */
  terms: string | null;
  /** The order's words for its terms, which neither the books nor a match explain. */
  unknownTerms?: string;
  /** By the order's terms, if the books have none such. */
  dueDate: string | null;
  className: string | null;
  location: string | null;
  /** Invoices of its order that bill pieces whose labels were voided since: it may bill these pieces again. */
  overbilled?: readonly Overbilled[];
};

/** `isWhole`: the invoice bills nothing else, so its charges go too. */
export type Excess = { lines: readonly Pieces[]; isWhole: boolean };

/** `qboId` is its id in the books, null while it is being posted; `isSent`: the retailer may have it. */
export type Overbilled = Excess & { qboId: string | null; isSent: boolean };

/** An invoice in the books with the PO number of an order, or even with a tracking number of what a draft bills. */
export type Theirs = {
  id: string;
  number: string;
  date: string;
  totalCents: number;
  hasTrackingNumber: boolean;
};

export type Answers = {
  /** Lines that are billed at the order's price though the books have a higher one. */
  price?: readonly string[];
  /** Ids of invoices in the books with its PO number that bill something else. */
  others?: readonly string[];
  /** Pieces of earlier invoices, whose labels were voided, that are credited: more that is voided later is asked about again. */
  credited?: readonly Pick<Overbilled, "qboId" | "lines">[];
  /** The sentence about a change in the books after the 810 that a user has handled: another change, or the same again, asks again. */
  handled?: string | undefined;
};

/** Targets that users chose, by kind and the name as the retailer writes it. */
export type Matches = ReadonlyMap<string, Target>;
export const matchKey = (kind: string, written: string): string => `${kind} ${written}`;

type Parts = {
  order: Order;
  partner: Partner;
  /** The retailer's name. */
  retailer: string;
  /** Shipments that the invoice bills. */
  shipments: readonly Part[];
  /** It has the charges of the whole order; see `rules-charged.ts`. */
  hasOrderCharges: boolean;
  shipDate: string;
  lists: BooksLists;
  matches: Matches;
  overbilled: readonly Overbilled[];
};

/** Shipments of an order that one invoice bills; `shipmentId` is null for all of them. */
export type Bill = { shipmentId: string | null; shipments: readonly Part[] };

/** Divides what was shipped into invoices as the retailer wants them. One for all of an order is made once nothing is left to ship. */
export function divideBills(
  parts: readonly Part[],
  { invoices: { per } }: Partner,
  order: Pick<StoredOrder, "state">,
): Bill[] {
  if (per === "shipment") return parts.map((part) => ({ shipmentId: part.shipmentId, shipments: [part] }));
  return parts.length > 0 && order.state === "labelled" ? [{ shipmentId: null, shipments: parts }] : [];
}

/** Drafts an invoice: what was shipped at the order's price. */
export function draftInvoice(parts: Parts): Draft {
  const { order, partner, shipments, hasOrderCharges, shipDate, lists, matches, overbilled } = parts;
  const items = indexNames(lists.items.filter(({ type }) => type !== "Category" && type !== "Group"));
  const shipped = shipments.flatMap(({ lines }) => lines);
  const lines = order.lines.flatMap((line): DraftLine[] => {
    const quantity = sumPieces(shipped, line.line);
    if (quantity === 0n) return [];
    const unitPrice = findUnitPrice(line);
    const price = decimalToFixed(unitPrice, FIXED_DECIMALS) ?? 0n;
    const sku = line.buyerSku || line.vendorSku || line.upc;
    const found = findTarget(items, matches.get(matchKey("item", sku)), [line.vendorSku, sku]);
    const inBooks = lists.items.find(({ id }) => id === found.target?.id)?.unitPrice;
    const itemPrice = inBooks === undefined ? undefined : decimalToFixed(String(inBooks), FIXED_DECIMALS);
    return [
      {
        line: line.line,
        sku,
        description: line.description,
        ordered: line.quantity,
        quantity: formatQty(quantity),
        unitPrice,
        cents: Number(multiplyToCents(quantity, price)),
        item: found.target,
        suggestions: found.suggestions,
        itemPrice: itemPrice === undefined || itemPrice === price ? null : formatQty(itemPrice),
      },
    ];
  });
  const merchandise = lines.reduce((sum, { cents }) => sum + cents, 0);
  const charge = (amount: "allowance" | "freight") =>
    findCharge(amount, { order, partner, merchandise, hasOrderCharges });
  const [freightCents, allowanceCents] = [charge("freight"), charge("allowance")];
  const chosen = matches.get(matchKey("customer", ""));
  const customer = findTarget(indexNames(lists.customers), chosen, [parts.retailer]).target;
  return {
    order: fingerprintOrder(order),
    customer,
    lines,
    hasOrderCharges,
    ...(hasUnbilledCharge(order, partner, lines) && { hasUnbilledCharge: true }),
    ...(customer && hasOtherCurrency(order, lists, customer) && { hasOtherCurrency: true }),
    freightCents,
    allowanceCents,
    totalCents: merchandise + freightCents - allowanceCents,
    shipDate,
    service: shipments[0]?.service ?? "",
    trackingNumbers: shipments.flatMap(({ trackingNumbers }) => trackingNumbers),
    ...findTerms(order, { lists, matches, day: shipDate }),
    className: matches.get(matchKey("class", ""))?.name ?? null,
    location: matches.get(matchKey("department", ""))?.name ?? null,
    ...(overbilled.length > 0 && { overbilled }),
  };
}

/** Pieces of a line. */
export function sumPieces(pieces: readonly Pieces[], line: string): bigint {
  const own = pieces.filter((piece) => piece.line === line);
  return own.reduce((sum, { quantity }) => sum + (decimalToFixed(quantity, FIXED_DECIMALS) ?? 0n), 0n);
}

function findTarget<Entry extends ListEntry>(
  index: ReturnType<typeof indexNames<Entry>>,
  chosen: Target | undefined,
  texts: readonly string[],
): { target: Target | null; suggestions: string[] } {
  const named = ({ id, name, fullName }: ListEntry): Target => ({ id, name: fullName ?? name });
  const kept = chosen && index.entries.find(({ id, active }) => id === chosen.id && active);
  if (kept) return { target: named(kept), suggestions: [] };
  const suggestions = new Set<string>();
  for (const text of texts.filter(Boolean)) {
    const match = findName(index, text);
    if (match.kind === "found") return { target: named(match.entry), suggestions: [] };
    if (match.kind === "none") for (const name of match.suggestions) suggestions.add(name);
  }
  return { target: null, suggestions: [...suggestions] };
}

/** An allowance or freight that the order names and the retailer takes; an amount of the whole order is on one of its invoices. */
export function findCharge(
  amount: "allowance" | "freight",
  {
    order,
    partner,
    merchandise,
    hasOrderCharges,
  }: Pick<Parts, "order" | "partner" | "hasOrderCharges"> & { merchandise: number },
): number {
  const named = divideCharges(order, partner)[amount];
  if (!named) return 0;
  // An amount counts, even if there is a percent next to it.
  if (named.amountCents !== null) return hasOrderCharges ? named.amountCents : 0;
  const percent = decimalToFixed(named.percent, FIXED_DECIMALS);
  return percent === undefined ? 0 : Number(percentOfCents(BigInt(merchandise), percent));
}

/** @param billed lines of the draft */
function hasUnbilledCharge(order: Order, partner: Partner, billed: readonly DraftLine[]): boolean {
  const { allowance, freight, others } = divideCharges(order, partner);
  const isUnknown = (charge: typeof allowance) =>
    charge?.amountCents === null && decimalToFixed(charge.percent, FIXED_DECIMALS) === undefined;
  const ofLines = order.lines.filter(({ line }) => billed.some((each) => each.line === line));
  return (
    others.length > 0 ||
    isUnknown(allowance) ||
    isUnknown(freight) ||
    ofLines.some(({ charges }) => listCharges(charges).length > 0)
  );
}

/** True if an order is in another currency than its customer in the books; one that names none is in the company's, or in USD. */
function hasOtherCurrency(
  { billing }: Order,
  { customers, homeCurrency }: BooksLists,
  { id }: Target,
): boolean {
  const named = billing?.currency.trim().toUpperCase() ?? "";
  const home = homeCurrency ?? "USD";
  const billed = customers.find((customer) => customer.id === id)?.currency ?? home;
  return named === "" ? billed !== home && billed !== "USD" : named !== billed;
}

function findTerms(
  order: Order,
  { lists: { terms }, matches, day }: Pick<Parts, "lists" | "matches"> & { day: string },
): Pick<Draft, "terms" | "unknownTerms" | "dueDate"> {
  const { netDays = "", discountPercent = "", description = "" } = order.billing?.terms ?? {};
  const days = Number(netDays);
  if (!/^\d{1,3}$/.test(netDays)) {
    const written = description.trim();
    const { target } = findTarget(indexNames(terms), matches.get(matchKey("term", written)), [written]);
    const isUnknown = written !== "" && !target;
    return { terms: target?.name ?? null, dueDate: null, ...(isUnknown && { unknownTerms: written }) };
  }
  const alike = terms.filter(({ active, dueDays }) => active && dueDays === days);
  // Terms with a discount have the same days as terms without, or with another one: their names say which.
  const isMeant = ({ name }: { name: string }) =>
    Number(/(\d{1,3}(?:\.\d{1,4})?) ?%/.exec(name)?.[1] ?? 0) === Number(discountPercent);
  const found = alike.find(isMeant);
  if (found) return { terms: found.name, dueDate: null };
  return { terms: null, dueDate: new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10) };
}

/** True if a user said that all excess pieces of an invoice are credited. */
export const isCredited = (
  { qboId, lines }: Pick<Overbilled, "qboId" | "lines">,
  credited: NonNullable<Answers["credited"]>,
): boolean =>
  qboId !== null &&
  lines.every(({ line, quantity }) =>
    credited.some(
      (each) =>
        each.qboId === qboId &&
        sumPieces(each.lines, line) >= (decimalToFixed(quantity, FIXED_DECIMALS) ?? 0n),
    ),
  );

/** Why an invoice waits for a user. A lower price in the books is shown, a higher one asks. */
export function listWaits(
  draft: Draft,
  { price = [], credited = [], theirs }: Answers & { theirs: Theirs | null },
): Wait[] {
  const waits: Wait[] = [];
  const overbilled = (draft.overbilled ?? []).filter((each) => !isCredited(each, credited));
  if (overbilled.length > 0) waits.push(overbilled.every(({ isSent }) => isSent) ? "credit" : "voided");
  if (draft.lines.length === 0) waits.push("nothing");
  if (!draft.customer) waits.push("customer");
  if (draft.lines.some(({ item }) => !item)) waits.push("sku");
  if (draft.unknownTerms !== undefined) waits.push("terms");
  if (draft.lines.some(({ unitPrice }) => !isPrice(unitPrice))) waits.push("no_price");
  if (draft.hasUnbilledCharge) waits.push("charge");
  if (draft.hasOtherCurrency) waits.push("currency");
  if (draft.lines.some((line) => isAboveOrder(line) && !price.includes(line.line))) waits.push("price");
  if (theirs) waits.push("books");
  return waits;
}

/** Why nothing of an order is billed before a user answers what its retailer changed; undefined if nothing is open. */
export const findOrderHold = (order: StoredOrder): "canceled" | "order_waits" | undefined =>
  findOpenCancel(order) ? "canceled" : order.waiting ? "order_waits" : undefined;

/** Days before an order in which an invoice of it may be dated, such as one that is typed into the month before. */
const BEFORE_DAYS = 31;

/** The first day of invoices that may bill a draft, YYYY-MM-DD. */
export function findFirstDay(
  { content, received_at: receivedAt }: Pick<StoredOrder, "content" | "received_at">,
  { shipDate }: Draft,
): string {
  const received = receivedAt.toISOString().slice(0, 10);
  const [first = received] = [content.orderDate ?? received, received, shipDate].toSorted();
  return new Date(Date.parse(first) - BEFORE_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Chooses the invoice in the books that a user is asked about for a draft: one with a tracking number of the draft, else one with no
 * tracking number of its order. One with another shipment's is asked about last: it may bill all of the order, and the Tracking
 * Service writes the number of one shipment onto it.
 */
export function chooseTheirs(
  found: readonly InvoiceOfPo[],
  { trackingNumbers: numbers }: Pick<Draft, "trackingNumbers">,
): Theirs | null {
  const own = found.find(({ trackingNumbers }) => trackingNumbers.some((number) => numbers.includes(number)));
  const chosen = own ?? found.find(({ trackingNumbers }) => trackingNumbers.length === 0) ?? found[0];
  if (!chosen) return null;
  const { id, number, date, totalCents } = chosen;
  return { id, number, date, totalCents, hasTrackingNumber: chosen === own };
}

const isPrice = (text: string): boolean => (decimalToFixed(text, FIXED_DECIMALS) ?? 0n) > 0n;

/** Whether the books sell an item at more than the order pays. */
export const isAboveOrder = ({ itemPrice, unitPrice }: DraftLine): boolean =>
  itemPrice !== null &&
  (decimalToFixed(itemPrice, FIXED_DECIMALS) ?? 0n) > (decimalToFixed(unitPrice, FIXED_DECIMALS) ?? 0n);

/**
 * Proposes a number: the PO number without leading zeros, then with the number of the attempt behind it, as short as the retailer
 * wants. Of a longer one the last characters stay.
 */
export function proposeNumber(poNumber: string, numberMax: number, attempt: number): string {
  const base = poNumber.replaceAll(/[^A-Za-z0-9-]/g, "").replace(/^0+(?=.)/, "");
  const suffix = attempt === 1 ? "" : `-${attempt}`;
  return `${base.slice(-(Math.min(numberMax, 21) - suffix.length))}${suffix}`;
}
