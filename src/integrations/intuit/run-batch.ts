import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import { classifyFaults } from "#integrations/intuit/classify.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import type { InvoiceBody, InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import { readJsonFaults } from "#integrations/intuit/read-faults.ts";
import { invoice, type Invoice } from "#integrations/intuit/wire.ts";

/** Intuit accepts 30, but its documents disagree; this is below all of them. */
const MAX_BATCH_ITEMS = 25;
const MAX_ITEM_ID = 10;

/** `bId` identifies an item within its batch, at most 10 characters. */
export type BatchItem =
  | { bId: string; operation: "create"; Invoice: InvoiceBody }
  | { bId: string; operation: "void" | "delete"; Invoice: InvoiceVersion };

/** Outcome of one item. After a delete the invoice has little more than its Id. */
export type BatchOutcome = { bId: string; ok: Invoice } | { bId: string; fault: IntuitError };

const batchAnswer = z.object({ BatchItemResponse: z.array(z.looseObject({ bId: z.string().nullish() })) });

/** A delete returns only the Id. */
const itemAnswer = z.object({
  Invoice: invoice.extend({
    SyncToken: z
      .string()
      .nullish()
      .transform((token) => token ?? ""),
  }),
});

/**
 * Writes up to 25 invoices in one call, which must never be repeated because it has no request id. The items
 * are independent: some may be created and others refused.
 * @param options.beforeSend runs right before each attempt, once the budget allows the call; if it throws,
 * nothing is sent
 * @returns one outcome per item, in the given order; `uncertain` for an item missing from the response
 * @throws IntuitError if the batch failed; `uncertain` if any of it may have been done
 */
export async function runBatch(
  call: CallRealm,
  items: readonly BatchItem[],
  options: { beforeSend?: () => Promise<void> } = {},
): Promise<Answer<BatchOutcome[]>> {
  assertLimits(items);
  const body = { BatchItemRequest: items };
  const { data, tid } = await call(
    { path: "/batch", write: true, kind: "batch", body, ...options },
    batchAnswer,
  );
  const answers = new Map(data.BatchItemResponse.map((answer) => [answer.bId, answer]));
  return { data: items.map(({ bId }) => ({ bId, ...readOutcome(answers.get(bId), tid) })), tid };
}

function readOutcome(answer: unknown, tid: string | null): { ok: Invoice } | { fault: IntuitError } {
  const faults = readJsonFaults(answer, []);
  if (faults)
    return { fault: new IntuitError({ kind: classifyFaults(faults, 400), http: 200, faults, tid }) };
  const parsed = itemAnswer.safeParse(answer);
  if (parsed.success) return { ok: parsed.data.Invoice };
  const message = "the batch's response does not contain this item";
  return { fault: new IntuitError({ kind: "uncertain", http: 200, tid, message }) };
}

function assertLimits(items: readonly BatchItem[]): void {
  if (items.length === 0 || items.length > MAX_BATCH_ITEMS)
    throw new RangeError(`A batch has 1 to ${MAX_BATCH_ITEMS} items.`);
  const ids = new Set(items.map((entry) => entry.bId));
  const badId = items.some((entry) => entry.bId.length === 0 || entry.bId.length > MAX_ITEM_ID);
  if (badId || ids.size !== items.length)
    throw new RangeError(`Items need distinct ids of 1 to ${MAX_ITEM_ID} characters.`);
}
