import { printShipments } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { shipmentsKey } from "#features/shipping/web/carrier/queries.ts";
import type { Kept } from "#features/shipping/web/carrier/rules-orders.ts";
import { type Batch, readBatch } from "#features/shipping/web/carrier/read-batch.ts";
import { batchWords as words, orderWords } from "#features/shipping/web/carrier/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { printDocument } from "#web/kit/documents.ts";
import { useFirstControl, useFocusThrough } from "#web/kit/focus.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PercentBar } from "#web/kit/progress/progress-bar.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";

type Props = { batch: Batch; shown: readonly Kept[]; onDismiss: () => void };

/** Labels of several orders: how many are done, then one file of all of them. */
export function BatchResult({ batch, shown, onDismiss }: Props) {
  const store = useOrderStore();
  useSyncExternalStore(store.subscribe, store.readVersion);
  const result = readBatch(batch, shown, store);
  const isDone = result.making === 0;
  const title = result.made === 0 ? words.noneReady : words.ready(result.made);
  const announce = useAnnounce();
  const announced = useRef<Batch | null>(null);
  useEffect(() => {
    if (!isDone || announced.current === batch) return;
    announced.current = batch;
    announce(title);
  }, [isDone, batch, title, announce]);
  const during = useRef<HTMLDivElement>(null);
  const [after, aroundAfter] = useFirstControl();
  useFocusThrough(!isDone, { during, after });
  if (!isDone) {
    const text = words.progress(batch.length - result.making, batch.length);
    return (
      <div ref={during} tabIndex={-1}>
        <PercentBar label={text} percent={(100 * (batch.length - result.making)) / batch.length} />
      </div>
    );
  }
  return (
    <div ref={aroundAfter} tabIndex={-1}>
      <Notice tone={result.attention > 0 ? "amber" : "green"} role="group" label={words.result} title={title}>
        {result.attention > 0 ? <p>{words.attention(result.attention)}</p> : null}
        <Documents result={result} onDismiss={onDismiss} />
      </Notice>
    </div>
  );
}

type DocumentsProps = { result: ReturnType<typeof readBatch>; onDismiss: () => void };

function Documents({ result: { ids, labels, hasSlips }, onDismiss }: DocumentsProps) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  const fetchAll = (slips: boolean) => call(printShipments, { body: { ids, slips }, realmId });
  const print = useMutation({
    mutationFn: () => printDocument(() => fetchAll(hasSlips)),
    onSuccess: () => queries.invalidateQueries({ queryKey: shipmentsKey(realmId) }),
  });
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
