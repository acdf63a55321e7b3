import type { OpenOrder } from "#features/labels/carrier/contract.ts";
import type { LocalOrder } from "#features/labels/web/carrier/order-store.ts";
import {
  type CartonField,
  type CartonText,
  firstFault,
  newCarton,
  toText,
} from "#features/labels/web/carrier/rules-cartons.ts";

/** Always the same, so that an unchanged order is not drawn again. */
const FIRST: readonly CartonText[] = [newCarton()];

/** The cartons of an order as typed; before that those of labels that failed, or a new one. */
export function typedCartons({ labels }: OpenOrder, { cartons }: LocalOrder): readonly CartonText[] {
  return cartons ?? labels?.cartons.map(toText) ?? FIRST;
}

/** Id of a field, by which focus finds it. */
export const fieldId = (orderId: string, index: number, field: CartonField) =>
  `carton-${orderId}-${index}-${field}`;

/** Moves focus to the first wrong field of an order. */
export function focusFault(order: OpenOrder, cartons: readonly CartonText[]): void {
  const fault = firstFault(cartons);
  if (fault) focusField(fieldId(order.id, fault.index, fault.field));
}

/** Moves focus to a field once it is drawn. */
export function focusField(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
