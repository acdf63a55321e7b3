export type { LabelsCtx } from "#features/labels/ctx.ts";
export { MAKING } from "#features/labels/limits.ts";
export { labelsRoutes, labelTemplateRoute } from "#features/labels/routes.ts";
export { prepareDemoLabels } from "#features/labels/settings/prepare-demo.ts";
