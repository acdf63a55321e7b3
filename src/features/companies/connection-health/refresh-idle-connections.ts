import { IntuitError } from "#integrations/intuit/errors.ts";
import {
  findContacts,
  findEnding,
  findIdleConnections,
} from "#features/companies/connection-health/store.ts";
import { createTokenSource, type TokensCtx } from "#features/companies/connection-health/refresh-tokens.ts";
import { IDLE_MARGIN_MS, KEEP_ALIVE_AFTER_MS, WARN_BEFORE_END_MS } from "#features/companies/rules.ts";
import { changeConnection, lockConnection } from "#features/companies/store-connections.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const keepConnectionsRun = defineRun({
  kind: "companies.keep-connections",
  lane: () => "companies:connections",
  every: "day",
  at: "04:41",
});

/** The runs of connections. */
export const connectionRuns = (ctx: TokensCtx): BoundRun[] => [
  bindRun(keepConnectionsRun, refreshIdleConnections, ctx),
];

/**
 * Keeps unused connections alive: Intuit ends one after 100 days without a refresh. Finds ended
 * ones before a user needs them, and announces each approaching hard end once.
 */
async function refreshIdleConnections(ctx: TokensCtx, { run, stop }: RunWork): Promise<Ending> {
  const now = ctx.clock.now().getTime();
  const tokens = createTokenSource(ctx);
  const idle = await findIdleConnections(ctx.db, {
    refreshedBefore: new Date(now - KEEP_ALIVE_AFTER_MS),
    endsBefore: new Date(now + IDLE_MARGIN_MS),
    hardEnd: new Date(now),
  });
  let failed = 0;
  for (const realmId of idle) {
    if (stop.aborted) return { state: "queued" };
    try {
      await tokens.current(realmId);
    } catch (error) {
      if (!(error instanceof IntuitError)) throw error;
      // An ended one is marked by now; any other failure is retried tomorrow.
      if (error.kind !== "reconnect") failed += 1;
      ctx.log.warn(
        { err: error, realm: realmId, tid: error.tid },
        "An idle connection could not be refreshed",
      );
    }
    run.noteProgress?.();
  }
  for (const realmId of await findEnding(ctx.db, new Date(now + WARN_BEFORE_END_MS)))
    await announceEnd(ctx, realmId);
  if (idle.length > 0) ctx.log.info({ idle: idle.length, failed }, "Idle connections were refreshed");
  return { state: "done" };
}

async function announceEnd(ctx: TokensCtx, realmId: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const connection = await lockConnection(tx, realmId);
    const end = connection?.hard_ends_at;
    if (!end || connection.state !== "connected" || connection.end_announced_at) return;
    await changeConnection(tx, realmId, { end_announced_at: ctx.clock.now() });
    const { company, timeZone, recipients } = await findContacts(tx, realmId);
    const day = dayIn(timeZone)(end);
    for (const recipient of recipients)
      await ctx.notify(tx, { kind: "connection_expires", realmId, recipient, params: { company, day } });
  });
}
