import { sql, type Selectable } from "kysely";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

export type FollowedCompany = Selectable<TrackingTables["tracking_company"]>;

export const findFollowed = (db: Db, realmId: string): Promise<FollowedCompany | undefined> =>
  tables(db).selectFrom("tracking_company").selectAll().where("realm_id", "=", realmId).executeTakeFirst();

/** Notes that a user asked for a check. @returns false if one was asked for since `before` */
export async function markAsked(
  tx: Db,
  realmId: string,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const { rows } = await sql`insert into tracking_company (realm_id, reads_left, reads_at, asked_at)
    values (${realmId}, 0, ${now}, ${now})
    on conflict (realm_id) do update set asked_at = excluded.asked_at
      where tracking_company.asked_at is null or tracking_company.asked_at <= ${before}
    returning realm_id`.execute(tx);
  return rows.length > 0;
}

/** Makes every package that is still asked about due. */
export async function hastenLooks(tx: Db, realmId: string, now: Date): Promise<void> {
  await tables(tx)
    .updateTable("tracked_package")
    .set({ look_at: now })
    .where("realm_id", "=", realmId)
    .where("look_at", ">", now)
    .execute();
}
