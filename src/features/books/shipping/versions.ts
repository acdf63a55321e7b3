import { createHash } from "node:crypto";
import { toEvidence } from "#features/books/rules-faults.ts";
import { toBooksInvoice, type BooksInvoice } from "#features/books/shipping/rules.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";

/** Reads an invoice by id. @returns the cause for which nothing can be written if it is voided or deleted */
export async function readLive(books: Books, qboId: string): Promise<{ live: Invoice } | { cause: Cause }> {
  const found = await books.readInvoice(qboId);
  if (found && !toBooksInvoice(found).isVoided) return { live: found };
  return { cause: { code: found ? "voided" : "deleted", params: {}, tid: null } };
}

type LookedUp<Body> = { write: { part: string }; body: Body };

/**
 * Looks up what became of writes. Each invoice is read by id, because a query may show it as it was before.
 * @param compare evidence of an invoice that can be written; null if it shows none
 */
export async function lookUpLive<Body extends { qboId: string }>(
  books: Books,
  items: readonly LookedUp<Body>[],
  compare: (item: LookedUp<Body>, invoice: BooksInvoice) => Evidence | null,
): Promise<Map<string, Evidence>> {
  const found = new Map<string, Evidence>();
  for (const item of items) {
    const read = await readLive(books, item.body.qboId);
    const evidence: Evidence | null =
      "cause" in read ? { kind: "excluded", cause: read.cause } : compare(item, toBooksInvoice(read.live));
    if (evidence) found.set(item.write.part, evidence);
  }
  return found;
}

/** Evidence of a write that the invoice shows. */
export const SHOWN: Evidence = { kind: "found", answer: { id: null, facts: {}, tid: null } };

/** Request id for one version: Intuit answers a repeated id as it did first. */
export const deriveId = (requestId: string, syncToken: string) =>
  createHash("sha256").update(`${requestId}\n${syncToken}`).digest("base64url").slice(0, 40);

/** An invoice that was changed again after it was read ends its update. */
export function toRefusal(error: unknown): Evidence {
  const evidence = toEvidence(error, []);
  const isStale = error instanceof IntuitError && error.kind === "stale";
  if (!isStale || evidence.kind !== "refused") return evidence;
  return { kind: "refused", cause: { ...evidence.cause, code: "changed_again" } };
}
