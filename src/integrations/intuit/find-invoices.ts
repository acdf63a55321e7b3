import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { instantText, quoteText } from "#integrations/intuit/query-text.ts";
import { queryAll, queryPages } from "#integrations/intuit/run-query.ts";
import { invoice, wrapped, type Invoice } from "#integrations/intuit/wire.ts";

const INVOICES = { entity: "Invoice", schema: invoice };
const TEXTS_A_QUERY = 200;

/** Invoices found, and the numbers that Intuit's query language cannot express. */
type NumberSearch = { invoices: Invoice[]; unqueryable: string[] };

/** Finds the invoices with one of the numbers, 200 numbers per call. */
export async function findInvoicesByNumbers(
  call: CallRealm,
  numbers: readonly string[],
): Promise<Answer<NumberSearch>> {
  const { data, tid } = await findBy(call, "DocNumber", numbers);
  const unqueryable = [...new Set(numbers)].filter((number) => quoteText(number) === null);
  return { data: { invoices: data, unqueryable }, tid };
}

/**
 * Finds invoices created at or after a time, by Intuit's clock and to the second, except those that queries
 * do not show yet. One call per thousand.
 * @param until the last instant; null for no end
 */
export function findInvoicesMadeSince(
  call: CallRealm,
  since: Date,
  until: Date | null = null,
): Promise<Answer<Invoice[]>> {
  const end = until ? ` and MetaData.CreateTime <= '${instantText(until)}'` : "";
  return queryAll(call, { ...INVOICES, where: `${madeSince(since)}${end}`, orderBy: "MetaData.CreateTime" });
}

/**
 * Finds the invoices of some customers that are of some days and were made at an instant or later, 200 customers a call.
 * @param where.days YYYY-MM-DD; more than 200 of them are asked for as a range
 */
export async function findInvoicesOnDays(
  call: CallRealm,
  { customers, days, since }: { customers: readonly string[]; days: readonly string[]; since: Date },
): Promise<Answer<Invoice[]>> {
  const [first = "", last = first] = [days.toSorted()[0], days.toSorted().at(-1)];
  const onDays =
    days.length <= TEXTS_A_QUERY
      ? `TxnDate in (${days.map((day) => `'${day}'`).join(", ")})`
      : `TxnDate >= '${first}' and TxnDate <= '${last}'`;
  return findBy(call, "CustomerRef", customers, ` and ${onDays} and ${madeSince(since)}`);
}

const madeSince = (since: Date) => `MetaData.CreateTime >= '${instantText(since)}'`;

/**
 * Reads the invoices changed at or after a time, by Intuit's clock and to the second, a thousand a page. Shows no deleted
 * ones.
 */
export const findInvoicesUpdatedSince = (call: CallRealm, since: Date) =>
  queryPages(call, {
    ...INVOICES,
    where: `MetaData.LastUpdatedTime >= '${instantText(since)}'`,
  });

/** Reads the invoices of a day or later, a thousand a page. @param day YYYY-MM-DD */
export const findInvoicesDatedSince = (call: CallRealm, day: string) =>
  queryPages(call, { ...INVOICES, where: `TxnDate >= '${day}'` });

/** Intuit takes ten calls of a company at once. */
const READS_AT_ONCE = 8;

/**
 * Reads invoices by id, 200 per call, without those deleted meanwhile. Ids missing from a query are read
 * individually: Intuit does not specify when a query shows new data, and an existing invoice must never be
 * taken for deleted.
 */
export async function findInvoicesById(call: CallRealm, ids: readonly string[]): Promise<Answer<Invoice[]>> {
  const { data, tid } = await findBy(call, "Id", ids);
  const shown = new Set(data.map(({ Id }) => Id));
  const missing = [...new Set(ids)].filter((given) => !shown.has(given));
  for (let start = 0; start < missing.length; start += READS_AT_ONCE) {
    const read = missing.slice(start, start + READS_AT_ONCE).map((id) => readInvoice(call, id));
    data.push(...(await Promise.all(read)).filter((invoice) => invoice !== null));
  }
  return { data, tid };
}

/** Finds the invoices with one of the texts in a field; skips texts that no query can express. */
async function findBy(
  call: CallRealm,
  field: "Id" | "DocNumber" | "CustomerRef",
  texts: readonly string[],
  more = "",
): Promise<Answer<Invoice[]>> {
  const quoted = [...new Set(texts)].map(quoteText).filter((text) => text !== null);
  const found: Answer<Invoice[]> = { data: [], tid: null };
  for (let start = 0; start < quoted.length; start += TEXTS_A_QUERY) {
    const where = `${field} in (${quoted.slice(start, start + TEXTS_A_QUERY).join(", ")})${more}`;
    const { data, tid } = await queryAll(call, { ...INVOICES, where });
    found.data.push(...data);
    found.tid = tid;
  }
  return found;
}

/** Reads one invoice as it is now, whatever queries show. @returns null if the books have none with this id */
export async function readInvoice(call: CallRealm, id: string): Promise<Invoice | null> {
  try {
    return (await call({ path: `/invoice/${encodeURIComponent(id)}` }, wrapped("Invoice", invoice))).data;
  } catch (error) {
    if (error instanceof IntuitError && error.kind === "notFound") return null;
    throw error;
  }
}

/** Reads the PDF of an invoice, as QuickBooks mails it. @throws IntuitError `notFound` if it is gone */
export const readInvoicePdf = (call: CallRealm, id: string): Promise<Answer<Uint8Array>> =>
  call(
    { path: `/invoice/${encodeURIComponent(id)}/pdf`, accept: "application/pdf" },
    z.instanceof(Uint8Array),
  );
