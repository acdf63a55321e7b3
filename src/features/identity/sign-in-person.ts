import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { rememberPerson } from "#features/identity/remember-person.ts";
import type { Person } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-trip.ts";
import { addSession, removeSession } from "#features/identity/store.ts";

type Options = {
  grant: IntuitGrant;
  oldSession: string | undefined;
  members: Record<Group, readonly string[]>;
};

/** The person with a new session, or `unverified` when Intuit has not verified their e-mail. */
export type SignedIn = { kind: "signed-in"; person: Person; session: string } | { kind: "unverified" };

/**
 * Signs a person in after Intuit vouched for them. The session id is always new and the browser's old session ends,
 * so that a planted cookie gains nothing.
 */
export async function signInPerson(
  ctx: SignInCtx,
  { grant, oldSession, members }: Options,
): Promise<SignedIn> {
  const person = await rememberPerson(ctx, grant, members);
  if (!person) return { kind: "unverified" };
  const session = ctx.ids.secret();
  await ctx.db.transaction().execute(async (tx) => {
    await addSession(tx, { idHash: hashSecret(session), personId: person.id, now: ctx.clock.now() });
    if (oldSession) await removeSession(tx, hashSecret(oldSession));
  });
  return { kind: "signed-in", person, session };
}
