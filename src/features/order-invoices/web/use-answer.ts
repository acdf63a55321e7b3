import { answerOrderInvoice, type InvoiceAnswer } from "#features/order-invoices/contract.ts";
import { threadsKey } from "#features/order-invoices/web/queries.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Answers what an invoice asks. */
export function useAnswer(realmId: string) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (answer: { id: string; answer: InvoiceAnswer; line?: string; problem?: string }) =>
      call(answerOrderInvoice, { body: answer, realmId }),
    onSuccess: async () => {
      announce(threadWords.order.answered);
      await queries.invalidateQueries({ queryKey: threadsKey(realmId) });
    },
  });
}
