import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { readAmounts } from "#integrations/intuit/read-amounts.ts";
import { queryAll } from "#integrations/intuit/run-query.ts";
import { invoice, type Invoice } from "#integrations/intuit/wire.ts";

const INVOICES = { entity: "Invoice", schema: invoice };
const TEXTS_A_QUERY = 200;

/** Invoices found, and the numbers that Intuit's query language cannot express. */
export type NumberSearch = { invoices: Invoice[]; unqueryable: string[] };

/** Finds the invoices that carry one of the numbers. */
export async function findInvoicesByNumber(
  call: CallRealm,
  numbers: readonly string[],
  signal?: AbortSignal,
): Promise<Answer<NumberSearch>> {
  const distinct = [...new Set(numbers)];
  const quoted = distinct.map(quoteText).filter((text) => text !== null);
  const unqueryable = distinct.filter((number) => quoteText(number) === null);
  const invoices: Invoice[] = [];
  let tid: string | null = null;
  for (let start = 0; start < quoted.length; start += TEXTS_A_QUERY) {
    const where = `DocNumber in (${quoted.slice(start, start + TEXTS_A_QUERY).join(", ")})`;
    const page = await queryAll(call, INVOICES, { where, signal });
    invoices.push(...page.data);
    tid = page.tid;
  }
  return { data: { invoices, unqueryable }, tid };
}

/**
 * Reads invoices by their ids, 200 a call; those deleted meanwhile are not among the answers. What a query does not show
 * is asked for by itself: Intuit does not say how soon a query shows what was just written, and nothing may be taken for
 * deleted that is there.
 */
export async function findInvoicesById(
  call: CallRealm,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Answer<Invoice[]>> {
  const quoted = [...new Set(ids)].map(required);
  const invoices: Invoice[] = [];
  let tid: string | null = null;
  for (let start = 0; start < quoted.length; start += TEXTS_A_QUERY) {
    const where = `Id in (${quoted.slice(start, start + TEXTS_A_QUERY).join(", ")})`;
    const page = await queryAll(call, INVOICES, { where, signal });
    invoices.push(...page.data);
    tid = page.tid;
  }
  const shown = new Set(invoices.map(({ Id }) => Id));
  for (const id of new Set(ids)) {
    if (shown.has(id)) continue;
    const one = await readInvoice(call, id, signal);
    if (one) invoices.push(one);
  }
  return { data: invoices, tid };
}

const wrapped = z.object({ Invoice: invoice }).transform((body) => body.Invoice);

/** @returns null when the books have no invoice of this id any more */
async function readInvoice(call: CallRealm, id: string, signal?: AbortSignal): Promise<Invoice | null> {
  const path = `/invoice/${encodeURIComponent(id)}`;
  try {
    return (await call({ method: "GET", path, write: false, signal }, wrapped)).data;
  } catch (error) {
    if (error instanceof IntuitError && error.kind === "notFound") return null;
    throw error;
  }
}

export type InvoiceTraits = {
  customerId: string;
  /** YYYY-MM-DD; any date when left out. */
  txnDate?: string;
  /** Without the tax that QuickBooks adds; any total when left out. */
  totalCents?: number;
  docNumber?: string | null | undefined;
  /** Leaves out what was surely made earlier; clocks may differ by what the caller takes off. */
  madeAfter: Date;
};

/**
 * Finds invoices by what is known of one that may have been made. Several may fit when no number is given.
 * The total, less its tax, is compared here, to the cent; a number that cannot stand in a query is compared here too.
 */
export async function findInvoices(
  call: CallRealm,
  { customerId, txnDate, totalCents, docNumber, madeAfter }: InvoiceTraits,
  signal?: AbortSignal,
): Promise<Answer<Invoice[]>> {
  const conditions = [`CustomerRef = ${required(customerId)}`];
  if (txnDate !== undefined) conditions.push(`TxnDate = ${required(txnDate)}`);
  const number = docNumber ? quoteText(docNumber) : null;
  if (number) conditions.push(`DocNumber = ${number}`);
  const { data, tid } = await queryAll(call, INVOICES, { where: conditions.join(" and "), signal });
  const fits = (found: Invoice) =>
    (totalCents === undefined || readAmounts(found).netCents === totalCents) &&
    (!docNumber || found.DocNumber === docNumber) &&
    !isOlder(found, madeAfter);
  return { data: data.filter(fits), tid };
}

function isOlder({ MetaData }: Invoice, than: Date): boolean {
  return MetaData?.CreateTime !== undefined && Date.parse(MetaData.CreateTime) < than.getTime();
}

function required(text: string): string {
  const quoted = quoteText(text);
  if (!quoted) throw new RangeError("Ids and dates hold plain characters only.");
  return quoted;
}
