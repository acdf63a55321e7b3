import { createHash } from "node:crypto";
import type { StoredInvoice } from "#features/order-invoices/store.ts";
import { isHeldBack, type StoredNotice } from "#features/orders/index.ts";

/** The latest document of an invoice in the books, if it stays here. @param documents the first one first */
export function findHeld(
  documents: readonly StoredNotice[],
  { qbo_id: id }: Pick<StoredInvoice, "qbo_id">,
): StoredNotice | undefined {
  const last = documents.findLast(({ facts }) => "invoice" in facts && facts.invoice.id === id);
  return last && isHeldBack(last) ? last : undefined;
}

/**
 * Stands for all that an invoice's questions are about. Answers aren't part of it: one user may answer several questions of a page.
 * @param held its document for the retailer that stays here
 */
export function markAbout(
  { state, draft, theirs, problem, qbo_id, qbo_number, qbo_total_cents }: StoredInvoice,
  held: StoredNotice | undefined,
): string {
  const books = [qbo_id, qbo_number, qbo_total_cents];
  const asked = [state, draft, theirs, problem, books, held && [held.facts, held.problems]];
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
}
