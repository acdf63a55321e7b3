import { BY_NEED } from "#features/packages/index.ts";
import type { PackageState } from "#features/packages/contract.ts";
import type { Shown } from "#features/tracking/contract.ts";

/** States that a filter shows; of those without a proof it shows only some. */
export const STATES_SHOWN: Record<Shown, readonly PackageState[]> = {
  all: BY_NEED,
  attention: ["exception", "attempted", "held", "returned"],
  moving: ["not_found", "out_for_delivery", "in_transit", "label_created", "unknown"],
  delivered: ["delivered"],
  without_proof: ["delivered"],
};
