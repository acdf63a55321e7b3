import { type MadeLabels, voidShipment } from "#features/shipping/contract.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { historyWords as words } from "#features/shipping/web/history/words.ts";
import { ShipmentNumber } from "#features/shipping/web/shipment/shipment-number.tsx";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

type Props = { realmId: string; labels: MadeLabels };

/** Voids labels after a question, because UPS can't take a void back. */
export function VoidButton({ realmId, labels }: Props) {
  const [isAsked, setAsked] = useState(false);
  const { po_number: po } = labels;
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => call(voidShipment, { query: { po_number: po, shipment: labels.shipment }, realmId }),
    onSuccess: ({ kept }) => {
      if (kept.length === 0) announce(words.voided[nextState(labels)](po));
      return refreshOrders(queries, realmId);
    },
  });
  const kept = data?.kept ?? [];
  return (
    <>
      <BusyButton
        variant="text"
        size="small"
        color="error"
        label={words.voidLabels}
        detail={words.printDetail(po)}
        isBusy={isPending}
        onClick={() => setAsked(true)}
      />
      {isPending ? null : (
        <span className="wide">
          <FailedCall title={words.errorTitle} error={error} />
          <ErrorBlock title={words.errorTitle} message={kept.length === 0 ? null : words.kept(kept)} />
        </span>
      )}
      {isAsked ? (
        <VoidDialog
          labels={labels}
          onKeep={() => setAsked(false)}
          onVoid={() => {
            setAsked(false);
            mutate();
          }}
        />
      ) : null}
    </>
  );
}

/** State of the order after a void: one that the retailer canceled isn't open again. */
const nextState = ({ reopens }: MadeLabels) => (reopens ? "open" : "canceled");

type DialogProps = { labels: MadeLabels; onKeep: () => void; onVoid: () => void };

export function VoidDialog({ labels, onKeep, onVoid }: DialogProps) {
  const keep = useRef<HTMLButtonElement>(null);
  const payer = labels.billed_to ?? boot.retailer;
  const next = nextState(labels);
  return (
    <Dialog title={words.dialog.title(labels.po_number)} first={keep} onClose={onKeep}>
      <p>
        <ShipmentNumber of={labels.shipment} />, {words.dialog.text[next](labels.carton_count)}
      </p>
      {labels.is_notified ? (
        <Notice tone="amber" title={words.dialog.notified(payer)}>
          <p>{words.dialog.notifiedText[next](payer, labels.tracking_numbers.length)}</p>
        </Notice>
      ) : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 1.5, mt: 3 }}>
        <Button ref={keep} variant="outlined" onClick={onKeep}>
          {words.dialog.keep}
        </Button>
        <Button variant="contained" color="error" onClick={onVoid}>
          {words.voidLabels}
        </Button>
      </Box>
    </Dialog>
  );
}
