import { IntuitError } from "#integrations/intuit/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import type { Company } from "#features/companies/rules.ts";

/** Limit for the user's wait; the call itself is retried during an outage. */
const PATIENCE_MS = 3_000;

/**
 * Asks Intuit whether a connection is still valid, since a disconnection in QuickBooks shows only in a call. That call
 * marks an invalid connection, even if its answer comes after the limit.
 */
export async function readConnection(
  ctx: ConnectCtx,
  company: Company,
): Promise<"connected" | "reconnect_needed" | "unknown"> {
  const waiting = new AbortController();
  const late = ctx.clock.sleep(PATIENCE_MS, waiting.signal).then(() => "unknown" as const);
  try {
    return await Promise.race([ask(ctx, company), late]);
  } finally {
    waiting.abort();
  }
}

async function ask(ctx: ConnectCtx, { realmId }: Company) {
  try {
    await ctx.books(realmId).companyInfo();
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    if (error.kind === "reconnect") return "reconnect_needed" as const;
    ctx.log.warn({ err: error, realm: realmId, tid: error.tid }, "Intuit was asked for a connection");
    return "unknown" as const;
  }
  return "connected" as const;
}
