import type { TokenSource } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { TokenSet } from "#integrations/intuit/sign-in.ts";
import type { SignInCtx } from "#features/identity/index.ts";
import { seal, unseal, UnreadableSecret, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { endConnection, type CareCtx } from "#features/companies/connection-health/mark-reconnect.ts";
import { RENEW_BEFORE_MS } from "#features/companies/rules.ts";
import {
  changeConnection,
  findConnection,
  lockConnection,
  type Connection,
} from "#features/companies/store-connections.ts";

export type TokensCtx = SignInCtx & CareCtx & { sealingKeys: SealingKeys };

/**
 * Provides access tokens of connected companies. Concurrent callers cause one refresh: callers in this process share one
 * promise, other processes wait for the row lock and then find the new pair.
 */
export function createTokenSource(ctx: TokensCtx): TokenSource {
  const running = new Map<string, Promise<string>>();
  const renew = (realmId: string, rejected: string | null): Promise<string> => {
    const already = running.get(realmId);
    if (already) return already;
    const renewal = refreshUnderLock(ctx, realmId, rejected).finally(() => running.delete(realmId));
    running.set(realmId, renewal);
    return renewal;
  };
  return {
    current: async (realmId) => {
      const connection = usable(await findConnection(ctx.db, realmId), realmId);
      const token = isFresh(ctx, connection) ? openToken(ctx, connection, "access_token_sealed") : null;
      return token ?? renew(realmId, null);
    },
    renew,
  };
}

/**
 * The vendor is called while the row is locked, against our own rule for transactions, because a second refresh with
 * the same token makes Intuit revoke both pairs. The new pair is stored before anyone may use it.
 */
async function refreshUnderLock(ctx: TokensCtx, realmId: string, rejected: string | null): Promise<string> {
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const connection = usable(await lockConnection(tx, realmId), realmId);
    const accessToken = openToken(ctx, connection, "access_token_sealed");
    const renewedMeanwhile = rejected === null ? isFresh(ctx, connection) : accessToken !== rejected;
    if (accessToken !== null && renewedMeanwhile) return { accessToken };
    try {
      const refreshToken = openToken(ctx, connection, "refresh_token_sealed");
      if (refreshToken === null) throw reconnectNeeded(realmId);
      const tokens = await ctx.signIn.refresh(refreshToken);
      await changeConnection(tx, realmId, {
        ...sealTokens(ctx.sealingKeys, connection.id, tokens),
        ...connectionEnds(tokens, connection),
        refreshed_at: ctx.clock.now(),
        updated_at: ctx.clock.now(),
      });
      return { accessToken: tokens.accessToken };
    } catch (error) {
      if (!(error instanceof IntuitError && error.kind === "reconnect")) throw readFailure(ctx, error);
      await endConnection(ctx, tx, connection);
      return { refused: error };
    }
  });
  if ("refused" in outcome) throw outcome.refused;
  return outcome.accessToken;
}

/**
 * Treats refused app keys like an outage, because no company caused it: nothing is sent, and work waits until they are
 * corrected.
 */
function readFailure({ log }: TokensCtx, error: unknown): unknown {
  if (!(error instanceof IntuitError && error.kind === "bug")) return error;
  log.error({ err: error, tid: error.tid }, "Intuit refuses the keys of this application");
  const message = "Intuit refused to renew the tokens with the keys of this application";
  return new IntuitError({ kind: "network", http: error.http, tid: error.tid, message, cause: error });
}

/** Finds the id of a company's current authorization; reconnecting makes a new one. */
export async function findGrant(db: Db, realmId: string): Promise<string | null> {
  return (await findConnection(db, realmId))?.id ?? null;
}

/** End times of a connection; times missing in the answer keep their known value. */
export const connectionEnds = (
  tokens: TokenSet,
  known: Pick<Connection, "idle_ends_at" | "hard_ends_at"> = { idle_ends_at: null, hard_ends_at: null },
) => ({
  idle_ends_at: tokens.idleEndsAt ?? known.idle_ends_at,
  hard_ends_at: tokens.hardEndsAt ?? known.hard_ends_at,
});

/** Token columns of a connection, sealed for this connection only. */
export function sealTokens(keys: SealingKeys, connectionId: string, tokens: TokenSet) {
  return {
    access_token_sealed: seal(keys, connectionId, tokens.accessToken),
    access_expires_at: tokens.accessExpiresAt,
    refresh_token_sealed: seal(keys, connectionId, tokens.refreshToken),
  };
}

/**
 * Opens a token of a connection; null if no key can open it.
 * @throws IntuitError of kind `system` when only this process lacks the key: another process may have a newer one
 */
export function openToken(
  ctx: TokensCtx,
  connection: Connection,
  column: "access_token_sealed" | "refresh_token_sealed",
): string | null {
  try {
    return unseal(ctx.sealingKeys, connection.id, connection[column]);
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    ctx.log.error({ err: error, realm: connection.realm_id }, "A stored token cannot be opened");
    if (error.reason === "altered") return null;
    throw new IntuitError({ kind: "system", message: "This process lacks the key of a stored token." });
  }
}

const isFresh = (ctx: TokensCtx, connection: Connection) =>
  connection.access_expires_at.getTime() - ctx.clock.now().getTime() > RENEW_BEFORE_MS;

function usable(connection: Connection | undefined, realmId: string): Connection {
  if (connection?.state === "connected") return connection;
  throw reconnectNeeded(realmId);
}

const reconnectNeeded = (realmId: string) =>
  new IntuitError({ kind: "reconnect", message: `Company ${realmId} must be connected again.` });
