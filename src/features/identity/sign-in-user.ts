import { type Group, GROUPS } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { auditBy } from "#features/audit/index.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { foldEmail, isPlainEmail } from "#platform/email.ts";
import { type SignInFailure, type User, configuredGroups } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/authorization.ts";
import { nameDevice } from "#features/identity/devices.ts";
import { addSession, removeSession, saveUser, withdrawGroup } from "#features/identity/store.ts";
import type { Ctx } from "#platform/ctx.ts";

type Options = {
  grant: IntuitGrant;
  oldSession: string | undefined;
  members: Record<Group, readonly string[]>;
  requestId: string;
  /** User-Agent header. */
  userAgent: string;
  findDefaultCompany(user: User): Promise<string | null>;
};

/**
 * Signs a user in after Intuit authenticated them. The session id is always new and the browser's old session ends, so
 * that a planted cookie gains nothing.
 * @returns the user and the session's secret, or the reason for the refusal
 */
export async function signInUser(
  ctx: SignInCtx,
  { grant, oldSession, members, requestId, userAgent, findDefaultCompany }: Options,
): Promise<{ user: User; session: string } | { failure: SignInFailure }> {
  const result = await upsertUser(ctx, grant, members);
  if ("failure" in result) return result;
  const { user } = result;
  const session = ctx.ids.secret();
  const realmId = await findDefaultCompany(user);
  await ctx.db.transaction().execute(async (tx) => {
    const device = nameDevice(userAgent);
    const now = ctx.clock.now();
    await addSession(tx, { idHash: hashSecret(session), userId: user.id, realmId, device, now });
    if (oldSession) await removeSession(tx, hashSecret(oldSession));
    const { audit } = auditBy(ctx, { userId: user.id, realmId: null, requestId });
    await audit(tx, { action: "identity.sign_in" });
  });
  return { user, session };
}

/** Records a failed sign-in, without a user. */
export async function recordRefusal(
  ctx: SignInCtx,
  { reason, requestId }: { reason: SignInFailure; requestId: string },
): Promise<void> {
  const { audit } = auditBy(ctx, { userId: null, realmId: null, requestId });
  await audit(ctx.db, { action: "identity.sign_in_refused", after: { reason } });
}

/**
 * Finds the user of a grant by `sub`, never by e-mail, and adds a new one.
 * @param members e-mails by group
 * @returns the user, or the reason why they can't sign in
 */
export async function upsertUser(
  ctx: SignInCtx,
  grant: IntuitGrant,
  members: Record<Group, readonly string[]>,
): Promise<{ user: User } | { failure: SignInFailure }> {
  const info = await ctx.signIn.userinfo(grant.tokens.accessToken, grant.sub);
  if (!info.emailVerified || !info.email) return { failure: "unverified" };
  const email = foldEmail(info.email);
  if (!isPlainEmail(email)) return { failure: "not_an_email" };
  const signedIn = {
    id: ctx.ids.uuid(),
    intuit_sub: info.sub,
    email,
    first_name: info.givenName,
    last_name: info.familyName,
    groups: configuredGroups(email, members),
  };
  const { blockedAt, ...user } = await saveUser(ctx.db, signedIn, ctx.clock.now());
  return blockedAt === null ? { user } : { failure: "blocked" };
}

/**
 * Removes groups that the configuration no longer gives, so that open sessions lose them at their next request. New
 * groups come with a sign-in.
 * @param members e-mails by group, `*` for everyone
 */
export async function withdrawGroups(
  { db }: Pick<Ctx, "db">,
  members: Record<Group, readonly string[]>,
): Promise<void> {
  for (const group of GROUPS)
    if (!members[group].includes("*")) await withdrawGroup(db, group, members[group]);
}
