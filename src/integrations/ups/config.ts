import type { Config } from "#platform/config/read-config.ts";
import type { BudgetRules } from "#platform/outbound/budget.ts";

/** UPS's address and our credentials. */
export type UpsConfig = NonNullable<Config["ups"]>;

/** Version of the API whose shapes we send. */
export const API_VERSION = "v2409";

/**
 * Calls of all companies: UPS counts the app. It publishes no limit; it was seen to refuse bursts. Polls of packages are
 * batches: they leave a quarter to the calls that users wait for.
 */
export const UPS_BUDGET: BudgetRules = {
  requestsPerMinute: 120,
  requestsPerSecond: 5,
  inFlight: 5,
  batchesPerMinute: 90,
};
