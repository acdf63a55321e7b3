import { postOrderInvoices } from "#features/order-invoices/contract.ts";
import { threadsKey } from "#features/order-invoices/web/queries.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Posts the invoices of orders, or one of them; what is left out comes with its reason. */
export function usePost(realmId: string, invoiceId?: string) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (orderIds: string[]) =>
      call(postOrderInvoices, { body: { order_ids: orderIds, invoice_id: invoiceId }, realmId }),
    onSuccess: ({ posting }) => {
      if (posting > 0) announce(words.posting(posting));
    },
    // After a failure some may have been posted.
    onSettled: () => queries.invalidateQueries({ queryKey: threadsKey(realmId) }),
  });
}
