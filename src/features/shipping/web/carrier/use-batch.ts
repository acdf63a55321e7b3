import { type Carton, createShipments, type Pieces } from "#features/shipping/contract.ts";
import type { OrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { refreshOrders } from "#features/shipping/web/carrier/queries.ts";
import { firstFault } from "#features/shipping/web/carrier/rules-cartons.ts";
import type { Batch } from "#features/shipping/web/carrier/read-batch.ts";
import type { ListedOrder } from "#features/shipping/web/carrier/rules-orders.ts";
import { fieldId, focusField, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { newKey, readPacked } from "#features/shipping/web/carrier/use-generate.ts";
import { call } from "#web/kit/api-client.ts";
import { errorMessage, httpStatus } from "#web/kit/api-error.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type PurchaseRequest = {
  order_id: string;
  cartons: Carton[];
  key: string;
  shipment_number: number;
  service: string | undefined;
  cancels?: Pieces[];
};

/** Buys the labels of several orders with one call; each has its own outcome in the list. */
export function useBatch(realmId: string, store: OrderStore) {
  const queries = useQueryClient();
  const [batch, setBatch] = useState<Batch | null>(null);
  const { mutate } = useMutation({
    mutationFn: (asked: readonly PurchaseRequest[]) =>
      call(createShipments, {
        body: { orders: [...asked] },
        realmId,
      }),
    onSuccess: async ({ orders }, asked) => {
      for (const { order_id, id, problem } of orders) {
        if (id === null) store.change(order_id, { failure: problem, isPending: undefined, key: undefined });
        else store.change(order_id, { started: id, key: undefined });
      }
      await refreshOrders(queries, realmId);
      store.changeAll(toIds(asked), { isPending: undefined });
    },
    onError: async (error, asked) => {
      const status = httpStatus(error);
      const isRefused = status !== null && status < 500;
      store.changeAll(toIds(asked), {
        failure: errorMessage(error) ?? undefined,
        ...(isRefused ? { key: undefined } : {}),
      });
      await refreshOrders(queries, realmId);
      store.changeAll(toIds(asked), { isPending: undefined });
    },
  });
  const generate = async (orders: readonly ListedOrder[], reveal: (orderId: string) => void) => {
    const asked = await Promise.all(orders.map(({ order }) => readAsked(store, order)));
    const wrong = asked.findIndex((purchase) => purchase === null);
    const first = orders[wrong]?.order;
    if (first) {
      const fault = firstFault(typedCartons(first, store.read(first.id)));
      store.changeAll(
        orders.filter((_, at) => asked[at] === null).map(({ order }) => order.id),
        { isChecked: true },
      );
      reveal(first.id);
      if (fault) focusField(fieldId(first.id, fault.index, fault.field));
      return;
    }
    const whole = asked.filter((purchase) => purchase !== null);
    for (const { order_id, key } of whole)
      store.change(order_id, { key, isPending: true, isSelected: undefined, failure: undefined });
    setBatch(toIds(whole));
    mutate(whole);
  };
  const begin = (orders: readonly ListedOrder[], reveal: (orderId: string) => void) =>
    void generate(orders, reveal);
  return { batch, generate: begin, dismiss: () => setBatch(null) };
}

async function readAsked(store: OrderStore, order: ListedOrder["order"]): Promise<PurchaseRequest | null> {
  const local = store.read(order.id);
  const read = await readPacked(order, local);
  return (
    read && {
      order_id: order.id,
      ...read,
      key: local.key ?? newKey(),
      shipment_number: order.next_shipment,
      service: local.service,
    }
  );
}

const toIds = (asked: readonly PurchaseRequest[]) => asked.map(({ order_id }) => order_id);
