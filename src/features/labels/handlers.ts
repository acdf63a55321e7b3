import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { labelsRun } from "#features/labels/runs.ts";
import { runLabels } from "#features/labels/uploads/make.ts";

export const labelRuns = (ctx: LabelsCtx): BoundRun[] => [bindRun(labelsRun, runLabels, ctx)];
