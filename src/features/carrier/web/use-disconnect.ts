import { endLink } from "#features/carrier/contract.ts";
import { carrierWords as words } from "#features/carrier/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";

/** Ends our access to a company's UPS account. */
export function useDisconnect(realmId: string, account: string, onDone?: () => void) {
  return useCommand(() => call(endLink, { query: { realm_id: realmId, ups_account: account } }), {
    onDone,
    done: words.disconnected,
    changed: [queryKeys.companies],
  });
}
