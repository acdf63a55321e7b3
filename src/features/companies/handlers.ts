import {
  keepConnectionsRun,
  refreshIdleConnections,
} from "#features/companies/connection-health/refresh-idle-connections.ts";
import type { TokensCtx } from "#features/companies/refresh-tokens.ts";
import type { WebhooksCtx } from "#features/companies/webhooks/ctx.ts";
import { deliverMessage } from "#features/companies/webhooks/deliver-message.ts";
import { deliverRun } from "#features/companies/webhooks/runs.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";

/** The runs of connections. */
export const connectionRuns = (ctx: TokensCtx): BoundRun[] => [
  bindRun(keepConnectionsRun, refreshIdleConnections, ctx),
];

/** The runs of webhooks. */
export const webhookRuns = (ctx: WebhooksCtx): BoundRun[] => [bindRun(deliverRun, deliverMessage, ctx)];
