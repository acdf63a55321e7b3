import { useCarrier } from "#features/labels/web/carrier/carrier-context.ts";
import { OrderList } from "#features/labels/web/carrier/order-list.tsx";
import { useOrderStore } from "#features/labels/web/carrier/order-store.ts";
import {
  countOrders,
  filterOrders,
  type Kept,
  type OrderFilter,
} from "#features/labels/web/carrier/rules-orders.ts";
import { SelectionBand } from "#features/labels/web/carrier/selection-band.tsx";
import { carrierTabWords as words } from "#features/labels/web/carrier/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Filters } from "#web/kit/filters.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import { memo, type ReactNode, startTransition, useEffect, useState } from "react";
import { useSearchParams } from "react-router";

type Props = {
  orders: readonly Kept[];
  /** An order that must be drawn, because focus moves to it. */
  revealed: string | null;
  onGenerate: (orders: readonly Kept[]) => void;
  /** Another button is the main action of the page, unless an order holds the focus. */
  isMainElsewhere: boolean;
  /** Stands beside the filters. */
  add: ReactNode;
  /** Stands between the filters and the list. */
  children: ReactNode;
};

/** Search and filters of the orders, and the list that they leave; the address may name an order: `?ups=1&po=8841203`. */
export function FindOrders(props: Props) {
  const { orders, revealed, onGenerate, isMainElsewhere, add, children } = props;
  const store = useOrderStore();
  const { today } = useCarrier();
  const [params] = useSearchParams();
  const [asked] = useState(params.get("po") ?? "");
  const [search, setSearch] = useState(asked);
  const [show, setShow] = useState<OrderFilter>("open");
  const context = { today, local: store.read };
  const found = filterOrders(orders, { ...context, show, search });
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "12px 24px", mt: 3 }}>
        <Search first={asked} onSearch={setSearch} />
        <ShowFilters orders={orders} show={show} onShow={setShow} />
        <Box sx={{ ml: { sm: "auto" } }}>{add}</Box>
      </Box>
      {children}
      <SelectionBand orders={found} onGenerate={onGenerate} />
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <OrderList
          orders={found}
          narrowing={`${show} ${search}`}
          revealed={revealed}
          isMainElsewhere={isMainElsewhere}
        />
      )}
    </>
  );
}

type SearchProps = { first: string; onSearch: (text: string) => void };

/** Typing draws only the field; the list follows once typing pauses. */
function Search({ first, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(first);
  const search = useSettled(typed);
  useEffect(() => startTransition(() => onSearch(search)), [search, onSearch]);
  return <SearchField label={words.search} placeholder={words.searchFor} value={typed} onChange={setTyped} />;
}

const FILTERS: readonly OrderFilter[] = ["open", "today", "attention"];

type FiltersProps = Pick<Props, "orders"> & { show: OrderFilter; onShow: (show: OrderFilter) => void };

/** Not drawn again while a search is typed. */
const ShowFilters = memo(function ShowFilters({ orders, show, onShow }: FiltersProps) {
  const store = useOrderStore();
  const { today } = useCarrier();
  const counts = countOrders(orders, { today, local: store.read });
  return (
    <Filters
      label={words.show}
      value={show}
      options={FILTERS.map((value) => ({ value, label: words.filters[value], count: counts[value] }))}
      onChange={onShow}
    />
  );
});

function NoOrders() {
  return (
    <Box sx={{ mt: 3 }}>
      <p>{words.none}</p>
      <Box component="p" sx={{ color: "text.secondary" }}>
        {words.noneHint(boot.retailer)}
      </Box>
    </Box>
  );
}
