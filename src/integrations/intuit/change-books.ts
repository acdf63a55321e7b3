import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { InvoiceBody, InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import { customer, deletedInvoice, invoice, wrapped } from "#integrations/intuit/wire.ts";

/**
 * A write can be retried under its request id (at most 50 characters): Intuit then returns its first response
 * again.
 */
export type WriteOptions = {
  requestId: string;
  /** Runs right before each attempt, once the budget allows the call; if it throws, nothing is sent. */
  beforeSend?: () => Promise<void>;
};

/**
 * Creates an invoice.
 * @throws IntuitError `uncertain` if it may have been created: replay with the same request id
 */
export const createInvoice = (call: CallRealm, body: InvoiceBody, options: WriteOptions) =>
  call({ path: "/invoice", write: true, body, ...options }, wrapped("Invoice", invoice));

/**
 * Shipping fields of an invoice. An absent field stays unchanged; an empty string clears it. Lines are left out: Intuit
 * replaces all of them even in a sparse update, see `replaceLines`.
 */
export type ShippingBody = {
  /** YYYY-MM-DD. */
  ShipDate?: string;
  /** Free text, not an id. */
  ShipMethodRef?: { value: string; name: string };
  TrackingNum?: string;
};

/**
 * Changes the shipping fields of an invoice and nothing else. Intuit silently drops them if the company has turned shipping
 * off: compare the response.
 * @throws IntuitError `stale` if it was changed since, `notFound` if it is gone or names an inactive object
 */
export const updateInvoice = (
  call: CallRealm,
  { Id, SyncToken }: InvoiceVersion,
  { ShipDate, ShipMethodRef, TrackingNum }: ShippingBody,
  options: WriteOptions,
) => {
  const body = { Id, SyncToken, sparse: true, ShipDate, ShipMethodRef, TrackingNum };
  return call({ path: "/invoice", write: true, body, ...options }, wrapped("Invoice", invoice));
};

/**
 * Replaces the lines of an invoice and changes nothing else. An omitted line is removed, and a line
 * without its id is added as a new one: send back all lines as they were read.
 * @throws IntuitError `stale` if it was changed since
 */
export const replaceLines = (
  call: CallRealm,
  { Id, SyncToken }: InvoiceVersion,
  Line: readonly object[],
  options: WriteOptions,
) => {
  const body = { Id, SyncToken, sparse: true, Line };
  return call({ path: "/invoice", write: true, body, ...options }, wrapped("Invoice", invoice));
};

/**
 * Sets all amounts to zero and keeps the invoice.
 * @throws IntuitError `stale` if it was changed since
 */
export const voidInvoice = (call: CallRealm, version: InvoiceVersion, options: WriteOptions) =>
  call({ ...change("void", version), ...options }, wrapped("Invoice", invoice));

/**
 * Deletes an invoice permanently.
 * @throws IntuitError `stale` if it was changed since, `notFound` if it is already gone
 */
export const deleteInvoice = (call: CallRealm, version: InvoiceVersion, options: WriteOptions) =>
  call({ ...change("delete", version), ...options }, wrapped("Invoice", deletedInvoice));

const change = (operation: "void" | "delete", { Id, SyncToken }: InvoiceVersion) =>
  ({ path: "/invoice", write: true, query: { operation }, body: { Id, SyncToken } }) as const;

/**
 * Creates a customer.
 * @throws IntuitError `duplicateName` if a customer, vendor or employee has the name; `uncertain` if it may
 * have been created: replay with the same request id
 */
export const createCustomer = (call: CallRealm, body: { DisplayName: string }, options: WriteOptions) =>
  call({ path: "/customer", write: true, body, ...options }, wrapped("Customer", customer));
