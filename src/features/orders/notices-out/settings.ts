import { dayIn } from "#formats/text/phrases.ts";
import type { Audited } from "#features/audit/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { NoticeSettings } from "#features/orders/notices-out/contract.ts";
import { nextCutOff } from "#features/orders/notices-out/rules.ts";
import {
  findNoticeSettings,
  rescheduleWaiting,
  saveNoticeSettings,
} from "#features/orders/notices-out/store.ts";
import type { Db } from "#platform/db/connect.ts";

/** A carrier's usual pickup is over by then. */
const DEFAULTS: NoticeSettings = { cut_off: "17:00", sender_id: "" };

export const readNoticeSettings = async (db: Db, realmId: string): Promise<NoticeSettings> =>
  (await findNoticeSettings(db, realmId)) ?? DEFAULTS;

export async function changeNoticeSettings(
  ctx: OrdersCtx & Audited,
  realmId: string,
  settings: NoticeSettings,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const before = await readNoticeSettings(tx, realmId);
    const now = ctx.clock.now();
    await saveNoticeSettings(tx, realmId, settings, now);
    const timeZone = await findTimeZone(tx, realmId);
    const [old, due] = [before, settings].map(({ cut_off: cutOff }) => nextCutOff(now, cutOff, timeZone));
    const toDay = dayIn(timeZone);
    // Notices that wait for today's cutoff wait for the new one, but not until tomorrow if that has passed.
    if (old && due && toDay(due) <= toDay(old)) await rescheduleWaiting(tx, realmId, { now, due });
    await ctx.audit(tx, { action: "orders.notice_settings", before, after: settings });
  });
}

/** When a notice of the company leaves that is made now. */
export async function findCutOff(db: Db, realmId: string, now: Date): Promise<Date> {
  const { cut_off: cutOff } = await readNoticeSettings(db, realmId);
  return nextCutOff(now, cutOff, await findTimeZone(db, realmId));
}
