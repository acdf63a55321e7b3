import type { Audited } from "#features/audit/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { AppError, conflict } from "#platform/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { openToken } from "#features/companies/connection-health/refresh-tokens.ts";
import type { Company } from "#features/companies/rules.ts";
import { changeConnection, lockConnection, type Connection } from "#features/companies/store-connections.ts";

/**
 * Ends our access to a company's books: revokes it at Intuit, then deletes the tokens. Work in progress finds no
 * authorization at its next step and waits for a new one. Disconnecting twice is harmless.
 * Subscriptions end with the paid period unless they are kept, also when the company then stays connected.
 * @param keptBy the user who keeps the subscriptions, null to end them
 * @param reason of an operator; the company's own admin gives none
 * @returns time of the disconnection and number of waiting uploads
 * @throws AppError 409 when another user pays for what is to be kept, 503 when Intuit or the payment provider cannot be reached: then the company is still connected
 */
export async function disconnectCompany(
  ctx: ConnectCtx & Audited,
  company: Company,
  { keptBy, reason }: { keptBy: string | null; reason?: string },
): Promise<{ at: Date; waitingUploads: number }> {
  if (keptBy !== null) await requirePayer(ctx, company.realmId, keptBy);
  // Runs first and outside the transaction: without a response from the payment provider the company stays connected.
  const ends = keptBy === null ? await ctx.endSubscriptions(company.realmId) : 0;
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

/** Lets no user's card be charged on by another's choice. */
async function requirePayer(ctx: ConnectCtx, realmId: string, userId: string): Promise<void> {
  const payerId = await ctx.findRenewingPayer(ctx.db, realmId);
  if (payerId !== null && payerId !== userId)
    throw conflict(
      "only_payer_keeps",
      "Another user pays for this company's services, and only they can keep its subscription. Choose to cancel it at the end of the paid period.",
    );
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
    // Intuit has refused it before: nothing is left to revoke, and its key may be gone for good.
    if (connection.state !== "connected") return;
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
