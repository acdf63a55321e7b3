import { startLink } from "#features/carrier/contract.ts";
import { ConnectionLine } from "#features/carrier/web/connection-line.tsx";
import { accountDraft } from "#features/carrier/web/draft.ts";
import { useDisconnect } from "#features/carrier/web/use-disconnect.ts";
import { carrierWords as words } from "#features/carrier/web/words.ts";
import type { CompanyView } from "#features/companies/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { followRedirect } from "#web/kit/follow-redirect.ts";
import { Notice } from "#web/kit/notice.tsx";
import { Hint } from "#web/kit/settings-group.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useLocation } from "react-router";

type Props = { company: CompanyView; account: string; isActive: boolean };

/** The company's account at UPS: connecting leads to UPS's own page and back by `/ups-callback`. */
export function CarrierAccount({ company, account, isActive }: Props) {
  const [typed, setTyped, forgetTyped] = useDraft(accountDraft(company.id), account);
  const hint = useId();
  const query = { realm_id: company.id, ups_account: typed };
  const connect = useMutation({
    mutationFn: async () => {
      followRedirect(await call(startLink, { query }));
      // Busy until the browser has left; a page that is kept and comes back is usable again.
      await new Promise((resolve) => window.addEventListener("pageshow", resolve, { once: true }));
    },
  });
  const disconnect = useDisconnect(company.id, account, forgetTyped);
  const state = company.settings?.ups_state;
  const hasConnected = useHasConnected(company.id);
  const isChanged = typed.trim() !== account;
  const canConnect = isActive && typed.trim() !== "";
  return (
    <>
      {hasConnected && state === "connected" ? (
        <Notice tone="green" role="status" title={words.connected} />
      ) : null}
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "flex-end",
          justifyContent: { sm: "space-between" },
          gap: 1.5,
        }}
      >
        <TextInput
          label={words.account}
          value={typed}
          disabled={!isActive}
          aria-describedby={hint}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        {state !== "connected" || isChanged ? (
          <BusyButton
            label={state === "reconnect_needed" && !isChanged ? words.reconnect : words.connect}
            disabled={!canConnect}
            isBusy={connect.isPending}
            onClick={() => connect.mutate()}
          />
        ) : null}
        {account === "" ? null : (
          <BusyButton
            label={words.disconnect}
            disabled={!isActive}
            isBusy={disconnect.isPending}
            onClick={() => disconnect.mutate()}
          />
        )}
      </Box>
      <Hint id={hint}>{words.hint}</Hint>
      <ConnectionLine of={company.ups_connection} />
      <FailedCall error={connect.error} title={words.connectError} />
      <FailedCall error={disconnect.error} title={words.disconnectError} />
    </>
  );
}

/** True if the callback page has just connected the account of this company. */
function useHasConnected(realmId: string): boolean {
  const { state } = useLocation();
  return (state as { connectedUpsOf?: unknown } | null)?.connectedUpsOf === realmId;
}
