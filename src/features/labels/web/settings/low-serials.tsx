import type { LabelSettingsView } from "#features/labels/contract.ts";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";

/** Warning for each GS1 prefix with few serials left. */
export function LowSerials({ settings }: { settings: LabelSettingsView }) {
  const { serials, other_prefixes: others } = settings;
  return [
    { prefix: words.usualPrefix, serials },
    ...others.map((other) => ({ ...other, prefix: words.otherPrefix(other.prefix) })),
  ].map(({ prefix, serials: each }) =>
    each?.is_low ? (
      <Box key={prefix} sx={{ mt: 2 }}>
        <Notice tone="amber">{words.low(each, prefix)}</Notice>
      </Box>
    ) : null,
  );
}
