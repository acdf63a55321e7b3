import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { queryAll } from "#integrations/intuit/run-query.ts";
import { invoice, wrapped, type Invoice } from "#integrations/intuit/wire.ts";

const INVOICES = { entity: "Invoice", schema: invoice };
const TEXTS_A_QUERY = 200;

/** Invoices found, and the numbers that Intuit's query language cannot express. */
type NumberSearch = { invoices: Invoice[]; unqueryable: string[] };

/** Finds the invoices that carry one of the numbers, 200 numbers a call. */
export async function findInvoicesByNumbers(
  call: CallRealm,
  numbers: readonly string[],
): Promise<Answer<NumberSearch>> {
  const { data, tid } = await findBy(call, "DocNumber", numbers);
  const unqueryable = [...new Set(numbers)].filter((number) => quoteText(number) === null);
  return { data: { invoices: data, unqueryable }, tid };
}

/**
 * Finds the invoices that were made at an instant or later, by Intuit's clock and to the second; what a query does not
 * show yet is not among them. One call for each thousand.
 */
export function findInvoicesMadeSince(call: CallRealm, since: Date): Promise<Answer<Invoice[]>> {
  const instant = since.toISOString().replace(/\.\d+Z$/, "+00:00");
  return queryAll(call, { ...INVOICES, where: `MetaData.CreateTime >= '${instant}'`, overlap: OVERLAP });
}

/** So many invoices may be deleted by others between two pages without one slipping through. */
const OVERLAP = 50;

/**
 * Reads invoices by their ids, 200 a call; those deleted meanwhile are not among the answers. What a query does not show
 * is asked for by itself: Intuit does not say how soon a query shows what was just written, and nothing may be taken for
 * deleted that is there.
 */
export async function findInvoicesById(call: CallRealm, ids: readonly string[]): Promise<Answer<Invoice[]>> {
  const { data, tid } = await findBy(call, "Id", ids);
  const shown = new Set(data.map(({ Id }) => Id));
  for (const id of [...new Set(ids)].filter((one) => !shown.has(one))) {
    const one = await readInvoice(call, id);
    if (one) data.push(one);
  }
  return { data, tid };
}

/** The invoices that have one of the texts in a field; texts that no query can express are left out. */
async function findBy(
  call: CallRealm,
  field: "Id" | "DocNumber",
  texts: readonly string[],
): Promise<Answer<Invoice[]>> {
  const quoted = [...new Set(texts)].map(quoteText).filter((text) => text !== null);
  const found: Answer<Invoice[]> = { data: [], tid: null };
  for (let start = 0; start < quoted.length; start += TEXTS_A_QUERY) {
    const where = `${field} in (${quoted.slice(start, start + TEXTS_A_QUERY).join(", ")})`;
    const { data, tid } = await queryAll(call, { ...INVOICES, where });
    found.data.push(...data);
    found.tid = tid;
  }
  return found;
}

/** @returns null when the books have no invoice of this id any more */
async function readInvoice(call: CallRealm, id: string): Promise<Invoice | null> {
  try {
    return (await call({ path: `/invoice/${encodeURIComponent(id)}` }, wrapped("Invoice", invoice))).data;
  } catch (error) {
    if (error instanceof IntuitError && error.kind === "notFound") return null;
    throw error;
  }
}
