export { differenceRuns } from "#features/differences/compare-records.ts";
export type { DifferencesCtx } from "#features/differences/ctx.ts";
export { differenceRoutes } from "#features/differences/routes.ts";
