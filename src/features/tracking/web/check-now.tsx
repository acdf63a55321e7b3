import { checkNow } from "#features/tracking/contract.ts";
import { formatTime } from "#web/kit/format.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import { useEffect, useState } from "react";

const words = trackingWords.check;

type Props = { realmId: string; allowedAt: string | null };

/** Has UPS asked about the open packages now; while that was done a moment ago, says when it can be done again. */
export function CheckNow({ realmId, allowedAt }: Props) {
  const announce = useAnnounce();
  const isTooEarly = useIsAhead(allowedAt);
  const check = useCommand(() => call(checkNow, { query: { realm_id: realmId }, realmId }), {
    done: words.asked,
    changed: [queryKeys.tracking(realmId)],
  });
  const note = isTooEarly && allowedAt !== null ? words.again(formatTime(allowedAt)) : null;
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        // On a phone the button is first, at the left.
        flexDirection: { xs: "row-reverse", sm: "row" },
        alignItems: "center",
        justifyContent: "end",
        gap: "4px 12px",
      }}
    >
      {note === null || check.isPending ? null : (
        <Box component="span" sx={{ typography: "caption", color: "text.caption" }}>
          {note}
        </Box>
      )}
      <BusyButton
        label={words.now}
        isBusy={check.isPending}
        // Never disabled: it would lose the focus of who just pressed it.
        onClick={() => (note === null ? check.mutate() : announce(note))}
        {...(note === null ? {} : { sx: { color: "text.caption", borderColor: "divider" } })}
      />
      <FailedCall title={null} error={check.isPending ? null : check.error} />
    </Box>
  );
}

/** Whether a time is still ahead; becomes false when it is reached. */
function useIsAhead(iso: string | null): boolean {
  const at = iso === null ? 0 : Date.parse(iso);
  const [reached, setReached] = useState(0);
  useEffect(() => {
    const wait = at - Date.now();
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setReached(at), wait);
    return () => clearTimeout(timer);
  }, [at]);
  return at > reached && at > Date.now();
}
