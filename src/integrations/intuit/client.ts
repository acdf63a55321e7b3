import * as wire from "#integrations/intuit/wire.ts";
import { createCallRealm, type BooksDeps, type CallRealm } from "#integrations/intuit/call-realm.ts";
import { attachFile, findAttachments, findAttachmentsMadeSince } from "#integrations/intuit/attach-file.ts";
import {
  createCustomer,
  createInvoice,
  deleteInvoice,
  replaceLines,
  updateInvoice,
  voidInvoice,
} from "#integrations/intuit/change-books.ts";
import { checkAttachment } from "#integrations/intuit/check-attachment.ts";
import {
  findInvoicesById,
  findInvoicesByNumbers,
  findInvoicesDatedSince,
  findInvoicesMadeSince,
  findInvoicesOnDays,
  findInvoicesUpdatedSince,
  readInvoice,
  readInvoicePdf,
} from "#integrations/intuit/find-invoices.ts";
import { readInvoiceChanges } from "#integrations/intuit/read-invoice-changes.ts";
import { createVendorClock } from "#integrations/intuit/vendor-clock.ts";
import { readCustomer, readList } from "#integrations/intuit/run-query.ts";
import { runBatch } from "#integrations/intuit/run-batch.ts";

export type { BooksDeps, TokenSource } from "#integrations/intuit/call-realm.ts";
export type { InvoiceBody } from "#integrations/intuit/invoice-body.ts";
export type { BatchItem } from "#integrations/intuit/run-batch.ts";

/**
 * Creates the client for companies' books at QuickBooks Online. Every result has `data` and Intuit's `tid`;
 * every failure is an IntuitError. Calls wait for the company's shared budget.
 */
export function createBooks(deps: BooksDeps) {
  const vendorClock = createVendorClock(deps.clock);
  return (realmId: string) => {
    const call = createCallRealm({ ...deps, vendorClock }, realmId);
    const bind =
      <Input extends unknown[], Result>(operation: (call: CallRealm, ...input: Input) => Result) =>
      (...input: Input) =>
        operation(call, ...input);
    const companyPath = `/companyinfo/${encodeURIComponent(realmId)}`;
    return {
      /** When a call that leaves now may arrive, by Intuit's clock. */
      arrival: vendorClock.arrival,
      /** The earliest moment by Intuit's clock that one of ours can have been. */
      vendorTime: vendorClock.translate,

      createInvoice: bind(createInvoice),
      batch: bind(runBatch),
      voidInvoice: bind(voidInvoice),
      deleteInvoice: bind(deleteInvoice),
      createCustomer: bind(createCustomer),
      updateInvoice: bind(updateInvoice),
      replaceLines: bind(replaceLines),
      attachFile: bind(attachFile),

      findInvoicesById: bind(findInvoicesById),
      findInvoicesByNumbers: bind(findInvoicesByNumbers),
      findInvoicesMadeSince: bind(findInvoicesMadeSince),
      findInvoicesOnDays: bind(findInvoicesOnDays),
      findInvoicesUpdatedSince: bind(findInvoicesUpdatedSince),
      findInvoicesDatedSince: bind(findInvoicesDatedSince),
      readInvoiceChanges: bind(readInvoiceChanges),
      readInvoice: bind(readInvoice),
      readInvoicePdf: bind(readInvoicePdf),
      findAttachments: bind(findAttachments),
      findAttachmentsMadeSince: bind(findAttachmentsMadeSince),
      checkAttachment: (uri: string | undefined, sent: Parameters<typeof checkAttachment>[2]) =>
        checkAttachment(deps.fetch, uri, sent),

      /**
       * Reads the company's name, country and so on; this also proves that a token is valid for the realm.
       */
      companyInfo: () => call({ path: companyPath }, wire.wrapped("CompanyInfo", wire.companyInfo)),
      /** Reads the company's QuickBooks settings: numbering, shipping fields, classes, currencies. */
      preferences: () => call({ path: "/preferences" }, wire.wrapped("Preferences", wire.preferences)),
      customer: bind(readCustomer),
      customers: () => readList(call, "Customer", wire.customer),
      items: () => readList(call, "Item", wire.item),
      terms: () => readList(call, "Term", wire.term),
      classes: () => readList(call, "Class", wire.namedObject),
      departments: () => readList(call, "Department", wire.namedObject),
    };
  };
}

export type Books = ReturnType<ReturnType<typeof createBooks>>;
