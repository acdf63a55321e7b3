import { type Carton, createShipments } from "#features/shipping/contract.ts";
import type { OrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { refreshOrders } from "#features/shipping/web/carrier/queries.ts";
import { firstFault } from "#features/shipping/web/carrier/rules-cartons.ts";
import type { Batch } from "#features/shipping/web/carrier/read-batch.ts";
import type { Kept } from "#features/shipping/web/carrier/rules-orders.ts";
import { fieldId, focusField, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { newKey, readPacked } from "#features/shipping/web/carrier/use-generate.ts";
import { call } from "#web/kit/api-client.ts";
import { errorMessage, httpStatus } from "#web/kit/api-error.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type PurchaseRequest = {
  po: string;
  order_id: string;
  cartons: Carton[];
  key: string;
  shipment_number: number;
  service: string | undefined;
};

/** Buys the labels of several orders with one call; each has its own outcome in the list. */
export function useBatch(realmId: string, store: OrderStore) {
  const queries = useQueryClient();
  const [batch, setBatch] = useState<Batch | null>(null);
  const { mutate } = useMutation({
    mutationFn: (asked: readonly PurchaseRequest[]) =>
      call(createShipments, {
        body: {
          orders: asked.map(({ po: _po, ...order }) => order),
        },
        realmId,
      }),
    onSuccess: async ({ orders }, asked) => {
      const poById = new Map(asked.map(({ order_id, po }) => [order_id, po]));
      for (const { order_id, id, problem } of orders) {
        const po = poById.get(order_id);
        if (po === undefined) continue;
        if (id === null) store.change(po, { failure: problem, isPending: undefined, key: undefined });
        else store.change(po, { begun: id, key: undefined });
      }
      await refreshOrders(queries, realmId);
      store.changeAll(toPos(asked), { isPending: undefined });
    },
    onError: async (error, asked) => {
      const status = httpStatus(error);
      const isRefused = status !== null && status < 500;
      store.changeAll(toPos(asked), {
        failure: errorMessage(error) ?? undefined,
        ...(isRefused ? { key: undefined } : {}),
      });
      await refreshOrders(queries, realmId);
      store.changeAll(toPos(asked), { isPending: undefined });
    },
  });
  const generate = async (orders: readonly Kept[], reveal: (po: string) => void) => {
    const asked = await Promise.all(orders.map(({ order }) => readAsked(store, order)));
    const wrong = asked.findIndex((purchase) => purchase === null);
    const first = orders[wrong]?.order;
    if (first) {
      const fault = firstFault(typedCartons(first, store.read(first.po_number)));
      store.changeAll(
        orders.filter((_, at) => asked[at] === null).map(({ order }) => order.po_number),
        { isChecked: true },
      );
      reveal(first.po_number);
      if (fault) focusField(fieldId(first.id, fault.index, fault.field));
      return;
    }
    const whole = asked.filter((purchase) => purchase !== null);
    for (const { po, key } of whole)
      store.change(po, { key, isPending: true, isSelected: undefined, failure: undefined });
    setBatch(toPos(whole));
    mutate(whole);
  };
  const begin = (orders: readonly Kept[], reveal: (po: string) => void) => void generate(orders, reveal);
  return { batch, generate: begin, dismiss: () => setBatch(null) };
}

async function readAsked(store: OrderStore, order: Kept["order"]): Promise<PurchaseRequest | null> {
  const local = store.read(order.po_number);
  const read = await readPacked(order, local);
  return (
    read && {
      po: order.po_number,
      order_id: order.id,
      cartons: read.cartons,
      key: local.key ?? newKey(),
      shipment_number: order.next_shipment,
      service: local.service,
    }
  );
}

const toPos = (asked: readonly { po: string }[]) => asked.map(({ po }) => po);
