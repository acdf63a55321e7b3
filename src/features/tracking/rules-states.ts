import type { PackageState, Shown } from "#features/tracking/contract.ts";

/** The state of an invoice is the first of these that a package of it has: delivered only when all are. */
export const BY_NEED: readonly PackageState[] = [
  "exception",
  "attempted",
  "held",
  "returned",
  "not_found",
  "out_for_delivery",
  "in_transit",
  "label_created",
  "unknown",
  "ended",
  "delivered",
  "voided",
];

/** States that each filter shows. */
export const STATES_SHOWN: Record<Shown, readonly PackageState[]> = {
  all: BY_NEED,
  attention: ["exception", "attempted", "held", "returned"],
  moving: ["not_found", "out_for_delivery", "in_transit", "label_created", "unknown"],
  delivered: ["delivered"],
};
