import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { labelsRun } from "#features/labels/requests/jobs.ts";
import { runRequest } from "#features/labels/requests/run-request.ts";

/** What is done for each kind of run of the labels. */
export const labelRuns = (ctx: LabelsCtx): BoundRun[] => [bindRun(labelsRun, runRequest, ctx)];
