import { sql, type Selectable, type JSONColumnType } from "kysely";
import type { Comparison, Found, Vendor } from "#features/differences/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

type DifferenceTables = {
  difference: {
    id: string;
    realm_id: string;
    vendor: Vendor;
    subject: string;
    code: string;
    params: JSONColumnType<Readonly<Record<string, string>>>;
    found_at: Date;
  };
};

const tables = (db: Db) => db.withTables<DifferenceTables>();

export type StoredDifference = Selectable<DifferenceTables["difference"]>;

/** A company's differences, the newest first. */
export const findDifferences = (db: Db, realmId: string): Promise<StoredDifference[]> =>
  tables(db)
    .selectFrom("difference")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("found_at", "desc")
    .orderBy("subject")
    .orderBy("code")
    .execute();

/** Companies with a connection that is not ended. */
export async function listCompaniesToCompare(db: Db): Promise<string[]> {
  const { rows } = await sql<{ realm_id: string }>`select realm_id from intuit_connection
    where state <> 'disconnected' order by realm_id`.execute(db);
  return rows.map((row) => row.realm_id);
}

/**
 * Stores what a comparison found, and removes what it compared and didn't find.
 * @returns the differences that are new
 */
export async function saveComparison(
  tx: Db,
  { realmId, vendor, now, makeId }: { realmId: string; vendor: Vendor; now: Date; makeId(): string },
  { subjects, differences }: Comparison,
): Promise<Found[]> {
  const key = ({ subject, code }: { subject: string; code: string }) => `${code} ${subject}`;
  const before = (await findDifferences(tx, realmId)).filter((difference) => difference.vendor === vendor);
  const found = new Set(differences.map(key));
  for (const earlier of before) {
    if (found.has(key(earlier)) || (subjects && !subjects.includes(earlier.subject))) continue;
    await tables(tx)
      .deleteFrom("difference")
      .where("realm_id", "=", realmId)
      .where("vendor", "=", vendor)
      .where("subject", "=", earlier.subject)
      .where("code", "=", earlier.code)
      .execute();
  }
  const known = new Set(before.map(key));
  const fresh = differences.filter((difference) => !known.has(key(difference)));
  for (const { subject, code, params } of fresh)
    await tables(tx)
      .insertInto("difference")
      .values({
        id: makeId(),
        realm_id: realmId,
        vendor,
        subject,
        code,
        params: toJson(params),
        found_at: now,
      })
      .execute();
  return fresh;
}
