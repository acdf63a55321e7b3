import {
  answerOrderInvoice,
  type InvoiceAnswer,
  type OrderInvoice,
} from "#features/order-invoices/contract.ts";
import { threadsKey } from "#features/order-invoices/web/queries.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Answers what an invoice asks. */
export function useAnswer(realmId: string, { id, about }: Pick<OrderInvoice, "id" | "about">) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (said: { answer: InvoiceAnswer; line?: string }) =>
      call(answerOrderInvoice, { body: { id, about, ...said }, realmId }),
    onSuccess: async () => {
      announce(threadWords.order.answered);
      await queries.invalidateQueries({ queryKey: threadsKey(realmId) });
    },
  });
}
