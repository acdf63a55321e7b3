import { CanceledEntry } from "#features/shipping/web/carrier/cancel-order.tsx";
import { Orders } from "#features/shipping/web/carrier/look.ts";
import { OrderEntry } from "#features/shipping/web/carrier/order-entry.tsx";
import { useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { canGenerate, type ListedOrder } from "#features/shipping/web/carrier/rules-orders.ts";
import { carrierTabWords as words } from "#features/shipping/web/carrier/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { startTransition, useEffect, useState } from "react";

/** Orders drawn at once: more than a screen shows. The others of a page follow when the browser has time. */
const FIRST = 6;
/** Orders of a page; hundreds would keep a slow computer busy. */
const PAGE = 25;

type Props = {
  orders: readonly ListedOrder[];
  /** Changes with the filter and the search. */
  narrowing: string;
  /** An order that must be drawn, because focus moves to it. */
  revealed: string | null;
  /** Orders that came in during the visit. */
  added: ReadonlySet<string>;
  /** Another button is the main action of the page. */
  isMainElsewhere: boolean;
};

export function OrderList({ orders, narrowing, revealed, added, isMainElsewhere }: Props) {
  const store = useOrderStore();
  const [asked, setAsked] = useState({ of: narrowing, count: FIRST });
  // Orders that another search shows as well stay drawn.
  const count = asked.of === narrowing ? asked.count : Math.min(asked.count, PAGE);
  const least = orders.findIndex(({ order }) => order.id === revealed) + 1;
  const drawn = orders.slice(0, Math.max(count, least));
  const rest = orders.length - drawn.length;
  useEffect(() => startTransition(() => setAsked((before) => ({ ...before, count: PAGE }))), []);
  const first = isMainElsewhere
    ? undefined
    : orders.find((each) => canGenerate(each, store.read(each.order.id)));
  useEffect(() => store.setFirst(first?.order.id ?? null), [store, first]);
  if (orders.length === 0) return <p role="status">{words.noMatch}</p>;
  return (
    <>
      <Orders aria-label={words.list} sx={{ mt: 2 }}>
        {drawn.map(({ order, status }) =>
          status === "cancelled" ? (
            <CanceledEntry key={order.id} order={order} />
          ) : (
            <OrderEntry key={order.id} order={order} status={status} isNew={added.has(order.po_number)} />
          ),
        )}
      </Orders>
      {rest > 0 && count >= PAGE ? (
        <Box sx={{ mt: 2, ml: -1 }}>
          <Button variant="text" onClick={() => setAsked({ of: narrowing, count: drawn.length + PAGE })}>
            {words.more(Math.min(PAGE, rest))}
          </Button>
        </Box>
      ) : null}
    </>
  );
}
