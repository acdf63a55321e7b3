import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import { deliverMessage } from "#features/programs/webhooks/deliver-message.ts";
import { deliverRun } from "#features/programs/webhooks/runs.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";

/** The runs of webhooks. */
export const webhookRuns = (ctx: WebhooksCtx): BoundRun[] => [bindRun(deliverRun, deliverMessage, ctx)];
