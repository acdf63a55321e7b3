import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** A server that follows the primary. `isSynchronous`: a change is kept there, too, before it counts. */
export type Standby = { name: string; isSynchronous: boolean; lagSeconds: number | null };

/** `standbys` is null for a user who may not see them. */
export type Servers = { primary: string | null; timeline: string; standbys: readonly Standby[] | null };

const READ = sql<{ primary: string | null; timeline: string; may_read: boolean; standbys: Standby[] }>`
  select host(inet_server_addr()) || ':' || inet_server_port() as primary,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    pg_has_role(current_user, 'pg_monitor', 'usage') as may_read,
    coalesce((select json_agg(json_build_object(
        'name', application_name,
        'isSynchronous', sync_state in ('sync', 'quorum'),
        'lagSeconds', round(extract(epoch from coalesce(replay_lag, '0'::interval))::numeric, 1))
      order by application_name)
      from pg_stat_replication where state = 'streaming'), '[]'::json) as standbys`;

/**
 * Reads which server is the primary (address and port; null over a socket), its timeline, which another primary continues
 * under the next number, and which servers follow it.
 */
export async function readServers(db: Db): Promise<Servers> {
  const { rows } = await READ.execute(db);
  const [row] = rows;
  if (!row) throw new Error("The database named no server.");
  return { primary: row.primary, timeline: row.timeline, standbys: row.may_read ? row.standbys : null };
}

/**
 * Explains that fewer servers than expected would lose nothing, in one sentence; null if there are enough.
 * @param expected synchronous standbys
 */
export function findStandbyFault({ standbys }: Servers, expected: number): string | null {
  if (expected === 0) return null;
  if (standbys === null)
    return "DATABASE_STANDBYS is set, and the user of DATABASE_URL may not see standbys: grant it the role pg_monitor.";
  const found = standbys.filter(({ isSynchronous }) => isSynchronous).length;
  if (found >= expected) return null;
  return `${found} of ${expected} synchronous standbys are connected: ${
    found === 0 ? "new data is stored on one machine only" : "losing another may lose data"
  }. Start the missing server, or set DATABASE_STANDBYS to how many there are.`;
}
