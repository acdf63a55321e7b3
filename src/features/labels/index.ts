export type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
export { shippingRoutes } from "#features/labels/carrier/routes.ts";
export { shipPolicy, shipRuns } from "#features/labels/carrier/ship-run.ts";
export type { LabelsCtx } from "#features/labels/ctx.ts";
export { labelRuns } from "#features/labels/handlers.ts";
export { KEPT_DOCUMENTS, LABEL_SLOTS } from "#features/labels/limits.ts";
export { labelsRoutes, labelTemplateRoute } from "#features/labels/routes.ts";
export { prepareDemoLabels } from "#features/labels/settings.ts";
export { removeOldUploads, removeOrphanSheets } from "#features/labels/uploads/upload.ts";
