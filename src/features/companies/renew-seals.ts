import { seal, sealedWith } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { endConnection } from "#features/companies/care/mark-reconnect.ts";
import { openToken, type TokensCtx } from "#features/companies/refresh-tokens.ts";
import {
  changeConnection,
  findSealedByOthers,
  lockConnection,
  type Connection,
} from "#features/companies/store-connections.ts";

/**
 * Seals the tokens of all connections in use with the first key, so that older keys can be taken away. Any number of
 * processes may do it at once: each row is locked, and one that is renewed already is left alone.
 * @returns how many connections it sealed again
 */
export async function renewSeals(ctx: TokensCtx): Promise<number> {
  let renewed = 0;
  for (const realmId of await findSealedByOthers(ctx.db, ctx.sealingKeys[0]?.id ?? ""))
    renewed += await ctx.db.transaction().execute((tx) => renewOne(ctx, tx, realmId));
  return renewed;
}

async function renewOne(ctx: TokensCtx, tx: Db, realmId: string): Promise<number> {
  const connection = await lockConnection(tx, realmId);
  if (connection?.state !== "connected" || !needsRenewal(ctx, connection)) return 0;
  const access = openToken(ctx, connection, "access_token_sealed");
  const refresh = openToken(ctx, connection, "refresh_token_sealed");
  if (refresh === null) {
    await endConnection(ctx, tx, connection);
    return 0;
  }
  const sealFor = (token: string) => seal(ctx.sealingKeys, connection.id, token);
  // An access token that nobody can open is replaced by the next refresh.
  await changeConnection(tx, realmId, {
    access_token_sealed: sealFor(access ?? ""),
    refresh_token_sealed: sealFor(refresh),
    ...(access === null ? { access_expires_at: ctx.clock.now() } : {}),
  });
  return 1;
}

/** A key that this process lacks is a newer one, with which another process has just sealed. */
function needsRenewal({ sealingKeys }: TokensCtx, connection: Connection): boolean {
  const ids = [connection.access_token_sealed, connection.refresh_token_sealed].map(sealedWith);
  const isKnown = (id: string) => sealingKeys.some((key) => key.id === id);
  return ids.every(isKnown) && ids.some((id) => id !== sealingKeys[0]?.id);
}
