export type { BillingCtx } from "#features/billing/ctx.ts";
export { compareSubscriptions } from "#features/billing/compare-subscriptions.ts";
export { billingRuns } from "#features/billing/events.ts";
export { findRenewingPayer } from "#features/billing/store-accounts.ts";
export { scheduleEnds } from "#features/billing/change-payer.ts";
export { createBillingTurns } from "#features/billing/take-turns.ts";
export { billingRoutes, WEBHOOK_PATH } from "#features/billing/routes.ts";
export { type TrackingPrice, watchPrices } from "#features/billing/prices.ts";
export { replayEvent } from "#features/billing/events.ts";
