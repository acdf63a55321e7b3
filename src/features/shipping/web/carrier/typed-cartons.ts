import type { CartonSize, OpenOrder } from "#features/shipping/contract.ts";
import type { LocalOrder } from "#features/shipping/web/carrier/order-store.ts";
import {
  type CartonField,
  type CartonText,
  checkCarton,
  firstFault,
  newCarton,
  toText,
} from "#features/shipping/web/shipment/rules-cartons.ts";

/** Always the same, so that an unchanged order is not drawn again. */
const FIRST: readonly CartonText[] = [newCarton()];

/** Typed texts for each list of cartons that the server sent, likewise. */
const TEXTS = new WeakMap<readonly CartonSize[], readonly CartonText[]>();

function toTexts(cartons: readonly CartonSize[]): readonly CartonText[] {
  const texts = TEXTS.get(cartons) ?? cartons.map(toText);
  TEXTS.set(cartons, texts);
  return texts;
}

/** The cartons of an order as typed; before that those of labels that failed, of the last order of the same items, or a new one. */
export function typedCartons(
  { labels, last_cartons: last }: OpenOrder,
  { cartons }: LocalOrder,
): readonly CartonText[] {
  const sent = labels?.cartons ?? last;
  return cartons ?? (sent ? toTexts(sent) : FIRST);
}

/** Whether the cartons shown are those of the last order of the same items. */
export const isAsLastTime = ({ labels, last_cartons: last }: OpenOrder, { cartons }: LocalOrder): boolean =>
  cartons === undefined && labels === null && last !== null;

/** Id of a field, by which focus finds it. */
export const fieldId = (orderId: string, index: number, field: CartonField) =>
  `carton-${orderId}-${index}-${field}`;

/** Moves focus to the first wrong field of an order. */
export function focusFault(order: OpenOrder, cartons: readonly CartonText[]): void {
  const fault = firstFault(cartons);
  if (fault) focusField(fieldId(order.id, fault.index, fault.field));
}

/**
 * Moves focus to a field once it is drawn, and selects its text, so that typing replaces it. In an order whose cartons are
 * locked, the next step takes it.
 */
export function focusField(id: string): void {
  requestAnimationFrame(() => {
    const field = document.getElementById(id);
    const step = field?.matches(":disabled")
      ? field.closest("article")?.querySelector<HTMLElement>("[data-band] :is(button:not(:disabled), a)")
      : field;
    step?.focus();
    if (field instanceof HTMLInputElement) field.select();
  });
}

/** Moves focus to the weight of the first carton that has none, else of the first. */
export function focusWeight(order: OpenOrder, cartons: readonly CartonText[]): void {
  const unweighed = cartons.findIndex((carton) => checkCarton(carton).weight !== undefined);
  focusField(fieldId(order.id, Math.max(0, unweighed), "weight"));
}
