import {
  type Carton,
  createShipment,
  createShipments,
  type OpenOrder,
  type Pieces,
} from "#features/shipping/contract.ts";
import type { LocalOrder, OrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { focusFault, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { readCartons } from "#features/shipping/web/shipment/rules-cartons.ts";
import type { ListedOrder } from "#features/shipping/web/carrier/rules-orders.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { errorMessage, httpStatus, readErrorBody } from "#web/kit/api-error.ts";
import { saveDocument } from "#web/kit/documents.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

type Purchase = {
  order: OpenOrder;
  cartons: Carton[];
  key: string;
  service: string | undefined;
  /** Pieces that the cartons leave behind, and that the user cancels. */
  cancels?: Pieces[];
};
type Answer = { document: ReceivedDocument | null; id: string | null };

/**
 * Buys the labels of one order, or of several with one call, where each has its own outcome in the list. The same key is sent
 * until the outcome is known, so that a repeat buys nothing twice.
 */
export function useGenerate(realmId: string, store: OrderStore) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [batch, setBatch] = useState<readonly string[] | null>(null);
  const settle = async (purchases: readonly Purchase[]) => {
    await refreshOrders(queries, realmId);
    store.changeAll(toIds(purchases), { isPending: undefined });
  };
  const fail = async (error: unknown, purchases: readonly Purchase[]) => {
    const status = httpStatus(error);
    // Without a response from us labels may have been made: the key stays.
    const isRefused = status !== null && status < 500;
    store.changeAll(toIds(purchases), {
      failure: errorMessage(error) ?? undefined,
      ...(isRefused ? { key: undefined } : {}),
    });
    await settle(purchases);
  };
  const { mutate: buyOne } = useMutation({
    mutationFn: (purchase: Purchase) => buy(realmId, purchase),
    onSuccess: async ({ document, id }, purchase) => {
      const { order, cartons } = purchase;
      if (document) {
        saveDocument(document, words.fileName(order.po_number));
        announce(words.readyFor(order.po_number));
        store.change(order.id, { made: { id, document, cartons: cartons.length }, key: undefined });
      } else store.change(order.id, { started: id ?? undefined, key: undefined });
      await settle([purchase]);
    },
    onError: (error, purchase) => fail(error, [purchase]),
  });
  const { mutate: buyAll } = useMutation({
    mutationFn: (purchases: readonly Purchase[]) =>
      call(createShipments, { body: { orders: purchases.map(toBody) }, realmId }),
    onSuccess: async ({ orders }, purchases) => {
      for (const { order_id, id, problem } of orders) {
        if (id === null) store.change(order_id, { failure: problem, isPending: undefined, key: undefined });
        else store.change(order_id, { started: id, key: undefined });
      }
      await settle(purchases);
    },
    onError: fail,
  });
  /** @returns the purchases; null after moving to the first order in which something typed is wrong */
  const begin = useCallback(
    async (orders: readonly OpenOrder[], reveal?: (orderId: string) => void): Promise<Purchase[] | null> => {
      const read = await Promise.all(orders.map((order) => readPurchase(order, store.read(order.id))));
      const wrong = orders.filter((_, at) => read[at] === null);
      const [first] = wrong;
      if (first) {
        store.changeAll(toIds(wrong.map((order) => ({ order }))), { isChecked: true });
        reveal?.(first.id);
        focusFault(first, typedCartons(first, store.read(first.id)));
        return null;
      }
      const purchases = read.filter((purchase) => purchase !== null);
      for (const { order, key } of purchases)
        store.change(order.id, { key, isPending: true, isSelected: undefined, failure: undefined });
      return purchases;
    },
    [store],
  );
  const generate = useCallback(
    async (order: OpenOrder) => {
      if (store.read(order.id).isPending) return;
      const [purchase] = (await begin([order])) ?? [];
      if (purchase) buyOne(purchase);
    },
    [store, begin, buyOne],
  );
  const generateAll = async (listed: readonly ListedOrder[], reveal: (orderId: string) => void) => {
    const purchases = await begin(
      listed.map(({ order }) => order),
      reveal,
    );
    if (!purchases) return;
    setBatch(toIds(purchases));
    buyAll(purchases);
  };
  return { generate, generateAll, batch, dismiss: () => setBatch(null) };
}

const toIds = (of: readonly { order: OpenOrder }[]) => of.map(({ order }) => order.id);

async function readPurchase(order: OpenOrder, local: LocalOrder): Promise<Purchase | null> {
  const read = await readPacked(order, local);
  return read && { order, ...read, key: local.key ?? newKey(), service: local.service };
}

/** The cartons of an order with what they hold, as they are sent; null while something typed is wrong. */
async function readPacked(
  order: OpenOrder,
  local: LocalOrder,
): Promise<Pick<Purchase, "cartons" | "cancels"> | null> {
  const sizes = readCartons(typedCartons(order, local));
  if (!sizes) return null;
  // One carton holds all that is left, unless the user says otherwise.
  if (sizes.length === 1 && !local.packing) return { cartons: sizes };
  const { packCartons } = await import("#features/shipping/web/carrier/rare-parts.ts");
  return packCartons(order, local.packing, sizes);
}

const toBody = ({ order, ...purchase }: Purchase) => ({
  order_id: order.id,
  shipment_number: order.next_shipment,
  ...purchase,
});

async function buy(realmId: string, purchase: Purchase): Promise<Answer> {
  const body = { po_number: purchase.order.po_number, ...toBody(purchase) };
  const document = await call(createShipment, { body, realmId });
  // Labels are a PDF, or commands for a thermal printer; a late answer is neither.
  if (!document.blob.type.startsWith("application/json")) return { document, id: document.of ?? null };
  const late = (await readErrorBody(document.blob)) as { id?: string };
  return { document: null, id: late.id ?? null };
}

/** A random UUID; browsers have `randomUUID` only on https and localhost. */
function newKey(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const hex = bytes.map((byte, at) =>
    (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, "0"),
  );
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
