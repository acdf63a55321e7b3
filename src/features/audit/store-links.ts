import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** Companies with a trail; '' is for what belongs to no company. */
export async function findTrails(db: Db): Promise<string[]> {
  const { rows } = await sql<{ realmId: string }>`with recursive trail as (
      (select realm_id from audit_entry order by realm_id limit 1)
      union all select (select realm_id from audit_entry where realm_id > trail.realm_id order by realm_id limit 1)
        from trail where trail.realm_id is not null)
    select realm_id as "realmId" from trail where realm_id is not null
    union select distinct realm_id from audit_link order by 1`.execute(db);
  return rows.map(({ realmId }) => realmId);
}

export type Link = { seq: number; hash: Buffer; digest: Buffer | null };

/** Links behind a number in their order, each with the digest of its entry as it is now; null when the entry is gone. */
export async function findLinks(
  db: Db,
  realmId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Link[]> {
  const { rows } = await sql<Link>`select l.seq, l.hash, case when e.id is not null then
      sha256(convert_to(jsonb_build_array(e.realm_id, (extract(epoch from e.at) * 1000000)::bigint, e.id,
        e.user_id, e.action, e.ids, e.before, e.after, e.request_id)::text, 'UTF8')) end as digest
    from audit_link l left join audit_entry e on e.realm_id = l.realm_id and e.at = l.at and e.id = l.id
    where l.realm_id = ${realmId} and l.seq > ${after} order by l.seq limit ${limit}`.execute(db);
  return rows;
}

/** How many entries of a company no link knows. */
export async function countUnlinked(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_entry e
    where realm_id = ${realmId} and not exists
      (select from audit_link l where l.realm_id = e.realm_id and l.at = e.at and l.id = e.id)`.execute(db);
  return rows[0]?.count ?? 0;
}
