export type { CarrierCtx } from "#features/carrier/ctx.ts";
export { linkAccount, stopAlerts } from "#features/carrier/link-account.ts";
export { carrierRoutes } from "#features/carrier/routes.ts";
export { changeLink, findAppFault, findLink, findUnalerted, removeLink } from "#features/carrier/store.ts";
export { callUps, carrierRuns, findLinkKeys, renewLinkSeals } from "#features/carrier/tokens.ts";
