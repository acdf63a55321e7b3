import type { StorageKind } from "#contract/storage.ts";

/** Texts of the list of what is stored. */
export const storedWords = {
  title: "Storage",
  kinds: {
    workbooks: "Invoice files",
    orders: "Order files",
    labels: "GS1 labels and their sheets",
    exports: "Exports of all data",
    documents: "UPS labels and proofs of delivery",
    answers: "Answers to repeated API calls, kept for a day",
  } satisfies Record<StorageKind, string>,
  used: (used: string, limit: string | null) => (limit === null ? used : `${used} of ${limit}`),
} as const;
