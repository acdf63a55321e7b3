import { MAX_BATCH } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { type OrderStore, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { sumCartons } from "#features/shipping/web/shipment/rules-cartons.ts";
import { canGenerate, type ListedOrder } from "#features/shipping/web/carrier/rules-orders.ts";
import { Band } from "#features/shipping/web/carrier/band.ts";
import { typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { batchWords as words, orderWords } from "#features/shipping/web/carrier/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useSyncExternalStore } from "react";

type Props = { orders: readonly ListedOrder[]; onGenerate: (orders: readonly ListedOrder[]) => void };

/** Sum of the selected orders and the button for all of their labels; sticks to the top, and is gone without a selection. */
export function SelectionBand({ orders, onGenerate }: Props) {
  const store = useOrderStore();
  const { blocked } = useCarrier();
  const open = orders.filter((each) => canGenerate(each, store.read(each.order.id)));
  const selected = open.filter((each) => store.read(each.order.id).isSelected);
  if (selected.length === 0 || blocked !== null) return null;
  const clear = () => store.changeAll(toIds(selected), { isSelected: undefined });
  const isAll = selected.length === Math.min(open.length, MAX_BATCH);
  const toggle = () =>
    isAll ? clear() : store.changeAll(toIds(open.slice(0, MAX_BATCH)), { isSelected: true });
  const isTooMany = selected.length > MAX_BATCH;
  return (
    <Band aria-label={words.region}>
      <label>
        <input
          type="checkbox"
          aria-label={words.selectAll}
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll;
          }}
          onChange={toggle}
        />
      </label>
      <p>
        <b>{words.orders(selected.length)}</b> · <CartonCount orders={selected} write={words.cartons} /> ·{" "}
        <Weight orders={selected} /> {words.selected}
        {isTooMany ? (
          <Box component="span" sx={{ color: "status.amber.ink" }}>
            {" "}
            {words.most(MAX_BATCH)}
          </Box>
        ) : null}
      </p>
      <Button variant="text" onClick={clear}>
        {words.clear}
      </Button>
      <Button variant="contained" disabled={isTooMany} onClick={() => onGenerate(selected)}>
        <CartonCount orders={selected} write={words.generate} />
      </Button>
    </Band>
  );
}

type CountProps = { orders: readonly ListedOrder[]; write: (count: number) => string };

/** Changes when cartons are added and deleted, without the band. */
function CartonCount({ orders, write }: CountProps) {
  const store = useOrderStore();
  const count = useSyncExternalStore(store.subscribe, () => readCartons(store, orders).length);
  return <>{write(count)}</>;
}

/** The only part of the band that changes while cartons are typed; it follows once typing pauses. */
function Weight({ orders }: Pick<Props, "orders">) {
  const store = useOrderStore();
  const text = useSyncExternalStore(store.subscribeToPauses, () =>
    orderWords.weight(sumCartons(readCartons(store, orders))),
  );
  return <>{text}</>;
}

const readCartons = (store: OrderStore, orders: readonly ListedOrder[]) =>
  orders.flatMap(({ order }) => typedCartons(order, store.read(order.id)));

const toIds = (orders: readonly ListedOrder[]) => orders.map(({ order }) => order.id);
