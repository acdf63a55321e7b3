import { cancelOrder, type OpenOrder } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { useRestore } from "#features/shipping/web/carrier/use-restore.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { CUSTOMER } from "#features/orders/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocusLate } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import CircularProgress from "@mui/material/CircularProgress";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Cancels without a question first, because Undo and Restore take it back. */
export function CancelButton({ order }: { order: OpenOrder }) {
  const { realmId } = useCarrier();
  const store = useOrderStore();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const po = order.po_number;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(cancelOrder, { query: { customer: CUSTOMER, po_number: po, order_id: order.id }, realmId }),
    onSuccess: () => {
      announce(words.cancelled(po));
      store.change(order.id, { isCanceled: true, isSelected: undefined, failure: undefined });
      return refreshOrders(queries, realmId);
    },
  });
  if (error && !isPending) return <FailedCall title={null} error={error} onRetry={() => mutate()} />;
  return (
    <button
      type="button"
      className="tool danger"
      aria-disabled={isPending}
      onClick={() => isPending || mutate()}
    >
      {isPending ? (
        <CircularProgress aria-label={words.cancelling(po)} size={16} color="inherit" />
      ) : (
        words.cancel
      )}
      <span style={visuallyHidden}>&nbsp;{words.forPo(po)}</span>
    </button>
  );
}

/** How long a canceled order can be taken back where it was; later it can be restored from the list below. */
const UNDO_MS = 10_000;

/** Stands in place of an order that was canceled a moment ago. */
export function CanceledEntry({ order }: { order: OpenOrder }) {
  const { realmId } = useCarrier();
  const store = useOrderStore();
  const po = order.po_number;
  const restore = useRestore(realmId, () => store.change(order.id, { isCanceled: undefined }));
  useEffect(() => {
    const timer = setTimeout(() => store.change(order.id, { isCanceled: undefined }), UNDO_MS);
    return () => clearTimeout(timer);
  }, [store, order.id]);
  return (
    <article aria-label={words.cancelled(po)}>
      <p className="po">{words.cancelled(po)}</p>
      <div>
        <SubmitButton
          ref={takeFocusLate}
          label={words.undo}
          detail={words.ofPo(po)}
          isBusy={restore.isPending}
          error={restore.error}
          onClick={() => restore.mutate({ order_id: order.id, po_number: po })}
        />
      </div>
    </article>
  );
}
