import type { Audited } from "#features/audit/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { AppError } from "#platform/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { openToken } from "#features/companies/connection-health/refresh-tokens.ts";
import type { Company } from "#features/companies/rules.ts";
import { changeConnection, lockConnection, type Connection } from "#features/companies/store-connections.ts";

/**
 * Ends our access to a company's books: revokes it at Intuit, then deletes the tokens. Work in progress finds no
 * authorization at its next step and waits for a new one. Disconnecting twice is harmless.
 * Subscriptions end with the paid period unless they are kept, also when the company then stays connected.
 * @param reason of an operator; the company's own admin gives none
 * @returns time of the disconnection and number of waiting uploads
 * @throws AppError 503 when Intuit or the payment provider cannot be reached: then the company is still connected
 */
export async function disconnectCompany(
  ctx: ConnectCtx & Audited,
  company: Company,
  { keepSubscriptions, reason }: { keepSubscriptions: boolean; reason?: string },
): Promise<{ at: Date; waitingUploads: number }> {
  // Runs first and outside the transaction: without a response from the payment provider the company stays connected.
  const ends = keepSubscriptions ? 0 : await ctx.endSubscriptions(company.realmId);
  return ctx.db.transaction().execute(async (tx) => {
    const waitingUploads = await ctx.countOpenUploads(tx, company.realmId);
    // Locked during the call to Intuit, as in a refresh: a token renewed meanwhile would outlive the revocation.
    const connection = await lockConnection(tx, company.realmId);
    const now = ctx.clock.now();
    if (!connection || connection.state === "disconnected")
      return { at: connection?.updated_at ?? now, waitingUploads };
    await revoke(ctx, connection, ends);
    await changeConnection(tx, company.realmId, {
      state: "disconnected",
      access_token_sealed: "",
      refresh_token_sealed: "",
      updated_at: now,
    });
    await ctx.audit(tx, {
      action: "companies.disconnect",
      before: { state: connection.state },
      ...(reason === undefined ? {} : { after: { reason } }),
    });
    return { at: now, waitingUploads };
  });
}

async function revoke(ctx: ConnectCtx, connection: Connection, ends: number): Promise<void> {
  try {
    const token = openToken(ctx, connection, "refresh_token_sealed");
    // A token that can't be opened can't be revoked. It is dropped and expires at Intuit.
    if (token === null) return;
    await ctx.signIn.revoke(token);
  } catch (error) {
    // A token unknown to Intuit was already revoked, for example by a user in QuickBooks.
    if (error instanceof IntuitError && error.kind === "reconnect") return;
    if (!(error instanceof IntuitError)) throw error;
    throw new AppError({
      status: 503,
      code: "intuit_unavailable",
      detail: `QuickBooks didn't answer, so the company is still connected. Try again in a few minutes.${
        ends === 0 ? "" : " Its subscription is already canceled and ends with the paid period."
      }`,
      cause: error,
    });
  }
}
