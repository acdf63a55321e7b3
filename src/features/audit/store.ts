import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { likePattern } from "#platform/db/like-pattern.ts";
import { toJson } from "#platform/db/json.ts";
import type { Ctx } from "#platform/ctx.ts";

/**
 * User, company and request of an action; null for guests and for actions without a company.
 * @see Entry for `key`
 */
type Actor = {
  userId: string | null;
  realmId: string | null;
  requestId: string;
  key?: { id: string; name: string } | null;
};

type Facts = Record<string, unknown>;

/** An action: its code, the ids it concerns, and small values before and after. */
type Action = { action: `${string}.${string}`; ids?: Facts; before?: Facts; after?: Facts };

/** Adds an entry; the table allows inserts only. */
async function addEntry(
  db: Db,
  { userId, realmId, requestId, key, id, at }: Actor & { id: string; at: Date },
  { action, ids: concerned = {}, before, after }: Action,
): Promise<void> {
  const ids = key ? { ...concerned, key_id: key.id, key_name: key.name } : concerned;
  await sql`insert into audit_entry (realm_id, at, id, user_id, action, ids, before, after, request_id)
    values (${realmId ?? ""}, ${at}, ${id}, ${userId}, ${action}, ${toJson(ids)}, ${before && toJson(before)},
      ${after && toJson(after)}, ${requestId})`.execute(db);
}

/** Context of a verb that records its action in its own transaction. */
export type Audited = { audit(tx: Db, action: Action): Promise<void> };

/** Records actions of one actor, each as one immutable row. */
export const auditBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, actor: Actor): Audited => ({
  audit: (tx, done) => addEntry(tx, { ...actor, id: ids.uuid(), at: clock.now() }, done),
});

/**
 * A stored entry; `email` is the user's last sign-in e-mail, null for guests. A company's key that acted is in `ids`:
 * `key_id`, `key_name`.
 */
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

/** End of a page; the next page has older entries. */
export type Place = { at: Date; id: string };

type EntryQuery = {
  realmId: string;
  /** Text to find in e-mail, ids or values; empty for all entries. */
  search: string;
  /** Actions whose titles match the search. */
  actions: readonly string[];
  before: Place | null;
  limit: number;
};

/** Finds entries of one company, newest first. */
export async function findEntries(db: Db, wanted: EntryQuery): Promise<Entry[]> {
  const { realmId, search, actions, before, limit } = wanted;
  const pattern = likePattern(search);
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

type Happening = {
  realmId: string;
  actions: readonly string[];
  /** The user who did it, or whom it was done to. */
  of: { userIds: readonly string[]; email: string };
  since: Date;
};

/** Whether one of some actions was done in a company since a time. */
export async function wasDoneSince(
  db: Db,
  { realmId, actions, of: { userIds, email }, since }: Happening,
): Promise<boolean> {
  const { rows } = await sql`select from audit_entry where realm_id = ${realmId} and at >= ${since}
    and action = any (${[...actions]}::text[])
    and (user_id = any (${[...userIds]}::uuid[]) or before ->> 'email' = ${email}) limit 1`.execute(db);
  return rows.length > 0;
}
