import { callUps } from "#features/carrier/index.ts";
import { makeCredential } from "#features/tracking/alert-credential.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { listUnsubscribed, markSubscribed } from "#features/tracking/store-packages.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { MAX_SUBSCRIBED, SUBSCRIBED_MS } from "#integrations/ups/subscribe.ts";
import type { Db } from "#platform/db/connect.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Lets UPS send the events of packages that are on their way, again on the day before a subscription ends. They are looked at
 * after that: what happened before is not sent.
 * A failure holds nothing up: without events packages are still looked at.
 */
export async function subscribePackages(
  ctx: TrackingCtx,
  realmId: string,
  fenced: <T>(write: (tx: Db) => Promise<T>) => Promise<T>,
): Promise<void> {
  const { alertUrl: url } = ctx;
  if (url === null) return;
  const now = ctx.clock.now();
  const endsBefore = new Date(now.getTime() + DAY_MS);
  const numbers = await listUnsubscribed(ctx.db, realmId, { endsBefore, limit: MAX_SUBSCRIBED });
  if (numbers.length === 0) return;
  const destination = { url, credential: makeCredential(ctx.sealingKeys, realmId) };
  const taken = await callUps(ctx, realmId, (ups, { token }) =>
    ups.subscribe(token, { numbers, destination }),
  ).catch((error: unknown) => {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn(
      { err: error, realm: realmId },
      "UPS took no subscription; its packages are looked at instead",
    );
    // A refusal stands; after a failure the next pass tries again. Looks find out whether the link is broken.
    return error.kind === "refused" ? [] : null;
  });
  if (taken === null) return;
  const until = new Date(now.getTime() + SUBSCRIBED_MS);
  await fenced((tx) => markSubscribed(tx, realmId, { numbers, taken, until, now }));
}
