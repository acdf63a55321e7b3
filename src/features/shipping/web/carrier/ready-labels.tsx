import {
  downloadLabelFile,
  type LabelHistory,
  type OpenOrder,
  printShipments,
} from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useIsMain, useLocalOrder, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { latestShipmentsQuery, usePrint } from "#features/shipping/web/shipment/queries.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { ShipmentNumber } from "#features/shipping/web/shipment/shipment-number.tsx";
import { shipmentWords } from "#features/shipping/web/shipment/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { openDocument } from "#web/kit/documents.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { Notice } from "#web/kit/notice.tsx";
import Button from "@mui/material/Button";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useEffect } from "react";

/** Forgets what the page knows of the labels that were made, so that the order's next part can be packed. */
const NEXT_PART = {
  made: undefined,
  started: undefined,
  key: undefined,
  cartons: undefined,
  packing: undefined,
  isChecked: undefined,
};

type Props = { order: OpenOrder; cartonCount: number };

/** Labels that are ready: to print, look at, or download. */
export function ReadyLabels({ order, cartonCount }: Props) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  const store = useOrderStore();
  const po = order.po_number;
  // Once voided, the order's next labels are another purchase.
  useEffect(() => store.change(order.id, { key: undefined }), [store, order.id]);
  const { id, shipment, file, count, document } = useReady(order, cartonCount);
  // Slips can't follow labels in ZPL, which goes to a thermal printer as it is.
  const hasSlips =
    (document?.blob.type ?? "application/pdf") === "application/pdf" && !file?.endsWith(".zpl");
  const isMain = useIsMain(order.id);
  // The server counts prints; until it has named the labels, the page prints what it received. Labels that the list had before the
  // answer to their purchase are named by the history.
  const fetchPrint = async () => {
    if (id === null && document) return document;
    const named = id ?? findLabels(await queries.fetchQuery(latestShipmentsQuery(realmId)), order.id)?.id;
    return call(printShipments, { body: { ids: [named ?? ""], slips: hasSlips }, realmId });
  };
  const fetchStored = () => {
    if (file !== null) return call(downloadLabelFile, { params: { filename: file } });
    return document ? Promise.resolve(document) : fetchPrint();
  };
  const print = usePrint(realmId, fetchPrint);
  const preview = useMutation({ mutationFn: () => openDocument(fetchStored) });
  return (
    <Notice tone="green" role="group" label={words.readyFor(po)}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 16px" }}>
        <Box component="p" sx={{ flex: "1 1 15rem" }}>
          <b>{words.ready}</b> {words.sum({ count, pounds: 0 })}
          {shipment === "" ? null : (
            <>
              {" · "}
              <ShipmentNumber of={shipment} />
            </>
          )}
        </Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
          {/* As high as the main action, which moves with the focus: nothing moves under a click. */}
          <Box sx={{ display: "flex", alignItems: "center", minHeight: 48 }}>
            <BusyButton
              {...(isMain ? { variant: "contained" } : { size: "small" })}
              startIcon={<Icon of={Printer} size="small" />}
              label={hasSlips ? words.printAll(count) : words.print(count)}
              detail={words.ofPo(po)}
              isBusy={print.isPending}
              onClick={() => print.mutate()}
            />
          </Box>
          <BusyButton
            size="small"
            label={words.preview}
            detail={words.ofPo(po)}
            isBusy={preview.isPending}
            onClick={() => preview.mutate()}
          />
          {order.labels === null && order.lines.some(({ open }) => Number(open) > 0) && id !== null ? (
            <Button size="small" onClick={() => store.change(order.id, NEXT_PART)}>
              {words.packRest}
            </Button>
          ) : null}
          <DownloadButton
            type={shipmentWords.currentLabel}
            detail={shipmentWords.forPo(po)}
            fileName={words.fileName(po)}
            size="small"
            fetchDocument={fetchStored}
          />
        </Box>
      </Box>
      <FailedCall title={null} error={print.error ?? preview.error} />
    </Notice>
  );
}

/** Finds labels by their id; without one, the latest of the order. */
const findLabels = (history: LabelHistory | undefined, orderId: string, id?: string) =>
  history?.labels.find((each) =>
    id === undefined ? each.order_id === orderId && each.state !== "voided" : each.id === id,
  );

/**
 * Facts of labels: of those that this page made, else of the order's own, else of the latest, once the order has left the list.
 * An order may have other parts. Labels that were voided since are no longer the order's.
 */
function useReady({ id: orderId, labels }: OpenOrder, cartonCount: number) {
  const { realmId } = useCarrier();
  const store = useOrderStore();
  const { made, started } = useLocalOrder(orderId);
  const own = made?.id ?? started;
  const id = own ?? labels?.id;
  const isEnabled = own !== undefined || labels?.state !== "made";
  const { data } = useQuery({ ...latestShipmentsQuery(realmId), enabled: isEnabled });
  const known = findLabels(data, orderId, id);
  const isVoided = known?.state === "voided";
  useEffect(() => {
    if (isVoided) store.change(orderId, { made: undefined, started: undefined });
  }, [isVoided, store, orderId]);
  const document = made?.document ?? null;
  if (known) {
    const { shipment, label_file: file, carton_count: count } = known;
    return { id: known.id, shipment, file, count, document };
  }
  if (labels?.id === id && labels) {
    const { shipment, label_file: file, cartons } = labels;
    return { id: labels.id, shipment, file, count: cartons.length, document };
  }
  return { id: id ?? null, shipment: "", file: null, count: made?.cartons ?? cartonCount, document };
}
