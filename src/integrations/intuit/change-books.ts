import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { InvoiceBody, InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import { customer, deletedInvoice, invoice, wrapped } from "#integrations/intuit/wire.ts";

/**
 * A write can be repeated under its request id (at most 50 characters): Intuit then returns the first answer
 * again.
 */
type WriteOptions = {
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
