import { timingSafeEqual } from "node:crypto";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { TRIP_LIFE_MS, type SignInFailure } from "#features/identity/rules.ts";
import type { SignInCtx } from "#features/identity/start-trip.ts";
import { takeTrip, type Trip } from "#features/identity/store.ts";

/** How a trip to Intuit ended: with a grant, or with the reason why not. */
export type FinishedTrip =
  | {
      kind: "granted";
      purpose: Trip["purpose"];
      personId: string | null;
      nextPath: string | null;
      grant: IntuitGrant;
    }
  | { kind: "failed"; purpose: Trip["purpose"]; reason: SignInFailure; nextPath: string | null };

const failed = (reason: SignInFailure, trip?: Trip): FinishedTrip => ({
  kind: "failed",
  reason,
  purpose: trip?.purpose ?? "sign-in",
  nextPath: trip?.next_path ?? null,
});

/**
 * Ends a trip: the answer must carry a state of ours, not yet used, not older than ten minutes, and come back in the
 * browser that left. Only then is the code exchanged.
 * @param callbackUrl the full address Intuit sent the browser to
 */
export async function finishTrip(
  ctx: SignInCtx,
  { callbackUrl, browserSecret }: { callbackUrl: URL; browserSecret: string | undefined },
): Promise<FinishedTrip> {
  const state = callbackUrl.searchParams.get("state");
  if (!state) return failed("other");
  if (!browserSecret) return failed("cookies");
  const oldest = new Date(ctx.clock.now().getTime() - TRIP_LIFE_MS);
  const trip = await takeTrip(ctx.db, hashSecret(state), oldest);
  if (!trip) return failed("expired");
  if (!timingSafeEqual(trip.browser_hash, hashSecret(browserSecret))) return failed("cookies", trip);
  if (callbackUrl.searchParams.get("error") === "access_denied") return failed("refused", trip);
  try {
    const grant = await ctx.signIn.exchangeCode(callbackUrl, state);
    return {
      kind: "granted",
      purpose: trip.purpose,
      personId: trip.person_id,
      nextPath: trip.next_path,
      grant,
    };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    ctx.log.warn({ err: error, tid: error.tid }, "Intuit did not exchange the sign-in code");
    return failed(isOutage(error) ? "unavailable" : "other", trip);
  }
}

const isOutage = (error: IntuitError) => ["network", "system", "throttled", "uncertain"].includes(error.kind);
