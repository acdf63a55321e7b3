import { callUps } from "#features/carrier/index.ts";
import { makeCredential } from "#features/packages/alert-credential.ts";
import type { PackagesCtx } from "#features/packages/ctx.ts";
import { listUnsubscribed, markSubscribed } from "#features/packages/store.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { MAX_SUBSCRIBED, SUBSCRIBED_MS } from "#integrations/ups/subscribe.ts";

/** Longer than the longest time between two polls of a package with events. */
const BEFORE_END_MS = 4 * 24 * 3_600_000;

/**
 * Lets UPS send the events of a company's packages that are on their way, again before a subscription ends. They are polled
 * after that: what happened before is not sent.
 * A failure holds nothing up: packages without events are polled more often.
 */
export async function subscribePackages(ctx: PackagesCtx, realmId: string): Promise<void> {
  const { alertUrl: url } = ctx;
  if (url === null) return;
  const now = ctx.clock.now();
  const endsBefore = new Date(now.getTime() + BEFORE_END_MS);
  const numbers = await listUnsubscribed(ctx.db, realmId, { endsBefore, limit: MAX_SUBSCRIBED });
  if (numbers.length === 0) return;
  const destination = { url, credential: makeCredential(ctx.sealingKeys, realmId) };
  const taken = await callUps(ctx, realmId, (ups, { token }) =>
    ups.subscribe(token, { numbers, destination }),
  ).catch((error: unknown) => {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS took no subscription; its packages are polled instead");
    // A refusal stands; after a failure the next batch tries again. Polls find out whether the link is broken.
    return error.kind === "refused" ? [] : null;
  });
  if (taken === null) return;
  const until = new Date(now.getTime() + SUBSCRIBED_MS);
  await markSubscribed(ctx.db, realmId, { numbers, taken, until, now });
}
