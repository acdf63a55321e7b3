import type { StoredBytes } from "#contract/storage.ts";
import { formatBytes } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { storedWords as words } from "#web/kit/stored/words.ts";
import Box from "@mui/material/Box";

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
