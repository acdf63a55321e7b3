import type { CarrierCtx } from "#features/carrier/index.ts";

export type PackagesCtx = CarrierCtx & {
  /** Address for events of UPS; null where UPS can't reach it. */
  alertUrl: string | null;
  /** The client under which UPS gets a token here and sends events of whole accounts; null for events of packages only. */
  alertClient: { id: string; secret: string } | null;
};
