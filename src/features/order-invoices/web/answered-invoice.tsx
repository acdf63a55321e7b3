import { threadsKey } from "#features/order-invoices/web/queries.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { rejectInvoice, sendInvoiceAgain } from "#features/orders/notices-out/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

const words = threadWords.order;

/** Steps of a user about an invoice that a retailer has or had. */
const ACTIONS = {
  resend: { endpoint: sendInvoiceAgain, text: words.rejected, label: words.resend, done: words.resent },
  reject: { endpoint: rejectInvoice, text: words.doubted, label: words.reject, done: words.markedRejected },
} as const;

/** Sends the invoice to a retailer that rejected it once more, under the same number, or marks it as rejected. */
export function Answered({
  realmId,
  id,
  action,
}: {
  realmId: string;
  id: string;
  action: keyof typeof ACTIONS;
}) {
  const { endpoint, text, label, done } = ACTIONS[action];
  const announce = useAnnounce();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await call(endpoint, { body: { id }, realmId });
    },
    onSuccess: async () => {
      announce(done);
      await queries.invalidateQueries({ queryKey: threadsKey(realmId) });
    },
  });
  return (
    <>
      <p>{text}</p>
      <BusyButton label={label} isBusy={isPending} onClick={() => mutate()} />
      <FailedCall error={error} />
    </>
  );
}
