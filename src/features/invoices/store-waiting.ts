import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { hasJob } from "#platform/jobs/define-job.ts";

/** What a worker works on and what may wait: a table, and the column that tells since when. Their states are the same. */
type Work = { table: "upload" | "upload_undo"; since: "uploaded_at" | "requested_at" };
export const UPLOADS: Work = { table: "upload", since: "uploaded_at" };
export const UNDOS: Work = { table: "upload_undo", since: "requested_at" };

export type WithoutJob = { realmId: string; id: string; state: "queued" | "working" | "paused" };

/** Puts what waits of a company back in line, locked in the order of the ids. @returns the ids */
export async function requeuePaused(tx: Db, realmId: string, { table }: Work): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update ${sql.table(table)} set state = 'queued', reason = ''
    where realm_id = ${realmId} and id in (select id from ${sql.table(table)}
      where realm_id = ${realmId} and state = 'paused' order by id for update)
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/** What is not at its end, of all companies, and for which no job is there that will run; the oldest first. */
export async function findWithoutJob(
  db: Db,
  { table, since }: Work,
  keyPrefix: string,
): Promise<WithoutJob[]> {
  const key = sql`${keyPrefix}::text || ${sql.ref(`${table}.id`)}`;
  const { rows } = await sql<WithoutJob>`select realm_id as "realmId", id, state from ${sql.table(table)}
    where state in ('queued', 'working', 'paused') and not ${hasJob(key)}
    order by ${sql.ref(since)}`.execute(db);
  return rows;
}
