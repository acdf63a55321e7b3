export type { CarrierCtx } from "#features/carrier/ctx.ts";
export { carrierRoutes } from "#features/carrier/routes.ts";
export { carrierRuns, findLinkKeys, renewLinkSeals } from "#features/carrier/tokens.ts";
