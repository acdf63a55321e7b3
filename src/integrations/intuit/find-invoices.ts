import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { queryAll } from "#integrations/intuit/run-query.ts";
import { invoice, type Invoice } from "#integrations/intuit/wire.ts";

const INVOICES = { entity: "Invoice", schema: invoice };
const TEXTS_A_QUERY = 200;

/** Invoices found, and the numbers that Intuit's query language cannot express. */
export type NumberSearch = { invoices: Invoice[]; unqueryable: string[] };

/** Finds the invoices that carry one of the numbers, 200 numbers a call. */
export async function findInvoicesByNumbers(
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
 * Finds the invoices that were made at an instant or later, by Intuit's clock and to the second; what a query does not
 * show yet is not among them. One call for each thousand.
 */
export function findInvoicesMadeSince(
  call: CallRealm,
  since: Date,
  signal?: AbortSignal,
): Promise<Answer<Invoice[]>> {
  const instant = since.toISOString().replace(/\.\d+Z$/, "+00:00");
  return queryAll(call, INVOICES, {
    where: `MetaData.CreateTime >= '${instant}'`,
    signal,
    overlap: OVERLAP,
  });
}

/** So many invoices may be deleted by others between two pages without one slipping through. */
const OVERLAP = 50;

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

function required(text: string): string {
  const quoted = quoteText(text);
  if (!quoted) throw new RangeError("Ids hold plain characters only.");
  return quoted;
}
