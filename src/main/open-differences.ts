import { compareSubscriptions, type BillingCtx } from "#features/billing/index.ts";
import type { DifferencesCtx } from "#features/differences/index.ts";
import { compareLabels } from "#features/shipping/index.ts";
import { compareFiles, type TrackingCtx } from "#features/tracking/index.ts";

/** Wires up the comparisons of our records with each vendor's. */
export const openDifferences = (billing: BillingCtx, tracking: TrackingCtx): DifferencesCtx => ({
  ...billing,
  compare: {
    ups: (realmId) => compareLabels(tracking, realmId),
    stripe: (realmId) => compareSubscriptions(billing, realmId),
    quickbooks: (realmId) => compareFiles(tracking, realmId),
  },
});
