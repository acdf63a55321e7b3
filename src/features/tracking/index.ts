export { inboxRuns, removeOldInbox } from "#features/tracking/inbox.ts";
export { compareFiles } from "#features/tracking/compare-files.ts";
export { linkInvoice } from "#features/tracking/link-invoice.ts";
export type { TrackingCtx } from "#features/tracking/ctx.ts";
export { ALERT_PATH, CHANGES_PATH, trackingRoutes } from "#features/tracking/routes.ts";
export { startRuns, trackingRuns } from "#features/tracking/watch.ts";
export { takePosted } from "#features/tracking/take-posted.ts";
export { watchChanges } from "#features/tracking/watch.ts";
export { measureProofs } from "#features/tracking/store-packages.ts";
