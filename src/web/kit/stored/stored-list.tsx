import type { StoredBytes, StorageKind } from "#contract/storage.ts";
import { formatBytes } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import Box from "@mui/material/Box";

/** UI text for the list of stored data. */
const words = {
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

/** How much of each kind is stored for a company, and how much may be. */
export const StoredList = ({ storage }: { storage: readonly StoredBytes[] }) => (
  <Box component="ul" aria-label={words.title} sx={LIST}>
    {storage.map(({ kind, used_bytes: used, limit_bytes: limit }) => (
      <ListRow
        key={kind}
        name={words.kinds[kind]}
        facts={[words.used(formatBytes(used), limit === null ? null : formatBytes(limit))]}
      />
    ))}
  </Box>
);
