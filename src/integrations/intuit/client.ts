import { createCallRealm, type BooksDeps } from "#integrations/intuit/call-realm.ts";
import {
  createInvoice,
  deleteInvoice,
  voidInvoice,
  type WriteOptions,
} from "#integrations/intuit/change-invoice.ts";
import {
  findInvoicesById,
  findInvoicesByNumbers,
  findInvoicesMadeSince,
} from "#integrations/intuit/find-invoices.ts";
import { createCustomer } from "#integrations/intuit/create-customer.ts";
import type { InvoiceBody, InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import { readCompanyInfo, readPreferences } from "#integrations/intuit/read-company.ts";
import { LISTS, readCustomer, readList } from "#integrations/intuit/read-lists.ts";
import { runBatch, type BatchItem, type BatchOptions } from "#integrations/intuit/run-batch.ts";
import { queryAll, type EntitySchema } from "#integrations/intuit/run-query.ts";

export type { BooksDeps, TokenSource } from "#integrations/intuit/call-realm.ts";
export type { InvoiceBody } from "#integrations/intuit/invoice-body.ts";
export type { BatchItem } from "#integrations/intuit/run-batch.ts";

/**
 * The books of companies at QuickBooks Online. Every result carries `data` and Intuit's `tid`; every failure is an
 * IntuitError. Calls wait for the company's shared budget; an optional signal ends the waiting and the call.
 */
export function createBooks(deps: BooksDeps) {
  return (realmId: string) => {
    const call = createCallRealm(deps, realmId);
    return {
      createInvoice: (body: InvoiceBody, options: WriteOptions) => createInvoice(call, body, options),
      batch: (items: readonly BatchItem[], options?: BatchOptions) => runBatch(call, items, options),
      voidInvoice: (version: InvoiceVersion, options: WriteOptions) => voidInvoice(call, version, options),
      deleteInvoice: (version: InvoiceVersion, options: WriteOptions) =>
        deleteInvoice(call, version, options),

      createCustomer: (body: { DisplayName: string }, options: WriteOptions) =>
        createCustomer(call, body, options),

      queryAll: <T extends { Id: string }>(
        entity: EntitySchema<T>,
        options?: { where?: string; signal?: AbortSignal },
      ) => queryAll(call, entity, options),
      findInvoicesById: (ids: readonly string[], signal?: AbortSignal) => findInvoicesById(call, ids, signal),
      findInvoicesByNumbers: (numbers: readonly string[], signal?: AbortSignal) =>
        findInvoicesByNumbers(call, numbers, signal),
      findInvoicesMadeSince: (since: Date, signal?: AbortSignal) =>
        findInvoicesMadeSince(call, since, signal),

      companyInfo: (signal?: AbortSignal) => readCompanyInfo(call, realmId, signal),
      preferences: (signal?: AbortSignal) => readPreferences(call, signal),
      customer: (id: string, signal?: AbortSignal) => readCustomer(call, id, signal),
      customers: (signal?: AbortSignal) => readList(call, LISTS.customers, signal),
      items: (signal?: AbortSignal) => readList(call, LISTS.items, signal),
      terms: (signal?: AbortSignal) => readList(call, LISTS.terms, signal),
      classes: (signal?: AbortSignal) => readList(call, LISTS.classes, signal),
      departments: (signal?: AbortSignal) => readList(call, LISTS.departments, signal),
    };
  };
}

export type Books = ReturnType<ReturnType<typeof createBooks>>;
