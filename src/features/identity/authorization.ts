import type { FastifyReply } from "fastify";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitSignIn, IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import {
  addAuthorizationRequest,
  type AuthorizationRequest,
  takeAuthorizationRequest,
} from "#features/identity/store.ts";
import { timingSafeEqual } from "node:crypto";
import { AUTHORIZATION_LIFE_MS, type SignInFailure } from "#features/identity/rules.ts";

export type SignInCtx = Ctx & { signIn: IntuitSignIn };

type Start = Pick<AuthorizationRequest, "purpose" | "user_id" | "next_path"> & {
  reply: FastifyReply;
  /** Identifies the browser. */
  cookie: SafeCookie;
  /** Redirect if Intuit cannot be reached. */
  failurePath: string;
};

/** Starts an authorization request: stores its purpose and browser, and redirects to Intuit. */
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

type Request = Pick<AuthorizationRequest, "purpose" | "user_id" | "next_path">;

/** Result of an authorization request: a grant, or the reason for its failure. */
export type FinishedAuthorization = Request & ({ grant: IntuitGrant } | { failure: SignInFailure });

const UNKNOWN: Request = { purpose: "sign-in", user_id: null, next_path: null };

/**
 * Finishes an authorization request. The answer must have an unused state of ours, at most ten minutes old, and arrive in
 * the same browser. Only then is the code exchanged.
 * @param callbackUrl full address that Intuit redirected to
 */
export async function finishAuthorization(
  ctx: SignInCtx,
  { callbackUrl, browserSecret }: { callbackUrl: URL; browserSecret: string | undefined },
): Promise<FinishedAuthorization> {
  const state = callbackUrl.searchParams.get("state");
  if (!state) return { ...UNKNOWN, failure: "other" };
  if (!browserSecret) return { ...UNKNOWN, failure: "cookies" };
  const oldest = new Date(ctx.clock.now().getTime() - AUTHORIZATION_LIFE_MS);
  const asked = await takeAuthorizationRequest(ctx.db, hashSecret(state), oldest);
  if (!asked) return { ...UNKNOWN, failure: "expired" };
  if (!timingSafeEqual(asked.browser_hash, hashSecret(browserSecret)))
    return { ...asked, failure: "cookies" };
  if (callbackUrl.searchParams.get("error") === "access_denied") return { ...asked, failure: "refused" };
  try {
    return { ...asked, grant: await ctx.signIn.exchangeCode(callbackUrl, state) };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    ctx.log.warn({ err: error, tid: error.tid }, "Intuit did not exchange the sign-in code");
    return { ...asked, failure: isOutage(error) ? "unavailable" : "other" };
  }
}

const isOutage = (error: IntuitError) => ["network", "system", "throttled", "uncertain"].includes(error.kind);
