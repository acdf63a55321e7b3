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

/** Patterns of delays of UPS, and of what it asks for, that JavaScript and PostgreSQL read alike. */
export const DELAYS = String.raw`(^|\W)(delay|weather(\W|$))`;
export const ASKS = String.raw`(^|\W)(action|address|contact|incorrect|missing)(\W|$)`;

/** Whether a problem is a delay of UPS's own, such as by weather: it ends without anyone, unless UPS asks for something. */
export const isDelay = (newest: Pick<Scan, "state" | "text"> | null | undefined): boolean =>
  newest?.state === "exception" &&
  new RegExp(DELAYS, "i").test(newest.text) &&
  !new RegExp(ASKS, "i").test(newest.text);
