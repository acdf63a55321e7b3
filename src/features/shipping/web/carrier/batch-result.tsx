import { type LabelHistory, type OpenOrder, printShipments } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { type OrderStore, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { latestShipmentsQuery, usePrint } from "#features/shipping/web/shipment/queries.ts";
import { type ListedOrder, readState } from "#features/shipping/web/carrier/rules-orders.ts";
import { typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { batchWords as words, intakeWords, orderWords } from "#features/shipping/web/carrier/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { useFirstControl } from "#web/kit/focus.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { LinkButton } from "#web/kit/text-link.tsx";
import { PercentBar } from "#web/kit/progress/progress-bar.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type RefObject, useEffect, useRef, useSyncExternalStore } from "react";

type Props = {
  /** Ids of the orders whose labels were requested together. */
  batch: readonly string[];
  shown: readonly ListedOrder[];
  onDismiss: () => void;
  /** Holds focus from the press of Generate until the labels are made. */
  place: RefObject<HTMLElement | null>;
  /** Opens an order. */
  onOpen: (order: OpenOrder) => void;
};

/** Labels of several orders: how many are done, then one file of all of them. */
export function BatchResult({ batch, shown, onDismiss, place, onOpen }: Props) {
  const store = useOrderStore();
  useSyncExternalStore(store.subscribe, store.readVersion);
  const { realmId } = useCarrier();
  // Orders leave the list once their labels are made: the history names the files.
  const { data: history } = useQuery(latestShipmentsQuery(realmId));
  const result = readBatch(batch, shown, store);
  const isDone = result.making === 0;
  const title = result.made === 0 ? words.noneReady : words.ready(result.made, result.all);
  const announce = useAnnounce();
  const announced = useRef<readonly string[] | null>(null);
  useEffect(() => {
    if (!isDone || announced.current === batch) return;
    announced.current = batch;
    announce(title);
  }, [isDone, batch, title, announce]);
  const [after, aroundAfter] = useFirstControl();
  useEffect(() => {
    if (isDone && document.activeElement === place.current) after.current?.focus();
  }, [isDone, batch, place, after]);
  if (!isDone) {
    const text = words.progress(batch.length - result.making, batch.length);
    return <PercentBar label={text} percent={(100 * (batch.length - result.making)) / batch.length} />;
  }
  return (
    <Notice tone={pickTone(result)} role="group" label={words.result}>
      <p>
        <b>{title}</b>
        <NeedYou orders={result.attention} onOpen={onOpen} />
      </p>
      <div ref={aroundAfter} tabIndex={-1}>
        <Documents result={result} hasSlips={hasSlips(result.ids, history)} onDismiss={onDismiss} />
      </div>
    </Notice>
  );
}

/** Green if most are ready; red only if none is. */
const pickTone = ({ made, attention }: ReturnType<typeof readBatch>) =>
  made === 0 ? "red" : made > attention.length || attention.length === 0 ? "green" : "amber";

/** Longer lists say how many more there are. */
const MAX_POS = 20;

function NeedYou({ orders, onOpen }: Pick<Props, "onOpen"> & { orders: readonly OpenOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <>
      {" · "}
      {words.needAttention(orders.length)}
      {orders.slice(0, MAX_POS).map((order, index) => (
        <Fragment key={order.id}>
          {index === 0 ? "" : ", "}
          <LinkButton type="button" onClick={() => onOpen(order)} sx={{ minHeight: 24 }}>
            {intakeWords.po(order.po_number)}
          </LinkButton>
        </Fragment>
      ))}
      {orders.length > MAX_POS ? ` ${intakeWords.more(orders.length - MAX_POS)}` : null}
    </>
  );
}

/** Whether slips can follow labels in one file: labels in ZPL go to a thermal printer as they are. */
const hasSlips = (ids: readonly string[], history: LabelHistory | undefined): boolean =>
  !history?.labels.some(({ id, label_file: file }) => ids.includes(id) && file?.endsWith(".zpl"));

type DocumentsProps = {
  result: ReturnType<typeof readBatch>;
  hasSlips: boolean;
  onDismiss: () => void;
};

function Documents({ result: { ids, labels }, hasSlips, onDismiss }: DocumentsProps) {
  const { realmId } = useCarrier();
  const fetchAll = (slips: boolean) => call(printShipments, { body: { ids, slips }, realmId });
  const print = usePrint(realmId, () => fetchAll(hasSlips));
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mt: 1.5 }}>
        {ids.length === 0 ? null : (
          <>
            <BusyButton
              variant="contained"
              label={hasSlips ? orderWords.printAll(labels) : orderWords.print(labels)}
              isBusy={print.isPending}
              onClick={() => print.mutate()}
            />
            <DownloadButton
              type={words.download}
              detail={words.detail}
              fileName={words.fileName}
              fetchDocument={() => fetchAll(false)}
            />
          </>
        )}
        <Button variant="text" onClick={onDismiss}>
          {words.dismiss}
        </Button>
      </Box>
      <FailedCall title={null} error={print.isPending ? null : print.error} />
    </>
  );
}

/** Outcomes of a batch: purchases to print in the order shown, and what is left to do. */
function readBatch(batch: readonly string[], shown: readonly ListedOrder[], store: OrderStore) {
  const own = new Set(batch);
  const members = shown.filter(({ order }) => own.has(order.id));
  const states = members.map((each) => readState(each, store.read(each.order.id)));
  const made = members.filter((_, at) => states[at] === "made");
  const making = states.filter((state) => state === "making").length;
  return {
    made: made.length,
    making,
    all: members.length,
    /** Orders that need attention. */
    attention: members
      .filter((_, at) => states[at] !== "made" && states[at] !== "making")
      .map(({ order }) => order),
    ids: made.flatMap(({ order }) => order.labels?.id ?? store.read(order.id).started ?? []),
    labels: made.reduce(
      (sum, { order }) => sum + typedCartons(order, order.labels ? {} : store.read(order.id)).length,
      0,
    ),
  };
}
