import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import type { OpenOrder } from "#features/shipping/contract.ts";
import { OrderList } from "#features/shipping/web/carrier/order-list.tsx";
import { useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import {
  countOrders,
  filterOrders,
  matchScan,
  putFirst,
  type ListedOrder,
  type OrderFilter,
} from "#features/shipping/web/carrier/rules-orders.ts";
import { focusWeight, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { useScanner } from "#features/shipping/web/carrier/use-scanner.ts";
import { carrierTabWords as words, orderWords } from "#features/shipping/web/carrier/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Filters } from "#web/kit/filters.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { LinkButton } from "#web/kit/text-link.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import {
  memo,
  type ReactNode,
  startTransition,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useSearchParams } from "react-router";

const SelectionBand = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).SelectionBand,
);

type Props = {
  orders: readonly ListedOrder[];
  /** An order that must be drawn, because focus moves to it. */
  revealed: string | null;
  onGenerate: (orders: readonly ListedOrder[]) => void;
  /** Another button is the main action of the page, unless an order holds the focus. */
  isMainElsewhere: boolean;
  /** Shown next to the filters. */
  add: ReactNode;
  /** Orders that came in during the visit: they are listed first. */
  added: ReadonlySet<string>;
  /** Stands between the filters and the list, and can open an order, also by its PO number. */
  children: (openPo: (po: string) => void, openOrder: (order: OpenOrder) => void) => ReactNode;
};

/** Search and filters of the orders, and the list that they leave; the address may name an order: `?ups=1&po=8841203`. */
export function FindOrders(props: Props) {
  const { orders, revealed, onGenerate, isMainElsewhere, add, added, children } = props;
  const store = useOrderStore();
  const { today } = useCarrier();
  const [params, setParams] = useSearchParams();
  const [asked] = useState(params.get("po") ?? "");
  // It has been searched for: back from another tab, the list is whole.
  useEffect(() => {
    if (asked !== "") setParams(withoutPo, { replace: true });
  }, [asked, setParams]);
  const [search, setSearch] = useState(asked);
  const [show, setShow] = useState<OrderFilter>("open");
  const [opened, setOpened] = useState<Opened | null>(null);
  const context = { today, local: store.read };
  const found = new Set(filterOrders(orders, { ...context, show, search }));
  const isFirst = ({ id, po_number: po }: OpenOrder) => (opened ? id === opened.id : added.has(po));
  const listed = putFirst(
    orders.filter((each) => found.has(each) || each.order.id === opened?.id),
    isFirst,
  );
  const narrow = useCallback((text: string) => {
    setOpened(null);
    setSearch(text);
  }, []);
  const filter = useCallback((by: OrderFilter) => {
    setOpened(null);
    setShow(by);
  }, []);
  const openOrder = (order: OpenOrder, text = order.po_number, others: readonly OpenOrder[] = []) => {
    setOpened({
      id: order.id,
      bySku: text.toLowerCase() === order.po_number.toLowerCase() ? null : text,
      others,
    });
    setSearch("");
    focusWeight(order, typedCartons(order, store.read(order.id)));
  };
  const openFound = (text: string) => {
    const [first, ...others] = matchScan(orders, text, context.local);
    if (!first) return false;
    openOrder(
      first.order,
      text,
      others.map(({ order }) => order),
    );
    return true;
  };
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "12px 24px", mt: 3 }}>
        <Search first={asked} onSearch={narrow} onOpen={openFound} />
        <ShowFilters orders={orders} show={show} onShow={filter} />
        <Box sx={{ ml: { sm: "auto" } }}>{add}</Box>
      </Box>
      {opened ? <OpenedFirst {...opened} onOpen={openOrder} /> : null}
      {children(openFound, openOrder)}
      {listed.some(({ order }) => store.read(order.id).isSelected) ? (
        <Suspense fallback={null}>
          <SelectionBand orders={listed} onGenerate={onGenerate} />
        </Suspense>
      ) : null}
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <OrderList
          orders={listed}
          narrowing={`${show} ${search} ${opened?.id ?? ""}`}
          revealed={revealed}
          added={added}
          isMainElsewhere={isMainElsewhere}
        />
      )}
    </>
  );
}

function withoutPo(params: URLSearchParams): URLSearchParams {
  params.delete("po");
  return params;
}

/** The order that a scan opened, and those that have the scanned SKU or PO number as well. */
type Opened = { id: string; bySku: string | null; others: readonly OpenOrder[] };

function OpenedFirst({ bySku, others, onOpen }: Opened & { onOpen: (order: OpenOrder) => void }) {
  if (bySku === null && others.length === 0) return null;
  return (
    <Box component="p" role="status" sx={{ mt: 1, color: "text.secondary" }}>
      {bySku === null ? words.openedFirst : words.opened(bySku)}
      {others.length === 0 ? null : (
        <>
          {" "}
          {words.othersWith(others.length)}{" "}
          {others.slice(0, MAX_OTHERS).map((order) => (
            <LinkButton key={order.id} type="button" onClick={() => onOpen(order)} sx={{ mr: 1 }}>
              {orderWords.name(order.po_number, order.customer_name)}
            </LinkButton>
          ))}
        </>
      )}
    </Box>
  );
}

/** Orders named in addition to the one that was opened. */
const MAX_OTHERS = 5;

type SearchProps = { first: string; onSearch: (text: string) => void; onOpen: (text: string) => boolean };

/** Typing draws only the field; the list follows once typing pauses. Enter, or a scan from anywhere on the page, opens an order. */
function Search({ first, onSearch, onOpen }: SearchProps) {
  const [typed, setTyped] = useState(first);
  const field = useRef<HTMLInputElement>(null);
  const [unopened, setUnopened] = useState<string | null>(null);
  // A scan that opened an order isn't a search.
  const isOpened = useRef(false);
  const search = useSettled(typed);
  useEffect(() => {
    if (!isOpened.current) startTransition(() => onSearch(search));
  }, [search, onSearch]);
  const type = (text: string) => {
    isOpened.current = false;
    setUnopened(null);
    setTyped(text);
  };
  const open = (text: string) => {
    const scanned = text.trim();
    if (scanned === "") return;
    setTyped(scanned);
    isOpened.current = onOpen(scanned);
    setUnopened(isOpened.current ? null : scanned);
    if (isOpened.current) return;
    field.current?.focus();
    field.current?.select();
  };
  useScanner(field, open);
  return (
    <Box sx={{ flex: { sm: "0 1 26rem" }, width: { xs: "100%", sm: "auto" } }}>
      <SearchField
        ref={field}
        isWide
        label={words.search}
        placeholder={words.searchFor}
        value={typed}
        onChange={type}
        onEnter={() => open(typed)}
      />
      {unopened === null ? null : (
        <Box component="p" role="status" sx={{ color: "status.amber.ink" }}>
          {words.notFound(unopened)}
        </Box>
      )}
    </Box>
  );
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
