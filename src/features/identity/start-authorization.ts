import type { IntuitSignIn } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { addAuthorizationRequest, type AuthorizationRequest } from "#features/identity/store.ts";

export type SignInCtx = Ctx & { signIn: IntuitSignIn };

type Start = {
  purpose: AuthorizationRequest["purpose"];
  browserSecret: string;
  userId: string | null;
  nextPath: string | null;
};

/**
 * Starts an authorization request at Intuit: remembers what it is for and which browser goes.
 * @returns address of Intuit's page
 * @throws IntuitError when Intuit cannot be reached
 */
export async function startAuthorization(ctx: SignInCtx, start: Start): Promise<string> {
  const state = ctx.ids.secret();
  const url = await ctx.signIn.authorizeUrl({ state, scopes: start.purpose });
  await addAuthorizationRequest(ctx.db, {
    state_hash: hashSecret(state),
    purpose: start.purpose,
    browser_hash: hashSecret(start.browserSecret),
    user_id: start.userId,
    next_path: start.nextPath,
    created_at: ctx.clock.now(),
  });
  return url;
}
