import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { auditBy } from "#features/audit/index.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { upsertUser } from "#features/identity/upsert-user.ts";
import type { SignInFailure, User } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-authorization.ts";
import { nameDevice } from "#features/identity/rules-devices.ts";
import { addSession, removeSession } from "#features/identity/store.ts";

type Options = {
  grant: IntuitGrant;
  oldSession: string | undefined;
  members: Record<Group, readonly string[]>;
  requestId: string;
  /** The header in which a browser names itself. */
  userAgent: string;
  /** What else a sign-in changes, in its transaction. */
  onSignIn: OnSignIn;
};

export type OnSignIn = (tx: Db, user: User) => Promise<void>;

/**
 * Signs a user in after Intuit vouched for them. The session id is always new and the browser's old session ends,
 * so that a planted cookie gains nothing.
 * @returns null when Intuit has not verified their e-mail
 */
export async function signInUser(
  ctx: SignInCtx,
  { grant, oldSession, members, requestId, userAgent, onSignIn }: Options,
): Promise<{ user: User; session: string } | null> {
  const user = await upsertUser(ctx, grant, members);
  if (!user) return null;
  const session = ctx.ids.secret();
  await ctx.db.transaction().execute(async (tx) => {
    const device = nameDevice(userAgent);
    await addSession(tx, { idHash: hashSecret(session), userId: user.id, device, now: ctx.clock.now() });
    if (oldSession) await removeSession(tx, hashSecret(oldSession));
    await onSignIn(tx, user);
    const { audit } = auditBy(ctx, { userId: user.id, realmId: null, requestId });
    await audit(tx, { action: "identity.sign_in" });
  });
  return { user, session };
}

/** Records a sign-in that was refused, or that did not complete; nobody knows who it was. */
export async function recordRefusal(
  ctx: SignInCtx,
  { reason, requestId }: { reason: SignInFailure; requestId: string },
): Promise<void> {
  const { audit } = auditBy(ctx, { userId: null, realmId: null, requestId });
  await audit(ctx.db, { action: "identity.sign_in_refused", after: { reason } });
}
