import { timingSafeEqual } from "node:crypto";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { AUTHORIZATION_LIFE_MS, type SignInFailure } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-authorization.ts";
import { takeAuthorizationRequest, type AuthorizationRequest } from "#features/identity/store.ts";

/** How an authorization request to Intuit ended: with a grant, or with the reason why not. */
export type FinishedAuthorization =
  | {
      kind: "granted";
      purpose: AuthorizationRequest["purpose"];
      userId: string | null;
      nextPath: string | null;
      grant: IntuitGrant;
    }
  | {
      kind: "failed";
      purpose: AuthorizationRequest["purpose"];
      reason: SignInFailure;
      nextPath: string | null;
    };

const failed = (reason: SignInFailure, authorization?: AuthorizationRequest): FinishedAuthorization => ({
  kind: "failed",
  reason,
  purpose: authorization?.purpose ?? "sign-in",
  nextPath: authorization?.next_path ?? null,
});

/**
 * Ends an authorization request: the answer must carry a state of ours, not yet used, not older than ten minutes, and come back in the
 * browser that left. Only then is the code exchanged.
 * @param callbackUrl the full address Intuit sent the browser to
 */
export async function finishAuthorization(
  ctx: SignInCtx,
  { callbackUrl, browserSecret }: { callbackUrl: URL; browserSecret: string | undefined },
): Promise<FinishedAuthorization> {
  const state = callbackUrl.searchParams.get("state");
  if (!state) return failed("other");
  if (!browserSecret) return failed("cookies");
  const oldest = new Date(ctx.clock.now().getTime() - AUTHORIZATION_LIFE_MS);
  const authorization = await takeAuthorizationRequest(ctx.db, hashSecret(state), oldest);
  if (!authorization) return failed("expired");
  if (!timingSafeEqual(authorization.browser_hash, hashSecret(browserSecret)))
    return failed("cookies", authorization);
  if (callbackUrl.searchParams.get("error") === "access_denied") return failed("refused", authorization);
  try {
    const grant = await ctx.signIn.exchangeCode(callbackUrl, state);
    return {
      kind: "granted",
      purpose: authorization.purpose,
      userId: authorization.user_id,
      nextPath: authorization.next_path,
      grant,
    };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    ctx.log.warn({ err: error, tid: error.tid }, "Intuit did not exchange the sign-in code");
    return failed(isOutage(error) ? "unavailable" : "other", authorization);
  }
}

const isOutage = (error: IntuitError) => ["network", "system", "throttled", "uncertain"].includes(error.kind);
