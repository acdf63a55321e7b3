import type { CartonText } from "#features/shipping/web/shipment/rules-cartons.ts";
import type { Packing } from "#features/shipping/web/carrier/rules-packing.ts";
import type { ReceivedDocument } from "#web/kit/api-client.ts";
import type { openDraft } from "#web/kit/use-draft.ts";
import { createContext, use, useSyncExternalStore } from "react";

/** Labels that came as the answer of a call of this page; `id` is their purchase, if the answer named it. */
export type PurchaseResult = { id: string | null; document: ReceivedDocument; cartons: number };

/** State of an order that only the page knows. Those of `PERSISTED_FIELDS` outlast a reload. */
export type LocalOrder = {
  /** Typed cartons; undefined until edited. */
  cartons?: readonly CartonText[] | undefined;
  /** Undefined for the proposal, and for all in one carton. */
  packing?: Packing | undefined;
  /** UPS's service that the user chose for one that isn't known. */
  service?: string | undefined;
  /** Key of a purchase whose outcome is not known: the same one again buys nothing twice. */
  key?: string | undefined;
  /** Purchase that failed, after which the user started over. */
  startedOver?: string | undefined;
  isSelected?: boolean | undefined;
  isPending?: boolean | undefined;
  /** Purchase that a late answer or a batch began. */
  started?: string | undefined;
  /** Why the call was refused. */
  failure?: string | undefined;
  /** Whether to show every fault, and not only those of fields that were left. */
  isChecked?: boolean | undefined;
  made?: PurchaseResult | undefined;
  /** Canceled here a moment ago. */
  isCanceled?: boolean | undefined;
};

const PERSISTED_FIELDS = ["cartons", "packing", "key", "startedOver"] as const;
/** A change of one of these changes the list; typing changes one order only. */
const LISTED = [
  "startedOver",
  "isSelected",
  "isPending",
  "started",
  "failure",
  "made",
  "isCanceled",
] as const;
const NONE: LocalOrder = {};
/** Typing is kept in pauses, because each time costs a slow computer some milliseconds. */
const KEEP_MS = 300;
/** A time without a change. */
const PAUSE_MS = 250;

export type OrderStore = ReturnType<typeof createOrderStore>;

/**
 * Keeps what is typed and done in the carrier tab by order id, so that a refetch changes none of it, and typing
 * in one order draws only that one.
 * @param draft keeps typed cartons for the browser session
 */
export function createOrderStore(draft: ReturnType<typeof openDraft>) {
  const orders = new Map<string, LocalOrder>(Object.entries(readKept(draft.get())));
  const listeners = new Set<() => void>();
  let version = 0;
  let active: string | null = null;
  let first: string | null = null;
  let isAnySelected = false;
  const publish = () => {
    for (const listener of listeners) listener();
  };
  let keeping: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(keeping);
    keeping = undefined;
    draft.keep(JSON.stringify(pickKept(orders)));
  };
  const changeAll = (ids: readonly string[], part: LocalOrder) => {
    for (const id of ids) {
      const before = orders.get(id) ?? NONE;
      const next = { ...before, ...part };
      const differs = (keys: readonly (keyof LocalOrder)[]) => keys.some((key) => before[key] !== next[key]);
      orders.set(id, next);
      if (differs(LISTED)) version += 1;
      // A key must be kept before it is sent; what is typed can wait for a pause.
      if (differs(["key"])) keep();
      else if (differs(PERSISTED_FIELDS)) keeping ??= setTimeout(keep, KEEP_MS);
    }
    isAnySelected = [...orders.values()].some(({ isSelected }) => isSelected);
    publish();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    read: (id: string): LocalOrder => orders.get(id) ?? NONE,
    change: (id: string, part: LocalOrder) => changeAll([id], part),
    changeAll,
    /** Keeps at once what a pause in typing would: the tab is being left. */
    flush: () => (keeping === undefined ? undefined : keep()),
    /** Grows with each change that can change the list. */
    readVersion: () => version,
    /** The order whose Generate is the page's main action: the one with the focus, else the first; null with a selection. */
    readMain: (): string | null => (isAnySelected ? null : (active ?? first)),
    setActive: (id: string | null) => {
      if (id === active) return;
      active = id;
      publish();
    },
    setFirst: (id: string | null) => {
      if (id === first) return;
      first = id;
      publish();
    },
    subscribe,
    /** Calls the listener once for all changes before a pause. */
    subscribeToPauses: (listener: () => void) => {
      let pause: ReturnType<typeof setTimeout> | undefined;
      const unsubscribe = subscribe(() => {
        clearTimeout(pause);
        pause = setTimeout(listener, PAUSE_MS);
      });
      return () => {
        clearTimeout(pause);
        unsubscribe();
      };
    },
  };
}

const readKept = (text: string | null) => JSON.parse(text ?? "{}") as Record<string, LocalOrder>;

function pickKept(orders: ReadonlyMap<string, LocalOrder>): Record<string, LocalOrder> {
  return Object.fromEntries(
    [...orders]
      .filter(([, order]) => PERSISTED_FIELDS.some((key) => order[key] !== undefined))
      .map(([id, order]) => [id, Object.fromEntries(PERSISTED_FIELDS.map((key) => [key, order[key]]))]),
  );
}

export const OrderStoreContext = createContext<OrderStore | null>(null);

export function useOrderStore(): OrderStore {
  const store = use(OrderStoreContext);
  if (!store) throw new Error("No order store around this component.");
  return store;
}

/** State of one order that only the page knows. */
export function useLocalOrder(id: string): LocalOrder {
  const store = useOrderStore();
  return useSyncExternalStore(store.subscribe, () => store.read(id));
}

/** Whether the Generate of an order is the page's main action. */
export function useIsMain(id: string): boolean {
  const store = useOrderStore();
  return useSyncExternalStore(store.subscribe, () => store.readMain() === id);
}
