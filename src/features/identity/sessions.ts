import type { Ctx } from "#platform/ctx.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS, type User } from "#features/identity/rules.ts";
import { findSession as findStored, removeSession, touchSession } from "#features/identity/store.ts";
import { auditBy } from "#features/audit/index.ts";

/** A live session: its user and the company chosen last. */
export type Session = { idHash: Buffer; user: User; realmId: string | null };

/** Last use is stored once a minute, exact enough for 12 h, to save a write per poll. */
const TOUCH_MS = 60_000;

/** Finds the live session of a cookie and updates its last use. Removes an expired one. */
export async function findSession(ctx: Ctx, secret: string | undefined): Promise<Session | null> {
  const session = await peekSession(ctx, secret);
  if (!session) return null;
  const now = ctx.clock.now();
  if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_MS)
    await touchSession(ctx.db, session.idHash, now);
  return session;
}

/** Does the same without updating last use, for background requests. */
export async function peekSession(ctx: Ctx, secret: string | undefined) {
  if (!secret) return null;
  const idHash = hashSecret(secret);
  const stored = await findStored(ctx.db, idHash);
  if (!stored) return null;
  const { realmId, createdAt, lastSeenAt, ...user } = stored;
  const now = ctx.clock.now().getTime();
  if (now - lastSeenAt.getTime() > SESSION_IDLE_MS || now - createdAt.getTime() > SESSION_LIFE_MS) {
    await removeSession(ctx.db, idHash);
    return null;
  }
  return { idHash, user, realmId, lastSeenAt };
}

/** Names the session that a browser claims, for limits, without its secret. */
export const sessionOfLimits = (secret: string): string => hashSecret(secret).toString("base64");

/** Ends the session of a browser; harmless if it has already ended. */
export async function signOut(
  ctx: Ctx,
  { secret, requestId }: { secret: string; requestId: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const userId = await removeSession(tx, hashSecret(secret));
    if (userId === null) return;
    await auditBy(ctx, { userId, realmId: null, requestId }).audit(tx, { action: "identity.sign_out" });
  });
}
