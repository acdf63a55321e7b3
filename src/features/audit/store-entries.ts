import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Facts } from "#features/audit/store.ts";

/** An entry as it is read; `email` is what its user signed in with last, null for guests. */
export type Entry = {
  id: string;
  at: Date;
  email: string | null;
  action: string;
  ids: Facts;
  before: Facts | null;
  after: Facts | null;
  requestId: string;
};

/** Where a page ends: the next one has what is older. */
export type Place = { at: Date; id: string };

type Wanted = {
  realmId: string;
  /** What must be in the e-mail, the ids or the values; empty for everything. */
  search: string;
  /** Actions that match the search by what they are called. */
  actions: readonly string[];
  before: Place | null;
  limit: number;
};

/** Entries of one company, the newest first. */
export async function findEntries(db: Db, wanted: Wanted): Promise<Entry[]> {
  const { realmId, search, actions, before, limit } = wanted;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<Entry>`select a.id, a.at, u.email, a.action, a.ids, a.before, a.after,
      a.request_id as "requestId"
    from audit_entry a left join app_user u on u.id = a.user_id
    where a.realm_id = ${realmId}
      and (${before === null} or (a.at, a.id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid))
      and (${search === ""} or a.action = any (${[...actions]}::text[]) or concat_ws(' ', u.email, a.action, a.ids, a.before,
        a.after, a.request_id) ilike ${pattern})
    order by a.at desc, a.id desc limit ${limit}`.execute(db);
  return rows;
}
