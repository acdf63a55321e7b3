import type { Config } from "#platform/config/read-config.ts";
import type { BudgetRules } from "#platform/outbound/budget.ts";

/** UPS's address and our credentials. */
export type UpsConfig = NonNullable<Config["ups"]>;

/** Version of the API whose shapes we send. */
export const API_VERSION = "v2409";

/** Calls to Track of all companies. UPS publishes no limit; it was seen to refuse bursts. */
export const UPS_BUDGET: BudgetRules = {
  requestsPerMinute: 120,
  requestsPerSecond: 2,
  inFlight: 2,
  batchesPerMinute: 1,
};
