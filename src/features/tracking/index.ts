export type { TrackingCtx } from "#features/tracking/ctx.ts";
export { trackingRoutes } from "#features/tracking/routes.ts";
