import type { RefusedDocument } from "#features/orders/types.ts";

/** A document that is not taken, with the reasons as sentences. */
export const refuse = (poNumber: string, problems: readonly string[]): RefusedDocument => ({
  kind: "refused",
  poNumber,
  problems,
});
