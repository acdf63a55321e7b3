import { type Carton, createShipment, type OpenOrder, type Pieces } from "#features/shipping/contract.ts";
import type { LocalOrder, OrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { focusFault, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { refreshOrders } from "#features/shipping/web/carrier/queries.ts";
import { readCartons } from "#features/shipping/web/carrier/rules-cartons.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { errorMessage, httpStatus, readErrorBody } from "#web/kit/api-error.ts";
import { saveDocument } from "#web/kit/documents.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

type PurchaseRequest = {
  order: OpenOrder;
  cartons: Carton[];
  key: string;
  service: string | undefined;
  /** Pieces that the cartons leave behind, and that the user cancels. */
  cancels?: Pieces[];
};
type Answer = { document: ReceivedDocument | null; id: string | null };

/** Buys the labels of one order. The same key is sent until the outcome is known, so that a repeat buys nothing twice. */
export function useGenerate(realmId: string, store: OrderStore) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { mutate } = useMutation({
    mutationFn: (asked: PurchaseRequest) => buy(realmId, asked),
    onSuccess: async ({ document, id }, { order, cartons }) => {
      if (document) {
        saveDocument(document, words.fileName(order.po_number));
        announce(words.readyFor(order.po_number));
        store.change(order.id, { made: { id, document, cartons: cartons.length }, key: undefined });
      } else store.change(order.id, { started: id ?? undefined, key: undefined });
      await refreshOrders(queries, realmId);
      store.change(order.id, { isPending: undefined });
    },
    onError: async (error, { order }) => {
      const status = httpStatus(error);
      // Without an answer of ours labels may have been made: the key stays.
      const isRefused = status !== null && status < 500;
      store.change(order.id, {
        failure: errorMessage(error) ?? undefined,
        ...(isRefused ? { key: undefined } : {}),
      });
      await refreshOrders(queries, realmId);
      store.change(order.id, { isPending: undefined });
    },
  });
  const generate = useCallback(
    async (order: OpenOrder) => {
      const local = store.read(order.id);
      if (local.isPending) return;
      const read = await readPacked(order, local);
      if (!read) {
        store.change(order.id, { isChecked: true });
        focusFault(order, typedCartons(order, local));
        return;
      }
      const key = local.key ?? newKey();
      store.change(order.id, { key, isPending: true, isSelected: undefined, failure: undefined });
      mutate({ order, ...read, key, service: local.service });
    },
    [store, mutate],
  );
  return useCallback((order: OpenOrder) => void generate(order), [generate]);
}

/** The cartons of an order with what they hold, as they are sent; null while something typed is wrong. */
export async function readPacked(
  order: OpenOrder,
  local: LocalOrder,
): Promise<Pick<PurchaseRequest, "cartons" | "cancels"> | null> {
  const sizes = readCartons(typedCartons(order, local));
  if (!sizes) return null;
  // One carton holds all that is left, unless the user says otherwise.
  if (sizes.length === 1 && !local.packing) return { cartons: sizes };
  const { packCartons } = await import("#features/shipping/web/carrier/rare-parts.ts");
  return packCartons(order, local.packing, sizes);
}

async function buy(realmId: string, { order, ...purchase }: PurchaseRequest): Promise<Answer> {
  const body = {
    po_number: order.po_number,
    order_id: order.id,
    shipment_number: order.next_shipment,
    ...purchase,
  };
  const document = await call(createShipment, { body, realmId });
  // Labels are a PDF, or commands for a thermal printer; a late answer is neither.
  if (!document.blob.type.startsWith("application/json")) return { document, id: document.of ?? null };
  const late = (await readErrorBody(document.blob)) as { id?: string };
  return { document: null, id: late.id ?? null };
}

/** A random UUID; browsers have `randomUUID` only on https and localhost. */
export function newKey(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const hex = bytes.map((byte, at) =>
    (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, "0"),
  );
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
