import { createHash } from "node:crypto";
import { toEvidence } from "#features/books/rules-faults.ts";
import { toBooksInvoice } from "#features/books/shipping/rules.ts";
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
