import type { Books } from "#integrations/intuit/client.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { findMadeSince, findMade, type Search } from "#features/books/find-made.ts";
import { evidenceOf, haltOf, isVendorFailure } from "#features/books/rules-faults.ts";
import { answerOf } from "#features/books/rules-match.ts";
import type { InvoiceDraft, InvoiceToMake } from "#features/books/rules.ts";
import type { Operation } from "#platform/writes/operation.ts";

type Made = { invoice: Invoice; tid: string | null };

/** Makes invoices in a company's books. */
export function createInvoices(
  books: Books,
  {
    loadBodies,
    ...search
  }: Omit<Search, "books"> & Pick<Operation<InvoiceToMake, InvoiceDraft, Made>, "loadBodies">,
): Operation<InvoiceToMake, InvoiceDraft, Made> {
  return {
    loadBodies,
    toRequest: ({ body }) => body.draft,
    sendAlone: async (draft, options) => {
      const { data, tid } = await books.createInvoice(draft, options);
      return { invoice: data, tid };
    },
    sendTogether: async (drafts, options) => {
      const items = drafts.map(
        (Invoice, place) => ({ bId: String(place), operation: "create", Invoice }) as const,
      );
      const { data, tid } = await books.batch(items, options);
      return data.map((one) => ("ok" in one ? { ok: { invoice: one.ok, tid } } : { error: one.fault }));
    },
    classify: ({ write, body }, outcome) => {
      if ("ok" in outcome)
        return { kind: "accepted", answer: answerOf(body, outcome.ok.invoice, outcome.ok.tid) };
      // That a number QuickBooks gave itself is taken says nothing about our invoice.
      return evidenceOf(outcome.error, write.vendorKey === null ? [] : ["duplicateDoc"]);
    },
    lookUp: (items) => findMade({ ...search, books }, items),
    findMadeSince: (since) => findMadeSince({ ...search, books }, since),
    haltOf,
    isVendorFailure,
  };
}
