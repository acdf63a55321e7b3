import { callUps, changeLink, findLink, findUnalerted } from "#features/carrier/index.ts";
import { makeCredential } from "#features/packages/alert-credential.ts";
import type { PackagesCtx } from "#features/packages/ctx.ts";
import { forgetSubscribed, listUnsubscribed, markSubscribed } from "#features/packages/store.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { MAX_SUBSCRIBED, SUBSCRIBED_MS } from "#integrations/ups/subscribe.ts";
import { DAY_MS } from "#platform/time.ts";

/** Longer than the longest time between two polls of a package with events. */
const BEFORE_END_MS = 4 * DAY_MS;

/** End of a subscription without one. */
const ALWAYS = new Date("9999-12-31");

/**
 * Lets UPS send the events of a company's packages that are on their way: of all that its own account sends, without an end, where
 * UPS knows our client; of others by their numbers, again before a subscription ends. They are polled
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
  const account = await subscribeOwn(ctx, realmId);
  const own = account === null ? [] : numbers.filter((number) => number.startsWith(`1Z${account}`));
  if (own.length > 0)
    await markSubscribed(ctx.db, realmId, { numbers: own, taken: own, until: ALWAYS, key: null, now });
  const others = numbers.filter((number) => !own.includes(number));
  if (others.length === 0) return;
  const key = ctx.sealingKeys[0]?.id ?? null;
  const destination = { url, credential: makeCredential(ctx.sealingKeys, realmId) };
  const taken = await callUps(ctx, realmId, (ups, { token }) =>
    ups.subscribe(token, { numbers: others, destination }),
  ).catch((error: unknown) => {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS took no subscription; its packages are polled instead");
    // A refusal is final; after a failure the next batch tries again. Polls find out whether the link is broken.
    return error.kind === "refused" ? [] : null;
  });
  if (taken === null) return;
  const until = new Date(now.getTime() + SUBSCRIBED_MS);
  await markSubscribed(ctx.db, realmId, { numbers: others, taken, until, key, now });
}

/** Makes packages due that counted as subscribed by an account's former connection: UPS may send nothing of them. */
export async function forgetFormer(ctx: PackagesCtx): Promise<void> {
  if (!ctx.alertClient) return;
  for (const realmId of await findUnalerted(ctx.db))
    await forgetSubscribed(ctx.db, realmId, { until: ALWAYS, now: ctx.clock.now() });
}

/** @returns the company's account if UPS sends the events of all packages that it sends */
async function subscribeOwn(ctx: PackagesCtx, realmId: string): Promise<string | null> {
  const link = ctx.alertClient && (await findLink(ctx.db, realmId));
  if (!link || link.alerts !== null) return link?.alerts === "sent" ? link.account : null;
  const { account } = link;
  try {
    return await callUps(ctx, realmId, async (ups, { token }) => {
      await ups.subscribeAccount(token, account);
      if (await changeLink(ctx.db, link, { alerts: "sent" })) return account;
      // Connected again meanwhile: the next batch subscribes what is connected now.
      if ((await findLink(ctx.db, realmId))?.account !== account)
        await ups.unsubscribeAccount(token, account);
      return null;
    });
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS took no subscription of an account");
    if (error.kind === "refused") await changeLink(ctx.db, link, { alerts: "refused" });
    return null;
  }
}
