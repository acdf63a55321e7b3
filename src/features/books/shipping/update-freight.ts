import { findHalt, isOutage, isVendorFailure } from "#features/books/rules-faults.ts";
import { replaceShipping } from "#features/books/shipping/rules-freight.ts";
import { toBooksInvoice, type BooksInvoice } from "#features/books/shipping/rules.ts";
import type { ShippingDone } from "#features/books/shipping/update-shipping.ts";
import { deriveId, lookUpLive, readLive, SHOWN, toRefusal } from "#features/books/shipping/versions.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Operation } from "#platform/writes/operation.ts";

/** Body of a change of the shipping amount. */
export type FreightUpdate = {
  qboId: string;
  /** Amount to write; 0 removes it. */
  cents: number;
  /** Amount that we wrote last; 0 for none. Any other amount is a user's. */
  oursCents: number;
  /** ISO code. */
  currency: string;
};

type Sent = { invoice: BooksInvoice; tid: string | null } | { cause: Cause };
type Options = { requestId: string; beforeSend(): Promise<void> };

/**
 * Writes shipping amounts of invoices. Lines are replaced as a whole, so each invoice is read right before, and once more if
 * it was changed in between. Refused with the causes `freight_paid`, `freight_there`, `freight_currency`, `freight_dropped`,
 * `voided`, `deleted` and `changed_again`, else with those of `toEvidence`.
 * @param options.done receives each invoice by part as QuickBooks returned it, to be stored with its outcome
 */
export function updateFreight<Body extends FreightUpdate>(
  books: Books,
  options: {
    loadBodies: Operation<Body, Body, Sent>["loadBodies"];
    done: Map<string, ShippingDone>;
  },
): Operation<Body, Body, Sent> {
  const { loadBodies, done } = options;
  return {
    loadBodies,
    toRequest: ({ body }) => body,
    sendAlone: (body, call) => send(books, body, call),
    classify: ({ write, body }, outcome) => {
      if ("error" in outcome) return toRefusal(outcome.error);
      if ("cause" in outcome.ok) return { kind: "excluded", cause: outcome.ok.cause };
      const { invoice, tid } = outcome.ok;
      if (invoice.shippingCents !== body.cents)
        return { kind: "excluded", cause: because("freight_dropped") };
      done.set(write.part, { written: {}, dropped: [], invoice });
      return { kind: "accepted", answer: { id: null, facts: {}, tid } };
    },
    lookUp: (items) =>
      lookUpLive(books, items, ({ write, body }, invoice) => {
        if (invoice.shippingCents !== body.cents) {
          const cause = findObstacle(body, invoice);
          return cause && { kind: "excluded", cause };
        }
        done.set(write.part, { written: {}, dropped: [], invoice });
        return SHOWN;
      }),
    findCreatedSince: () => Promise.resolve([]),
    findHalt,
    isVendorFailure,
    isOutage,
  };
}

async function send(books: Books, body: FreightUpdate, options: Options): Promise<Sent> {
  try {
    return await sendOnce(books, body, options);
  } catch (error) {
    if (!(error instanceof IntuitError) || error.kind !== "stale") throw error;
    return sendOnce(books, body, options);
  }
}

async function sendOnce(
  books: Books,
  body: FreightUpdate,
  { requestId, beforeSend }: Options,
): Promise<Sent> {
  const read = await readWritable(books, body);
  if ("cause" in read) {
    // Only a write that counts as sent has an outcome.
    await beforeSend();
    return read;
  }
  const { live } = read;
  const { data, tid } = await books.replaceLines(live, replaceShipping(live.Line, body.cents), {
    requestId: deriveId(requestId, live.SyncToken),
    beforeSend,
  });
  return { invoice: toBooksInvoice(data), tid };
}

async function readWritable(books: Books, body: FreightUpdate): ReturnType<typeof readLive> {
  const read = await readLive(books, body.qboId);
  const cause = "live" in read ? findObstacle(body, toBooksInvoice(read.live)) : null;
  return cause ? { cause } : read;
}

/** @returns a reason against changing the amount; null for none */
function findObstacle({ cents, oursCents, currency }: FreightUpdate, invoice: BooksInvoice): Cause | null {
  if (invoice.isPaid) return because("freight_paid");
  if (invoice.shippingCents !== oursCents) return because("freight_there");
  return cents > 0 && invoice.currency !== currency ? because("freight_currency") : null;
}

const because = (code: string): Cause => ({ code, params: {}, tid: null });
