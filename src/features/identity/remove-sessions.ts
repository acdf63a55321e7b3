import type { Ctx } from "#platform/ctx.ts";
import { AUTHORIZATION_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from "#features/identity/rules.ts";
import { removeOutlived } from "#features/identity/store.ts";

/** Removes sessions and authorization requests that have ended by themselves: those that nobody comes back for. */
export async function removeSessions({ db, clock }: Ctx): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  await removeOutlived(db, {
    seenBefore: before(SESSION_IDLE_MS),
    signedInBefore: before(SESSION_LIFE_MS),
    askedBefore: before(AUTHORIZATION_LIFE_MS),
  });
}
