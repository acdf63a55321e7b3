import { sql } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * A restore starts the server again, creates the database, or truncates its tables; another server that became the primary has
 * another timeline, and may lack the last rows of the one before if it followed it asynchronously. Maintenance may do the same
 * as a restore, so a new generation isn't proof of lost rows. A restore that only deletes and inserts rows isn't detected.
 */
const generation = sql<{ generation: string }>`select concat_ws(' ', pg_postmaster_start_time(),
  (select system_identifier from pg_control_system()), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (select oid from pg_database where datname = current_database()), pg_relation_filenode('write')) as generation`;

/**
 * Watches whether the database was replaced while this process runs.
 * @returns a function that reads since when this process works with the database as it is now
 */
export function watchGeneration({ db, clock }: { db: Db; clock: Clock }): () => Promise<Date> {
  let known: { generation: string; since: Date } | null = null;
  return async () => {
    const { rows } = await generation.execute(db);
    const current = rows[0]?.generation ?? "";
    if (known?.generation !== current) known = { generation: current, since: clock.now() };
    return known.since;
  };
}
