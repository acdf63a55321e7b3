import * as z from "zod";

/**
 * Kinds of data stored for a company. `labels`: sheets and the GS1 labels that were made from them. `documents`: labels and
 * proofs of delivery of UPS. `answers`: kept under an Idempotency-Key.
 */
export const STORAGE_KINDS = ["workbooks", "orders", "labels", "exports", "documents", "answers"] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

export const storedBytes = z.object({
  kind: z.enum(STORAGE_KINDS),
  used_bytes: z.int(),
  /** Space for this kind; null if it has another limit. */
  limit_bytes: z.int().nullable(),
});
export type StoredBytes = z.output<typeof storedBytes>;
