import { hash } from "node:crypto";
import type { InvoiceDraft } from "#features/books/index.ts";

/**
 * Names what an invoice says, whatever its number: two drafts have one fingerprint when all else that they would send is the
 * same. Names of list entries do not count, since they change in the books; their ids do.
 */
export const fingerprintOf = (draft: InvoiceDraft): string =>
  hash("sha256", JSON.stringify(draft, canonical), "base64url");

/** Properties in one order: fingerprints of earlier versions must still be found. */
function canonical(key: string, value: unknown): unknown {
  return key === "DocNumber" || key === "name" ? undefined : inOrder(key, value);
}

/** Names a draft as a whole, whatever the order of its properties; "" for none. */
export const draftFingerprintOf = (draft: InvoiceDraft | null): string =>
  draft === null ? "" : hash("sha256", JSON.stringify(draft, inOrder), "base64url");

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const properties = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(properties).toSorted()) ordered[key] = properties[key];
  return ordered;
}
