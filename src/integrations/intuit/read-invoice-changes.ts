import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { instantText } from "#integrations/intuit/query-text.ts";
import { PAGE_SIZE } from "#integrations/intuit/run-query.ts";
import { deletedInvoice, invoice, type Invoice } from "#integrations/intuit/wire.ts";
import { DAY_MS } from "#platform/time.ts";

/** How far back Intuit lists changes. */
export const CHANGES_KEPT_MS = 30 * DAY_MS;

/** Invoices created, changed, voided or deleted since a time. */
export type InvoiceChanges = {
  /** As they are now. */
  invoices: Invoice[];
  /** Ids of deleted ones. */
  deleted: string[];
  /** Whether there may be more: an answer has a thousand at most, and no second page. */
  isTruncated: boolean;
  /** When Intuit received the request, by its own clock; null if the response doesn't say. */
  time: Date | null;
};

const envelope = z.object({
  CDCResponse: z.array(
    z.looseObject({
      QueryResponse: z
        .array(z.looseObject({ Invoice: z.array(z.union([deletedInvoice, invoice])).nullish() }))
        .nullish(),
    }),
  ),
  time: z.string().nullish(),
});

/**
 * Reads what changed in the invoices since a time, by Intuit's clock, in one call (change data capture).
 * @param since at most 30 days ago
 */
export async function readInvoiceChanges(call: CallRealm, since: Date): Promise<Answer<InvoiceChanges>> {
  const query = { entities: "Invoice", changedSince: instantText(since) };
  const { data, tid } = await call({ path: "/cdc", query }, envelope);
  const entries = data.CDCResponse.flatMap(({ QueryResponse }) => QueryResponse ?? []).flatMap(
    (response) => response.Invoice ?? [],
  );
  const time = new Date(data.time ?? "");
  return {
    data: {
      invoices: entries.filter((entry): entry is Invoice => !isDeleted(entry)),
      deleted: entries.filter(isDeleted).map(({ Id }) => Id),
      isTruncated: entries.length >= PAGE_SIZE,
      time: Number.isNaN(time.getTime()) ? null : time,
    },
    tid,
  };
}

type Deleted = z.output<typeof deletedInvoice>;

const isDeleted = (entry: Invoice | Deleted): entry is Deleted => entry["status"] === "Deleted";
