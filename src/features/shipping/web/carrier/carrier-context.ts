import type { OpenOrder, OpenOrders } from "#features/shipping/contract.ts";
import { createContext, use } from "react";

/** Facts and actions that all orders of the tab share. */
export type Carrier = {
  realmId: string;
  /** Why no labels can be made now; null when they can. */
  blocked: string | null;
  presets: OpenOrders["presets"];
  services: OpenOrders["services"];
  /** The company's day, YYYY-MM-DD. */
  today: string;
  generate: (order: OpenOrder) => void;
  openSettings: () => void;
};

export const CarrierContext = createContext<Carrier | null>(null);

export function useCarrier(): Carrier {
  const carrier = use(CarrierContext);
  if (!carrier) throw new Error("No carrier tab around this component.");
  return carrier;
}
