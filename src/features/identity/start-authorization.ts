import type { FastifyReply } from "fastify";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitSignIn } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { addAuthorizationRequest, type AuthorizationRequest } from "#features/identity/store.ts";

export type SignInCtx = Ctx & { signIn: IntuitSignIn };

type Start = Pick<AuthorizationRequest, "purpose" | "user_id" | "next_path"> & {
  reply: FastifyReply;
  /** Names the browser that goes. */
  cookie: SafeCookie;
  /** Where the browser goes when Intuit cannot be reached. */
  failurePath: string;
};

/** Starts an authorization request at Intuit: remembers what it is for and which browser goes, and sends it there. */
export async function startAuthorization(
  ctx: SignInCtx,
  { reply, cookie, failurePath, ...asked }: Start,
): Promise<FastifyReply> {
  const state = ctx.ids.secret();
  const browserSecret = ctx.ids.secret();
  try {
    const url = await ctx.signIn.authorizeUrl({ state, scopes: asked.purpose });
    await addAuthorizationRequest(ctx.db, {
      ...asked,
      state_hash: hashSecret(state),
      browser_hash: hashSecret(browserSecret),
      created_at: ctx.clock.now(),
    });
    cookie.write(reply, browserSecret);
    return reply.redirect(url);
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    return reply.redirect(failurePath);
  }
}
