import type { CarrierCtx } from "#features/carrier/index.ts";

export type PackagesCtx = CarrierCtx & {
  /** Address for events of UPS; null where UPS can't reach it. */
  alertUrl: string | null;
};
