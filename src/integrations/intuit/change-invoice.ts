import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import type { InvoiceBody, InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import { deletedInvoice, invoice, type Invoice } from "#integrations/intuit/wire.ts";

/** A write can be repeated under its request id (at most 50 characters): Intuit then gives the first answer again. */
export type WriteOptions = {
  requestId: string;
  signal?: AbortSignal;
  /** Runs once the budget allows the call, right before each attempt; when it throws nothing is sent. */
  beforeSend?: (() => Promise<void>) | undefined;
};

const MAX_REQUEST_ID = 50;
const wrapped = z.object({ Invoice: invoice }).transform((body) => body.Invoice);

/**
 * Makes an invoice.
 * @throws IntuitError `uncertain` when it may have been made: replay with the same request id
 */
export function createInvoice(
  call: CallRealm,
  body: InvoiceBody,
  options: WriteOptions,
): Promise<Answer<Invoice>> {
  return call({ ...write(body, options), path: "/invoice" }, wrapped);
}

/**
 * Sets all amounts to zero and keeps the invoice.
 * @throws IntuitError `stale` when somebody changed it since
 */
export function voidInvoice(
  call: CallRealm,
  version: InvoiceVersion,
  options: WriteOptions,
): Promise<Answer<Invoice>> {
  return call({ ...write(pick(version), options), path: "/invoice", query: { operation: "void" } }, wrapped);
}

/**
 * Removes an invoice for good.
 * @throws IntuitError `stale` when somebody changed it since, `notFound` when it is gone already
 */
export function deleteInvoice(
  call: CallRealm,
  version: InvoiceVersion,
  options: WriteOptions,
): Promise<Answer<{ Id: string }>> {
  const answer = z.object({ Invoice: deletedInvoice }).transform((body) => ({ Id: body.Invoice.Id }));
  return call({ ...write(pick(version), options), path: "/invoice", query: { operation: "delete" } }, answer);
}

function write(body: object, { requestId, signal, beforeSend }: WriteOptions) {
  if (requestId.length === 0 || requestId.length > MAX_REQUEST_ID) {
    throw new RangeError(`A request id has 1 to ${MAX_REQUEST_ID} characters.`);
  }
  const json = { type: "application/json", text: JSON.stringify(body) } as const;
  return { method: "POST", write: true, body: json, requestId, signal, beforeSend } as const;
}

const pick = ({ Id, SyncToken }: InvoiceVersion): InvoiceVersion => ({ Id, SyncToken });
