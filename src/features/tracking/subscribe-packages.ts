import { callUps } from "#features/carrier/index.ts";
import { makeCredential } from "#features/tracking/alert-credential.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { listUnsubscribed, markSubscribed } from "#features/tracking/store-packages.ts";
import { MAX_SUBSCRIBED, SUBSCRIBED_MS } from "#integrations/ups/subscribe.ts";
import type { Db } from "#platform/db/connect.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Lets UPS send the events of packages that are on their way, again on the day before a subscription ends. They are looked at
 * after that: what happened before is not sent.
 * @throws UpsError
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
  );
  const until = new Date(now.getTime() + SUBSCRIBED_MS);
  await fenced((tx) => markSubscribed(tx, realmId, { numbers, taken, until, now }));
}
