import {
  keepConnectionsRun,
  refreshIdleConnections,
} from "#features/companies/connection-health/refresh-idle-connections.ts";
import type { TokensCtx } from "#features/companies/connection-health/refresh-tokens.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";

/** The runs of connections. */
export const connectionRuns = (ctx: TokensCtx): BoundRun[] => [
  bindRun(keepConnectionsRun, refreshIdleConnections, ctx),
];
