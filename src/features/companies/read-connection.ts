import { IntuitError } from "#integrations/intuit/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import type { Company } from "#features/companies/rules.ts";

/**
 * Asks Intuit whether it still honors a connection: what was ended in QuickBooks is known here only after a call. One that
 * it no longer honors is marked by that call. An outage says nothing of the connection.
 */
export async function readConnection(
  ctx: ConnectCtx,
  { realmId }: Company,
): Promise<"connected" | "reconnect_needed"> {
  try {
    await ctx.books(realmId).companyInfo();
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    if (error.kind === "reconnect") return "reconnect_needed";
    ctx.log.warn({ err: error, realm: realmId, tid: error.tid }, "Intuit was asked for a connection");
  }
  return "connected";
}
