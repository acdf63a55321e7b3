import type { IntuitSignIn } from "#integrations/intuit/sign-in.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { addTrip, type Trip } from "#features/identity/store.ts";

export type SignInCtx = Ctx & { signIn: IntuitSignIn };

type Start = {
  purpose: Trip["purpose"];
  browserSecret: string;
  personId: string | null;
  nextPath: string | null;
};

/**
 * Starts a trip to Intuit: remembers what it is for and which browser goes.
 * @returns address of Intuit's page
 * @throws IntuitError when Intuit cannot be reached
 */
export async function startTrip(ctx: SignInCtx, start: Start): Promise<string> {
  const state = ctx.ids.secret();
  const url = await ctx.signIn.authorizeUrl({ state, scopes: start.purpose });
  await addTrip(ctx.db, {
    state_hash: hashSecret(state),
    purpose: start.purpose,
    browser_hash: hashSecret(start.browserSecret),
    person_id: start.personId,
    next_path: start.nextPath,
    created_at: ctx.clock.now(),
  });
  return url;
}
