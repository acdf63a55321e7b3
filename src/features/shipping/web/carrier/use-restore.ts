import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { restoreOrder } from "#features/orders/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

type RestoreRequest = { order_id: string; po_number: string };

/** Reopens a canceled order. */
export function useRestore(realmId: string, onRestored: () => void = () => undefined) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ order_id }: RestoreRequest) => call(restoreOrder, { body: { order_id }, realmId }),
    onSuccess: async (_, { po_number: po }) => {
      announce(words.restored(po));
      await refreshOrders(queries, realmId);
      onRestored();
    },
  });
}
