import { timingSafeEqual } from "node:crypto";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { AUTHORIZATION_LIFE_MS, type SignInFailure } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-authorization.ts";
import { takeAuthorizationRequest, type AuthorizationRequest } from "#features/identity/store.ts";

type Asked = Pick<AuthorizationRequest, "purpose" | "user_id" | "next_path">;

/** How an authorization request to Intuit ended: with a grant, or with the reason why not. */
export type FinishedAuthorization = Asked & ({ grant: IntuitGrant } | { failure: SignInFailure });

const UNKNOWN: Asked = { purpose: "sign-in", user_id: null, next_path: null };

/**
 * Ends an authorization request: the answer must carry a state of ours, not yet used, not older than ten minutes, and
 * come back in the browser that left. Only then is the code exchanged.
 * @param callbackUrl the full address Intuit sent the browser to
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
