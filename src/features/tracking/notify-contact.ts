import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { planDigest } from "#features/tracking/rules-mails.ts";
import { changeFollowed, type FollowedCompany } from "#features/tracking/store.ts";
import { countAlerts, findPackageProblems } from "#features/tracking/store-alerts.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { DAY_MS, localTime } from "#platform/time.ts";

type Settings = { name: string; contact_email: string; time_zone: string };

/**
 * Mails the contact of a company: packages that need attention at once, each cause once a day, and once a day what came since
 * the last digest, if anything did.
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
  const causes = company.mailed?.day === day ? company.mailed.causes : [];
  const problems = await findPackageProblems(tx, realmId, new Date(now.getTime() - DAY_MS));
  const fresh = problems.filter(({ state }) => !causes.includes(state));
  if (fresh.length > 0) {
    const packages = fresh.map(({ number, text, invoice, customer }) => ({
      number,
      text,
      invoice,
      customer,
    }));
    await ctx.notify(tx, {
      kind: "packages_need_attention",
      realmId,
      recipient,
      params: { company: name, packages },
    });
    const mailed = { day, causes: [...new Set([...causes, ...fresh.map(({ state }) => state)])] };
    await changeFollowed(tx, realmId, { mailed: toJson(mailed) });
  }
  if (!isDue || lastAt === null) return nextAt;
  const alerts = { ...(await countAlerts(tx, realmId, lastAt)), attention: 0 };
  alerts.attention = (await findPackageProblems(tx, realmId, lastAt)).length;
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
