import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { planDigest } from "#features/tracking/rules-mails.ts";
import { changeFollowed, type FollowedCompany } from "#features/tracking/store.ts";
import { STATES_SHOWN } from "#features/tracking/rules-states.ts";
import {
  countAlerts,
  countPackageProblems,
  listPackageProblems,
  type Since,
} from "#features/tracking/store-alerts.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { DAY_MS, localTime } from "#platform/time.ts";

type Settings = { name: string; contact_email: string; time_zone: string };

/**
 * Mails the contact of a company: packages that need attention at once, each of them once and each cause once a day, and once a
 * day what came since the last digest, if anything did.
 * @returns when a digest may leave next
 */
export async function notifyContact(
  ctx: TrackingCtx,
  tx: Db,
  { company, settings }: { company: FollowedCompany; settings: Settings },
): Promise<Date> {
  const { realm_id: realmId, digest_at: lastAt } = company;
  const { name, contact_email: recipient, time_zone: timeZone } = settings;
  const now = ctx.clock.now();
  const { isDue, nextAt } = planDigest(lastAt, timeZone, now);
  if (recipient === "") return nextAt;
  const { day } = localTime(timeZone, now);
  const mailed = company.mailed ?? {};
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const since: Since = {};
  for (const state of STATES_SHOWN.attention) {
    const last = mailed[state];
    if (last?.day !== day)
      since[state] = new Date(Math.max(dayAgo.getTime(), Date.parse(last?.until ?? "") || 0));
  }
  const fresh = await countPackageProblems(tx, realmId, since);
  if (fresh.length > 0) {
    const packages = await listPackageProblems(tx, realmId, since);
    const others = sum(fresh) - packages.length;
    await ctx.notify(tx, {
      kind: "packages_need_attention",
      realmId,
      recipient,
      params: { company: name, packages, others },
    });
    const added = fresh.map(({ state, newest }) => [state, { day, until: newest.toISOString() }]);
    await changeFollowed(tx, realmId, { mailed: toJson({ ...mailed, ...Object.fromEntries(added) }) });
  }
  if (!isDue || lastAt === null) return nextAt;
  const all = Object.fromEntries(STATES_SHOWN.attention.map((state) => [state, lastAt]));
  const attention = sum(await countPackageProblems(tx, realmId, all));
  const alerts = { ...(await countAlerts(tx, realmId, lastAt)), attention };
  if (alerts.delivered + alerts.attached + alerts.attention > 0)
    await ctx.notify(tx, {
      kind: "packages_digest",
      realmId,
      recipient,
      params: { company: name, ...alerts },
    });
  await changeFollowed(tx, realmId, { digest_at: now });
  return nextAt;
}

const sum = (counted: readonly { count: number }[]): number =>
  counted.reduce((total, { count }) => total + count, 0);
