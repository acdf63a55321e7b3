import { hash } from "node:crypto";
import type { InvoiceDraft } from "#features/invoices/plan/rules-draft.ts";

/**
 * Names what an invoice says, whatever its number: two drafts have one mark when all else that they would send is the
 * same. Names of list entries do not count, since they change in the books; their ids do.
 */
export const markOf = (draft: InvoiceDraft): string =>
  hash("sha256", JSON.stringify(draft, canonical), "base64url");

/** Properties in one order: marks of earlier versions must still be found. */
function canonical(key: string, value: unknown): unknown {
  if (key === "DocNumber" || key === "name") return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
