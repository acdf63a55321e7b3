import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { groupsOf, type User } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-authorization.ts";
import { saveUser } from "#features/identity/store.ts";

/**
 * The user a grant belongs to, known by `sub`, never by e-mail; added when new.
 * @param members e-mails by group
 * @returns null when Intuit has not verified the e-mail
 */
export async function upsertUser(
  ctx: SignInCtx,
  grant: IntuitGrant,
  members: Record<Group, readonly string[]>,
): Promise<User | null> {
  const info = await ctx.signIn.userinfo(grant.tokens.accessToken, grant.sub);
  if (!info.emailVerified || !info.email) return null;
  const email = info.email.trim().toLowerCase();
  const user = {
    id: ctx.ids.uuid(),
    intuit_sub: info.sub,
    email,
    first_name: info.givenName,
    last_name: info.familyName,
    groups: groupsOf(email, members),
  };
  return saveUser(ctx.db, user, ctx.clock.now());
}
