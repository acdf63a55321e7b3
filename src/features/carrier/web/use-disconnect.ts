import { endLink } from "#features/carrier/contract.ts";
import { carrierWords as words } from "#features/carrier/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Ends our access to a company's UPS account. */
export function useDisconnect(realmId: string, account: string, onDone?: () => void) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(endLink, { query: { realm_id: realmId, ups_account: account } }),
    onSuccess: async () => {
      onDone?.();
      announce(words.disconnected);
      await queries.invalidateQueries({ queryKey: queryKeys.companies });
    },
  });
}
