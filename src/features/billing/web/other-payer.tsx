import { takeOverBilling } from "#features/billing/contract.ts";
import { serviceWords as words } from "#features/billing/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocus } from "#web/kit/focus.ts";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";

/**
 * Names the payer and lets the company's admin take over payment, after explaining the
 * consequences.
 */
export function OtherPayer({ payer, realmId }: { payer: string; realmId: string }) {
  // Null until first asked.
  const [isAsked, setAsked] = useState<boolean | null>(null);
  const take = useCommand(() => call(takeOverBilling, { query: { realm_id: realmId } }), {
    changed: [queryKeys.subscriptions(realmId)],
  });
  return (
    <>
      <p>{words.paidBy(payer)}</p>
      {isAsked ? (
        <>
          <p>{words.takeOverMeans(payer)}</p>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
            <BusyButton label={words.takeOver} isBusy={take.isPending} onClick={take.mutate} />
            {/*
             * The button that asked is gone, so focus moves to the harmless answer, and from there
             * back to it.
             */}
            <Button ref={takeFocus} variant="text" color="cancel" onClick={() => setAsked(false)}>
              {words.keepPayer}
            </Button>
          </Box>
          <FailedCall error={take.error} />
        </>
      ) : (
        <Button ref={isAsked === null ? null : takeFocus} variant="outlined" onClick={() => setAsked(true)}>
          {words.takeOverAsk}
        </Button>
      )}
    </>
  );
}
