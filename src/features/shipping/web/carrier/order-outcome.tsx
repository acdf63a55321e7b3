import { decideOrder } from "#features/orders/contract.ts";
import type { OpenOrder } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useLocalOrder, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { ReadyLabels } from "#features/shipping/web/carrier/ready-labels.tsx";
import type { OrderState } from "#features/shipping/web/carrier/rules-orders.ts";
import { fieldId, focusField } from "#features/shipping/web/carrier/typed-cartons.ts";
import { carrierTabWords, orderWords, stateWords as words } from "#features/shipping/web/carrier/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { Suspense, useState } from "react";

// Rare: UPS has a shipment that may be the order's.
const AskedLabels = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).AskedLabels,
);

const AddressChoice = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).AddressChoice,
);

const AddressForm = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).AddressForm,
);

const WaitingOrder = lazyPart(async () => (await import("#web/kit/waiting-order.tsx")).WaitingOrder);

type Props = { order: OpenOrder; state: Exclude<OrderState, "ready" | "making">; cartonCount: number };

/** Result of the call for labels, under the cartons. */
export function OrderOutcome({ order, state, cartonCount }: Props) {
  if (state === "made") return <ReadyLabels order={order} cartonCount={cartonCount} />;
  if (state === "failed") return <FailedLabels order={order} />;
  if (state === "asked")
    return (
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <AskedLabels order={order} />
      </Suspense>
    );
  return (
    <Notice tone="amber" role="status" icon={Clock} title={words.checking}>
      <p>{words.checkingText(order.labels?.next_check_at ?? null)}</p>
    </Notice>
  );
}

const row = { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mt: 1 } as const;

/** Why no labels were made, and where it is corrected. The form stays locked until the user starts over. */
function FailedLabels({ order }: { order: OpenOrder }) {
  const { openSettings, generate, blocked } = useCarrier();
  const store = useOrderStore();
  const announce = useAnnounce();
  const po = order.po_number;
  const local = useLocalOrder(order.id);
  const [isCorrecting, setCorrecting] = useState(false);
  const labels = order.labels?.id === local.startedOver ? null : order.labels;
  const correct = labels?.correct ?? null;
  const reopen = () => {
    store.change(order.id, {
      startedOver: order.labels?.id,
      failure: undefined,
      started: undefined,
      isChecked: undefined,
    });
    // A purchase that UPS or the server refused has ended; the next one is another.
    if (labels) store.change(order.id, { key: undefined });
  };
  const startOver = () => {
    reopen();
    focusField(fieldId(order.id, 0, "length"));
  };
  return (
    <>
      <Notice tone="red" role="alert" label={words.errorTitle} title={words.errorTitle}>
        <p style={{ whiteSpace: "pre-line" }}>{labels?.error ?? local.failure}</p>
        {isCorrecting ? null : correct === "address" ? (
          <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
            <AddressChoice
              order={order}
              meant={labels?.meant ?? null}
              onSaved={() => {
                reopen();
                if (blocked === null) generate(order);
              }}
            >
              <Button variant="text" size="small" onClick={() => setCorrecting(true)}>
                {words.correctAddress}
              </Button>
              <StartOver po={po} onStart={startOver} />
            </AddressChoice>
          </Suspense>
        ) : (
          <Box sx={row}>
            {correct === "settings" ? (
              <Button variant="outlined" size="small" onClick={openSettings}>
                {words.openSettings}
              </Button>
            ) : null}
            {correct === "account" ? (
              <TextLink to={carrierTabWords.settingsHref}>{words.checkAccount}</TextLink>
            ) : null}
            <StartOver po={po} onStart={startOver} />
          </Box>
        )}
      </Notice>
      {isCorrecting ? (
        <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
          <AddressForm
            order={order}
            onClose={() => setCorrecting(false)}
            onSaved={() => {
              announce(words.addressSaved(po));
              startOver();
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function StartOver({ po, onStart }: { po: string; onStart: () => void }) {
  const announce = useAnnounce();
  return (
    <BusyButton
      variant="text"
      size="small"
      label={words.startOver}
      detail={orderWords.forPo(po)}
      isBusy={false}
      onClick={() => {
        announce(words.startedOver(po));
        onStart();
      }}
    />
  );
}

/** Changes of an order by the retailer that wait for a user. */
export function OrderFlags({ order }: { order: OpenOrder }) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  return (
    <>
      {order.waiting ? (
        <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
          <WaitingOrder
            po={order.po_number}
            waiting={order.waiting}
            canUseNew
            note=""
            choose={async (choice) => {
              await call(decideOrder, {
                body: { order_id: order.id, choice, received_at: order.waiting?.received_at },
                realmId,
              });
              await refreshOrders(queries, realmId);
            }}
          />
        </Suspense>
      ) : null}
      {order.cancellation_asked_at === null ? null : (
        <Notice
          tone="amber"
          role="group"
          title={words.voidFirst(order.retailer, order.cancellation_asked_at)}
        >
          <p>{words.voidFirstText}</p>
          <TextLink to={`?history=1&q=${encodeURIComponent(order.po_number)}`}>{words.openHistory}</TextLink>
        </Notice>
      )}
    </>
  );
}
