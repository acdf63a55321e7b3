import { type CanceledOrder, downloadPackingSlip } from "#features/shipping/contract.ts";
import { useRestore } from "#features/shipping/web/carrier/use-restore.ts";
import { canceledWords as words, carrierTabWords, orderWords } from "#features/shipping/web/carrier/words.ts";
import { NoticeLine } from "#features/shipping/web/shipment/notice-line.tsx";
import { shipmentWords } from "#features/shipping/web/shipment/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import Box from "@mui/material/Box";

type Props = { realmId: string; orders: readonly CanceledOrder[] };

/** Canceled orders of the retail customer, newest first; nothing without any. */
export function CanceledOrders({ realmId, orders }: Props) {
  if (orders.length === 0) return null;
  const title = carrierTabWords.canceledTitle(boot.retailer);
  return (
    <Card title={title}>
      <TextTable label={words.table} heads={words.heads} isComplete>
        {orders.map((order) => (
          <CanceledRow key={order.id} realmId={realmId} order={order} />
        ))}
      </TextTable>
    </Card>
  );
}

function CanceledRow({ realmId, order }: { realmId: string; order: CanceledOrder }) {
  const { po_number: po, id } = order;
  const restore = useRestore(realmId);
  return (
    <tr>
      <th scope="row">{po}</th>
      <td data-head={words.heads[1]}>{order.customer_name}</td>
      <td>
        {words.at(order.cancelled_at)}
        {order.can_restore ? null : ` · ${words.notified(order.retailer)}`}
        {order.notice ? (
          <>
            <br />
            <NoticeLine kind="cancel" notice={order.notice} />
          </>
        ) : null}
      </td>
      <td>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: "0 16px" }}>
          <DownloadButton
            type={shipmentWords.slip}
            detail={orderWords.forPo(po)}
            fileName={order.packing_slip_file}
            look="link"
            fetchDocument={(filename) => call(downloadPackingSlip, { params: { filename }, query: {} })}
          />
          {order.can_restore ? (
            <SubmitButton
              variant="text"
              size="small"
              label={words.restore}
              detail={orderWords.forPo(po)}
              isBusy={restore.isPending}
              error={restore.error}
              onClick={() => restore.mutate({ order_id: id, po_number: po })}
            />
          ) : null}
        </Box>
      </td>
    </tr>
  );
}
