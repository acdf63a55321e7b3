import { CUSTOMER } from "#features/orders/contract.ts";
import { createHash } from "node:crypto";
import type { Partner } from "#features/orders/partners/partner.ts";
import type { OrderField } from "#features/orders/sheet.ts";
import type {
  ChangedHeading,
  ChangedLine,
  ChangeNumber,
  Order,
  OrderBilling,
  OrderCharge,
  OrderLine,
  OrderState,
  ShipTo,
} from "#features/orders/types.ts";

/** Longest PO number that UPS takes as a reference. */
const MAX_PO = 35;

/** `field` is the column of a sheet of orders, `line` the index of the line; null if the fault concerns none. */
export type OrderFault = { field: OrderField | null; line: number | null; text: string };

/** Problems for which an order is refused as a whole; none for a good one. */
export const checkOrder = (order: Order): string[] => findFaults(order).map(({ text }) => text);

/** Faults for which an order is refused as a whole, with their places. */
export function findFaults({ poNumber, shipTo, lines }: Order): OrderFault[] {
  const faults: OrderFault[] = [];
  const add = (field: OrderField | null, text: string, line: number | null = null) =>
    faults.push({ field, line, text });
  if (poNumber === "") add("poNumber", "The PO number is missing.");
  if (poNumber.length > MAX_PO)
    add(
      "poNumber",
      `The PO number "${poNumber}" has more than ${MAX_PO} characters, which UPS doesn't accept.`,
    );
  if (shipTo.name === "") add("name", "The ship-to name is missing.");
  if (shipTo.lines.length === 0) add("address1", "The ship-to address has no street.");
  if (shipTo.city === "") add("city", "The ship-to city is missing.");
  if (shipTo.country === "US" && !/^\d{5}(-?\d{4})?$/.test(shipTo.zip))
    add("zip", `The ship-to ZIP code is "${shipTo.zip}". A ZIP code has 5 or 9 digits.`);
  if (lines.length === 0) add(null, "The order has no lines.");
  for (const [at, { line, quantity }] of lines.entries())
    if (!(Number(quantity) > 0))
      add("quantity", `The quantity of line ${line} is "${quantity}". A quantity is a number above 0.`, at);
  const twice = lines.findIndex(({ line }, at) => lines.findIndex((other) => other.line === line) !== at);
  if (twice !== -1) add("line", `Line ${lines[twice]?.line} occurs twice.`, twice);
  return faults;
}

/** The ship-to's number at its retailer, of an order or a change of one; empty if it names none. */
export const findShipToNumber = ({
  parties = [],
  references,
}: {
  parties?: readonly { kind: string; id: string }[] | undefined;
  references: Order["references"];
}): string =>
  parties.find(({ kind }) => kind === "ST")?.id ||
  (references.find(({ qualifier }) => qualifier === "ST")?.value ?? "");

/** Number of the ship-to as the order writes it, if it has one. */
export const findStoreParty = ({
  billing,
}: Pick<Order, "billing">): { idQualifier: string; id: string } | undefined => {
  const { idQualifier = "", id = "" } = billing?.parties.find(({ kind }) => kind === "ST") ?? {};
  return id === "" ? undefined : { idQualifier, id };
};

/** X12's codes of a price of one unit: of each, current, quoted, of the list. */
const UNIT_BASES: ReadonlySet<string> = new Set(["", "PE", "CP", "QT", "LE"]);

/** The order's price of one unit of a line; empty if it has none, such as with the price of a hundred. */
export const findUnitPrice = ({
  unitCost,
  priceBasis = "",
}: Pick<OrderLine, "unitCost" | "priceBasis">): string => (UNIT_BASES.has(priceBasis) ? unitCost : "");

/** X12's code of an allowance or charge that isn't part of the total. */
const INFORMATION_ONLY = "15";

/**
 * Allowances and charges that count: those that are more than information, and that the retailer didn't end by the amount 0. In X12's
 * SAC01, N is no allowance or charge, and S a service, which costs something only if it says how much.
 */
export const listCharges = (charges: readonly OrderCharge[] = []): OrderCharge[] =>
  charges.filter(
    ({ indicator, handling, amountCents, percent, rate }) =>
      handling !== INFORMATION_ONLY &&
      amountCents !== 0 &&
      indicator !== "N" &&
      (indicator !== "S" || amountCents !== null || percent !== "" || rate !== ""),
  );

/** An order's allowance and freight that its retailer takes on an invoice, each once; the others can't be billed here. */
export function divideCharges(
  { billing }: Pick<Order, "billing">,
  { invoices }: Pick<Partner, "invoices">,
): Partial<Record<"allowance" | "freight", OrderCharge>> & { others: OrderCharge[] } {
  const charges = listCharges(billing?.charges);
  const find = (name: "allowance" | "freight") => {
    const rule = invoices.charges.find(({ amount }) => amount === name);
    return charges.find(
      ({ indicator, code, handling = rule?.handling }) =>
        indicator === (name === "allowance" ? "A" : "C") && code === rule?.code && handling === rule.handling,
    );
  };
  const [allowance, freight] = [find("allowance"), find("freight")];
  const others = charges.filter((charge) => charge !== allowance && charge !== freight);
  return { ...(allowance && { allowance }), ...(freight && { freight }), others };
}

/** A number that no other order of its retailer has. */
export const nameOrder = ({ po_number, store }: { po_number: string; store: string }): string =>
  store === "" ? po_number : `${po_number} ${store}`;

/** Equal for equal orders, whichever change came in last. */
export const fingerprintOrder = (order: Order): string =>
  createHash("sha256")
    .update(JSON.stringify({ ...order, lastChange: undefined }, Object.keys(flat(order)).toSorted()))
    .digest("hex");

const withoutPrices = (order: Order): Order => ({
  ...order,
  lines: order.lines.map((line) => ({ ...line, unitCost: "", priceBasis: "", charges: [] })),
  ...(order.billing && { billing: { ...order.billing, charges: [], expectedTotal: "" } }),
});

/** True if two orders differ only in the prices of their lines, in allowances, charges and their total. */
export const isPriceChange = (order: Order, next: Order): boolean =>
  fingerprintOrder(withoutPrices(order)) === fingerprintOrder(withoutPrices(next));

/** Equal for orders of the same SKUs in the same quantities, whatever else differs. */
export const fingerprintItems = ({ lines }: Pick<Order, "lines">): string =>
  createHash("sha256")
    .update(
      JSON.stringify(
        lines
          .map(({ buyerSku, quantity, unit }) => `${buyerSku} ${quantity} ${unit}`)
          .toSorted((a, b) => (a < b ? -1 : 1)),
      ),
    )
    .digest("hex");

/** Every name inside an order: JSON writes only the listed ones, in their order. */
function flat(value: unknown, names: Record<string, true> = {}): Record<string, true> {
  if (Array.isArray(value)) for (const each of value) flat(each, names);
  else if (value !== null && typeof value === "object")
    for (const [name, each] of Object.entries(value)) {
      names[name] = true;
      flat(each, names);
    }
  return names;
}

/** Orders changes by their numbers, then days, as far as they have them; undefined comes first. */
export const compareChanges = (a?: ChangeNumber, b?: ChangeNumber): number =>
  a && b
    ? compareKnown(a.number, b.number) || compareKnown(a.date, b.date)
    : Number(a !== undefined) - Number(b !== undefined);

/** Whether a change is surely older than another: its number or day says so, and neither contradicts. */
export function isOlderChange(change: ChangeNumber, other: ChangeNumber): boolean {
  const signs = [compareKnown(change.number, other.number), compareKnown(change.date, other.date)];
  return signs.every((sign) => sign <= 0) && signs.some((sign) => sign < 0);
}

/** 0 if one of them is empty. Numbers compare as numbers, whatever is around them. */
const compareKnown = (a: string, b: string): number =>
  a === "" || b === "" ? 0 : a.localeCompare(b, "en", { numeric: true });

/** An order after its retailer's change. A change of a line that the order doesn't have adds it. */
export function applyChange(
  order: Order,
  { heading, lines: changes }: { heading: ChangedHeading; lines: readonly ChangedLine[] },
): Order {
  const lines = new Map(order.lines.map((line) => [line.line, line]));
  for (const { change, ...line } of changes) {
    const was = lines.get(line.line);
    if (change === "DI") lines.delete(line.line);
    else if (!was) lines.set(line.line, line);
    else {
      const next = change === "QD" || change === "QI" ? { quantity: line.quantity } : given(line);
      const charges = line.charges && replaceCharges(was.charges, line.charges);
      const idQualifiers = next.idQualifiers && { ...was.idQualifiers, ...next.idQualifiers };
      lines.set(line.line, {
        ...was,
        ...next,
        ...(charges && { charges }),
        ...(idQualifiers && { idQualifiers }),
      });
    }
  }
  return { ...order, ...changeHeading(order, heading), lines: [...lines.values()] };
}

function changeHeading(
  order: Order,
  { shipTo: { country, ...place }, references, billing, ...texts }: ChangedHeading,
): Partial<Order> {
  const before = order.billing ?? NO_BILLING;
  const { currency, terms } = billing;
  const parties = billing.parties.map((party) => {
    const was = before.parties.find(({ kind }) => kind === party.kind);
    return was ? { ...was, ...given(party) } : party;
  });
  const after = {
    ...before,
    ...given({ currency, terms }),
    charges: replaceCharges(before.charges, billing.charges),
    parties: replaceBy(before.parties, parties, ({ kind }) => kind),
  };
  return {
    ...given(texts),
    // The country of an address that isn't given is the reader's guess.
    shipTo: { ...order.shipTo, ...given(place), ...(place.lines.length > 0 && { country }) },
    references: replaceBy(order.references, references, ({ qualifier }) => qualifier),
    ...((order.billing || !isEmpty(after)) && { billing: after }),
  };
}

/** Billing of an order that names no fact of it. */
export const NO_BILLING: OrderBilling = {
  orderType: "",
  currency: "",
  terms: null,
  charges: [],
  parties: [],
  expectedTotal: "",
};

/**
 * Allowances and charges after a change. X12 has no way to say that one goes, so a change that leaves it out says nothing about it:
 * one that the change names replaces all of its code, and the others stay. A retailer ends one with the amount 0, and the user who
 * answers the change sees all of them, before and after.
 */
const replaceCharges = (
  now: readonly OrderCharge[] = [],
  next: readonly OrderCharge[],
): readonly OrderCharge[] => replaceBy(now, next, ({ indicator, code }) => `${indicator} ${code}`);

/** The facts that a change gives: texts and lists that it leaves out are empty. */
const given = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each))) as Partial<Value>;

/** Whether a value has no text in it. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" ? Object.values(value).every(isEmpty) : value === "");

/** Puts new entries in the place of the first with the same key, and the others behind. */
function replaceBy<Entry>(
  now: readonly Entry[],
  next: readonly Entry[],
  nameEntry: (entry: Entry) => string,
): Entry[] {
  const changed = Map.groupBy(next, nameEntry);
  const isFirst = (entry: Entry, at: number) =>
    now.findIndex((other) => nameEntry(other) === nameEntry(entry)) === at;
  const kept = now.flatMap((entry, at) => {
    const entries = changed.get(nameEntry(entry));
    return entries ? (isFirst(entry, at) ? entries : []) : [entry];
  });
  const known = new Set(now.map(nameEntry));
  return [...kept, ...next.filter((entry) => !known.has(nameEntry(entry)))];
}

/** "Portland, OR 97209" */
export const placeText = ({ city, state, zip }: Pick<ShipTo, "city" | "state" | "zip">): string =>
  [city, `${state} ${zip}`.trim()].filter(Boolean).join(", ");

/**
 * Name of a file of an order for users, unique within a company: it is the PO number's, unless that has other characters than
 * letters and digits, or is not the first retailer's alone; then the order's id tells such names apart.
 */
export function fileName(
  { partner, po_number: po, store, id }: { partner: string; po_number: string; store: string; id: string },
  what: string,
): string {
  const plain = po.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  const isAlone = plain === po && partner === CUSTOMER && store === "";
  return isAlone ? `${plain}-${what}` : `${plain}-${id.slice(0, 8)}-${what}`;
}

/** ISO codes of three letters that retailers write. */
const COUNTRIES: Readonly<Record<string, string>> = { USA: "US", CAN: "CA", MEX: "MX", PRI: "PR" };

/** ISO code of two letters; a country that an order doesn't name is the US. */
export function readCountry(text: string): string {
  const code = text.trim().toUpperCase();
  return code === "" ? "US" : (COUNTRIES[code] ?? code);
}

/** When the retailer canceled an order that has labels, as long as no user has confirmed that it shipped: it isn't billed. */
export const findOpenCancel = (order: {
  cancellation_asked_at: Date | null;
  ship_confirmed_at: Date | null;
}): Date | null => (order.ship_confirmed_at ? null : order.cancellation_asked_at);

/** Moves that are allowed; every change of a state goes through them. */
const MOVES: Readonly<Record<OrderState, readonly OrderState[]>> = {
  open: ["labelling", "labelled", "cancelled"],
  labelling: ["labelled", "open"],
  labelled: ["open"],
  cancelled: ["open"],
};

export const canMove = (from: OrderState, to: OrderState): boolean => MOVES[from].includes(to);
