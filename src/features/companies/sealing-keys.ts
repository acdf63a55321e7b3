import { seal, unseal, type SealingKeys, sealedWith } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  findKeyChecks,
  findUsedKeyIds,
  saveKeyCheck,
  changeConnection,
  findSealedByOtherKeys,
  lockConnection,
  type Connection,
} from "#features/companies/store-connections.ts";
import { endConnection } from "#features/companies/connection-health/mark-reconnect.ts";
import { openToken, type TokensCtx } from "#features/companies/connection-health/refresh-tokens.ts";

/** Keys needed for connections in use that are `missing`, or `replaced` by other keys with the same ids. */
export type KeyFault = { missing: string[]; replaced: string[] };

/**
 * Compares the keys of this process with the stored checks, and stores checks for later starts.
 * @param usedElsewhere ids of keys that other secrets need
 * @returns null if they open the tokens of every connection in use
 */
export async function verifySealingKeys(
  db: Db,
  keys: SealingKeys,
  usedElsewhere: readonly string[],
): Promise<KeyFault | null> {
  const used = new Set([...(await findUsedKeyIds(db)), ...usedElsewhere]);
  const checks = await findKeyChecks(db);
  const opens = ({ id, key }: SealingKeys[number]) => {
    const sealed = checks.get(id);
    try {
      return sealed === undefined || unseal([{ id, key }], PURPOSE, sealed) === CHECK;
    } catch {
      return false;
    }
  };
  const missing = [...used].filter((id) => !keys.some((key) => key.id === id));
  const replaced = keys.filter((key) => used.has(key.id) && !opens(key)).map(({ id }) => id);
  if (missing.length + replaced.length > 0) return { missing, replaced };
  for (const key of keys) {
    // An unused id may belong to a new key.
    if (!checks.has(key.id) || !opens(key)) await saveKeyCheck(db, key.id, seal([key], PURPOSE, CHECK));
  }
  return null;
}

const PURPOSE = "sealing key";
const CHECK = "opens";

/**
 * Seals the tokens of all connections in use with the first key, so that older keys can be removed. Several
 * processes can run it at once: each row is locked, and renewed rows are skipped.
 * @returns number of connections sealed again
 */
export async function renewSeals(ctx: TokensCtx): Promise<number> {
  let renewed = 0;
  for (const realmId of await findSealedByOtherKeys(ctx.db, ctx.sealingKeys[0]?.id ?? ""))
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
  // An access token that no key opens is replaced by the next refresh.
  await changeConnection(tx, realmId, {
    access_token_sealed: sealFor(access ?? ""),
    refresh_token_sealed: sealFor(refresh),
    ...(access === null ? { access_expires_at: ctx.clock.now() } : {}),
  });
  return 1;
}

/** Skips tokens sealed with an unknown key, which another process has just used and is newer. */
function needsRenewal({ sealingKeys }: TokensCtx, connection: Connection): boolean {
  const ids = [connection.access_token_sealed, connection.refresh_token_sealed].map(sealedWith);
  const isKnown = (id: string) => sealingKeys.some((key) => key.id === id);
  return ids.every(isKnown) && ids.some((id) => id !== sealingKeys[0]?.id);
}
