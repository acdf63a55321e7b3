import type { Ctx } from "#platform/ctx.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS, type User } from "#features/identity/rules.ts";
import { findSession as findStored, removeSession, touchSession } from "#features/identity/store.ts";

/** A living session: who it is and the company it last chose. */
export type Session = { idHash: Buffer; user: User; realmId: string | null };

/** Writing the time of each request would cost a write a poll; once a minute is exact enough for 12 h. */
const TOUCH_MS = 60_000;

/** Finds the living session of a cookie and notes that it is in use. An outlived one is removed and counts as none. */
export async function findSession(ctx: Ctx, secret: string | undefined): Promise<Session | null> {
  const session = await peekSession(ctx, secret);
  if (!session) return null;
  const now = ctx.clock.now();
  if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_MS)
    await touchSession(ctx.db, session.idHash, now);
  return session;
}

/** The same without noting use, for what goes on by itself while nobody is at the screen. */
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
