import { BY_NEED } from "#features/packages/index.ts";
import type { PackageState, Scan } from "#features/packages/contract.ts";
import type { Shown } from "#features/tracking/contract.ts";

/** States that a filter shows; of those without a proof it shows only some. */
export const STATES_SHOWN: Record<Shown, readonly PackageState[]> = {
  all: BY_NEED,
  attention: ["exception", "attempted", "held", "returned"],
  moving: ["not_found", "out_for_delivery", "in_transit", "label_created", "unknown"],
  delivered: ["delivered"],
  without_proof: ["delivered"],
};

/** Whether a problem is a delay of UPS's own, such as by weather: it ends without anyone, unless UPS asks for something. */
export const isDelay = (newest: Pick<Scan, "state" | "text"> | null | undefined): boolean =>
  newest?.state === "exception" &&
  /\bdelay|\bweather\b/i.test(newest.text) &&
  !/\b(?:action|address|contact|incorrect|missing)\b/i.test(newest.text);
