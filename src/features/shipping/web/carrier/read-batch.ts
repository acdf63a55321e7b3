import type { OrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { type ListedOrder, readState } from "#features/shipping/web/carrier/rules-orders.ts";
import { typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";

/** Ids of the orders whose labels were asked for together. */
export type Batch = readonly string[];

/** Outcomes of a batch: purchases to print in the order shown, and what is left to do. */
export function readBatch(batch: Batch, shown: readonly ListedOrder[], store: OrderStore) {
  const own = new Set(batch);
  const members = shown.filter(({ order }) => own.has(order.id));
  const states = members.map((each) => readState(each, store.read(each.order.id)));
  const made = members.filter((_, at) => states[at] === "made");
  const making = states.filter((state) => state === "making").length;
  return {
    made: made.length,
    making,
    all: members.length,
    /** Those that need a user. */
    attention: members
      .filter((_, at) => states[at] !== "made" && states[at] !== "making")
      .map(({ order }) => order),
    ids: made.flatMap(({ order }) => order.labels?.id ?? store.read(order.id).started ?? []),
    hasSlips: !made.some(({ order }) => order.labels?.label_file?.endsWith(".zpl")),
    labels: made.reduce(
      (sum, { order }) => sum + typedCartons(order, order.labels ? {} : store.read(order.id)).length,
      0,
    ),
  };
}
