import { isDeepStrictEqual } from "node:util";
import { SHIPPING_ITEM } from "#integrations/intuit/invoice-body.ts";
import { readAmounts } from "#integrations/intuit/read-amounts.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { hasSameMoney, readAnswer } from "#features/books/rules-answer.ts";
import type { InvoiceDraft, InvoiceToMake } from "#features/books/rules.ts";

/**
 * Whether an invoice in the books equals a draft: everything sent is there as sent, and no text was
 * added except what QuickBooks fills in automatically. The number is ignored. Invoices of one customer
 * and day often differ only in a memo or PO number.
 */
export function isIdentical(sent: InvoiceToMake, invoice: Invoice): boolean {
  const { DocNumber: _number, Line: lines, CustomField: fields, ...rest } = sent.draft;
  const found: Values = invoice;
  return (
    isIn(rest, found) &&
    NEVER_FILLED_IN.every((name) => isIn(found[name], rest[name])) &&
    isIn(lines.toSorted(byKind), invoice.Line.filter(isSent).toSorted(byKind)) &&
    isIn(fieldTexts(fields), fieldTexts(found["CustomField"])) &&
    isIn(fieldTexts(found["CustomField"]), fieldTexts(fields)) &&
    hasSameMoney(readAnswer(sent, invoice))
  );
}

/**
 * Sorts invoices of the books by values in which identical ones agree, so that each one sent is compared with few of
 * thousands.
 */
export function sortInvoices(invoices: Iterable<Invoice>) {
  const sorted = new Map<string, Set<Invoice>>();
  for (const invoice of invoices)
    for (const key of findInvoiceKeys(invoice)) {
      const others = sorted.get(key);
      if (others) others.add(invoice);
      else sorted.set(key, new Set([invoice]));
    }
  return {
    /** Invoices that may be identical to one that is sent, in their order. */
    like: (sent: InvoiceToMake): ReadonlySet<Invoice> => sorted.get(findDraftKey(sent)) ?? NONE,
    delete: (invoice: Invoice): void => {
      for (const key of findInvoiceKeys(invoice)) sorted.get(key)?.delete(invoice);
    },
  };
}

/** Sorts invoices that are sent in the same way. @returns those that may be identical to one of the books */
export function sortSent<Sent extends InvoiceToMake>(sent: Iterable<Sent>): (invoice: Invoice) => Sent[] {
  const sorted = Map.groupBy(sent, findDraftKey);
  return (invoice) => findInvoiceKeys(invoice).flatMap((key) => sorted.get(key) ?? []);
}

const NONE: ReadonlySet<Invoice> = new Set();

/** QuickBooks fills in the description of a line that has none. */
const ANY_DESCRIPTIONS = "any";

const draftKeys = new WeakMap<InvoiceDraft, string>();

function findDraftKey({ draft, amountCents }: InvoiceToMake): string {
  const known = draftKeys.get(draft);
  if (known !== undefined) return known;
  const texts = descriptions(draft.Line);
  const key = makeKey(draft, amountCents, texts.every(Boolean) ? texts : ANY_DESCRIPTIONS);
  draftKeys.set(draft, key);
  return key;
}

const invoiceKeys = new WeakMap<Invoice, readonly string[]>();

function findInvoiceKeys(invoice: Invoice): readonly string[] {
  const known = invoiceKeys.get(invoice);
  if (known) return known;
  const { netCents } = readAmounts(invoice);
  const texts = descriptions(invoice.Line.filter(isSent));
  const keys = [makeKey(invoice, netCents, texts), makeKey(invoice, netCents, ANY_DESCRIPTIONS)];
  invoiceKeys.set(invoice, keys);
  return keys;
}

function makeKey(values: Values, cents: number, texts: readonly string[] | string): string {
  const fields = Object.entries(fieldTexts(values["CustomField"])).filter(([, text]) => Boolean(text));
  const never = NEVER_FILLED_IN.map((name) => {
    const value = values[name];
    return (isValues(value) ? value["value"] : value) ?? "";
  });
  const { CustomerRef: customer, TxnDate: day } = values;
  return JSON.stringify([
    isValues(customer) && customer["value"],
    day,
    cents,
    never,
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    texts,
  ]);
}

const descriptions = (lines: readonly (AnyLine & { Description?: string | undefined })[]): string[] =>
  lines.filter((line) => kindRank(line) === 0).map(({ Description = "" }) => Description);

/**
 * Whether an invoice in the books has the items that a draft names, line by line. Ignores
 * quantities, amounts, discount and shipping: QuickBooks may store other values than were sent.
 */
export function hasSameItems({ Line: lines }: InvoiceDraft, invoice: Invoice): boolean {
  const [own, found] = [lines, invoice.Line].map((all) =>
    all.filter((line) => isSent(line) && kindRank(line) === 0).map(itemId),
  );
  return isDeepStrictEqual(own, found);
}

function itemId(line: unknown): unknown {
  const { SalesItemLineDetail: detail }: Values = isValues(line) ? line : {};
  const { ItemRef: item }: Values = isValues(detail) ? detail : {};
  return isValues(item) ? item["value"] : undefined;
}

type Values = Readonly<Record<string, unknown>>;

const NEVER_FILLED_IN = ["PrivateNote", "CustomerMemo", "TrackingNum", "ShipDate"] as const;

/** Names of list entries change in the books while their ids do not. */
const isName = (property: string) => property === "name";

/**
 * Whether each value of the first is in the second; extra values of the second are ignored.
 * QuickBooks may answer `null` for a missing value.
 */
function isIn(a: unknown, b: unknown): boolean {
  if (a === undefined || a === null || a === "") return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => isIn(value, b[index]));
  if (!isValues(a)) return a === b;
  const others = isValues(b) ? b : {};
  return Object.entries(a).every(([property, value]) => isName(property) || isIn(value, others[property]));
}

type AnyLine = { DetailType?: string | undefined };

/** QuickBooks appends a subtotal to the lines that were sent. */
const isSent = ({ DetailType }: AnyLine) => DetailType !== undefined && SENT_TYPES.has(DetailType);

const SENT_TYPES: ReadonlySet<string> = new Set<InvoiceDraft["Line"][number]["DetailType"]>([
  "SalesItemLineDetail",
  "DescriptionOnly",
  "DiscountLineDetail",
]);

/** Lines keep their order, but QuickBooks moves shipping and the discount. */
const byKind = (a: AnyLine, b: AnyLine) => kindRank(a) - kindRank(b);

function kindRank(line: AnyLine): number {
  if (line.DetailType === "DiscountLineDetail") return 2;
  return itemId(line) === SHIPPING_ITEM ? 1 : 0;
}

/** Texts of custom fields by id; QuickBooks also returns empty ones. */
function fieldTexts(fields: unknown): Values {
  const all: Values[] = Array.isArray(fields) ? fields.filter(isValues) : [];
  return Object.fromEntries(all.map((field) => [String(field["DefinitionId"]), field["StringValue"]]));
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;
