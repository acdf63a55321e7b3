import { findHalt, isOutage, isVendorFailure } from "#features/books/rules-faults.ts";
import {
  compareShipping,
  toBooksInvoice,
  toShippingBody,
  type BooksInvoice,
  type ShippingField,
  type ShippingFields,
} from "#features/books/shipping/rules.ts";
import { deriveId, lookUpLive, readLive, SHOWN, toRefusal } from "#features/books/shipping/versions.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Operation } from "#platform/writes/operation.ts";

/** Body of an update: the invoice in the version that was read last, and the values that it should get. */
export type ShippingUpdate = { qboId: string; syncToken: string; fields: ShippingFields };

/** Outcome of an update that is done. */
export type ShippingDone = {
  /** Values that are there and that we wrote; none if none was wanted any more. */
  written: ShippingFields;
  /** Fields that QuickBooks did not keep, as in a company that has switched shipping off. */
  dropped: ShippingField[];
  /** The invoice as it is now. */
  invoice: BooksInvoice;
};

type Sent = { fields: ShippingFields; invoice: BooksInvoice; tid: string | null } | { cause: Cause };
type Options = { requestId: string; beforeSend(): Promise<void> };

/**
 * Writes shipping fields of invoices, without a read before: each is sent with the version that is known. If Intuit says that
 * it is old, the invoice is read once, what is still wanted is found again, and that is sent once more under a request id of
 * its own. Refused with the causes `voided`, `deleted` and `changed_again`, else with those of `toEvidence`. A vendor key is
 * any text that names invoice and version: one version is changed once.
 * @param options.findWanted the values that a changed invoice should still get; null for none
 * @param options.done receives each outcome by part, to be stored with it
 */
export function updateShipping<Body extends ShippingUpdate>(
  books: Books,
  options: {
    loadBodies: Operation<Body, Body, Sent>["loadBodies"];
    findWanted(body: Body, invoice: BooksInvoice): ShippingFields | null;
    done: Map<string, ShippingDone>;
  },
): Operation<Body, Body, Sent> {
  const { loadBodies, findWanted, done } = options;
  const settle = (part: string, { fields, invoice }: Omit<Extract<Sent, { fields: unknown }>, "tid">) => {
    const { kept: written, dropped } = compareShipping(fields, invoice);
    done.set(part, { written, dropped, invoice });
  };
  return {
    loadBodies,
    toRequest: ({ body }) => body,
    sendAlone: (body, call) => send(books, body, call, findWanted),
    classify: ({ write }, outcome) => {
      if ("error" in outcome) return toRefusal(outcome.error);
      if ("cause" in outcome.ok) return { kind: "excluded", cause: outcome.ok.cause };
      settle(write.part, outcome.ok);
      return { kind: "accepted", answer: { id: null, facts: {}, tid: outcome.ok.tid } };
    },
    lookUp: (items) =>
      lookUpLive(books, items, ({ write, body }, invoice) => {
        const { kept, dropped } = compareShipping(body.fields, invoice);
        if (dropped.length > 0 && findWanted(body, invoice) !== null) return null;
        settle(write.part, { fields: kept, invoice });
        return SHOWN;
      }),
    // A repeated update changes nothing more: it is refused for its version, and finds its values there.
    findCreatedSince: () => Promise.resolve([]),
    findHalt,
    isVendorFailure,
    isOutage,
  };
}

async function send<Body extends ShippingUpdate>(
  books: Books,
  body: Body,
  { requestId, beforeSend }: Options,
  findWanted: (body: Body, invoice: BooksInvoice) => ShippingFields | null,
): Promise<Sent> {
  const { qboId, syncToken, fields } = body;
  try {
    return await update(books, { qboId, syncToken, fields }, { requestId, beforeSend });
  } catch (error) {
    if (!(error instanceof IntuitError) || !["stale", "notFound"].includes(error.kind)) throw error;
    const read = await readLive(books, qboId);
    if ("cause" in read) return read;
    // The invoice is there: what was not found is an inactive name that it uses.
    if (error.kind === "notFound") throw error;
    const invoice = toBooksInvoice(read.live);
    const wanted = findWanted(body, invoice);
    if (!wanted) return { fields: {}, invoice, tid: error.tid };
    const renewed = { qboId, syncToken: invoice.syncToken, fields: wanted };
    return await update(books, renewed, { requestId: deriveId(requestId, invoice.syncToken), beforeSend });
  }
}

async function update(
  books: Books,
  { qboId, syncToken, fields }: ShippingUpdate,
  options: Options,
): Promise<Sent> {
  const version = { Id: qboId, SyncToken: syncToken };
  const { data, tid } = await books.updateInvoice(version, toShippingBody(fields), options);
  return { fields, invoice: toBooksInvoice(data), tid };
}
