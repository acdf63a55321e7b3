export { readShipmentLabels } from "#features/labels/carrier/files.ts";
export { compareLabels } from "#features/labels/carrier/compare-labels.ts";
export { continueLabels } from "#features/labels/carrier/promises.ts";
export type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
export { readLabelPapers, type LabelPapers } from "#features/labels/carrier/label-papers.ts";
export { prepareDemoShipping } from "#features/labels/carrier/settings.ts";
export { settleRuns } from "#features/labels/carrier/settle-packages.ts";
export {
  listCharges,
  listNumbersSince,
  measureCarrierLabels,
  type LabelCharge,
} from "#features/labels/carrier/store.ts";
export { shippingRoutes } from "#features/labels/carrier/routes.ts";
export { shipPolicy, shipRuns } from "#features/labels/carrier/ship-run.ts";
export type { LabelsCtx } from "#features/labels/ctx.ts";
export { labelRuns } from "#features/labels/handlers.ts";
export { KEPT_DOCUMENTS, LABEL_SLOTS } from "#features/labels/limits.ts";
export { labelsRoutes, labelTemplateRoute } from "#features/labels/routes.ts";
export { prepareDemoLabels } from "#features/labels/settings.ts";
export { measureSheets, removeOldUploads, removeOrphanSheets } from "#features/labels/uploads/upload.ts";
