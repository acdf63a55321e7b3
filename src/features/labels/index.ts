export type { LabelsCtx } from "#features/labels/ctx.ts";
export { labelRuns } from "#features/labels/uploads/make.ts";
export { KEPT_DOCUMENTS, LABEL_SLOTS } from "#features/labels/limits.ts";
export { labelsRoutes, labelTemplateRoute } from "#features/labels/routes.ts";
export { prepareDemoLabels } from "#features/labels/settings.ts";
export { measureSheets, removeOldUploads, removeOrphanSheets } from "#features/labels/uploads/upload.ts";
export { listForgottenSerials } from "#features/labels/serials.ts";
