import { sql, type RawBuilder } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { HeldRun } from "#platform/runs/types.ts";

/** Which process looks for work, of which kinds, and when. */
export type Seeker = { holder: string; kinds: readonly string[]; now: Date };

/** What PostgreSQL says when a second run of a lane would be worked on. */
const LANE_TAKEN = "23505";

/** Takes the run that waited longest of all whose lane is free. @returns null when there is none now */
export async function takeRun(db: Db, seeker: Seeker): Promise<HeldRun | null> {
  try {
    const { rows } = await sql<HeldRun>`with next as (
      select realm_id, id, state, cause from run r where ${isTakeable(seeker)}
      order by due_at limit 1 for update skip locked)
    update run r set state = 'working', cause = null, holder = ${seeker.holder}::uuid, fence = r.fence + 1,
      needs_reconcile = case when r.holder <> ${seeker.holder}::uuid then 'taken_over' else r.needs_reconcile end
    from next where r.realm_id = next.realm_id and r.id = next.id
    returning r.realm_id as "realmId", r.id, r.kind, r.subject, r.fence, r.requested_by as "requestedBy",
      r.requested_at as "requestedAt", r.starts, r.failures, r.needs_reconcile as "needsReconcile",
      case when next.state = 'waiting' then next.cause end as "waitedFor"`.execute(db);
    return rows[0] ?? null;
  } catch (error) {
    // An older run of the lane was woken in the moment in which another process took this one.
    if ((error as { code?: string }).code === LANE_TAKEN) return null;
    throw error;
  }
}

/** How many lanes have a run that only wants a slot, at most `limit`. */
export async function countWaitingLanes(db: Db, seeker: Seeker, limit: number): Promise<number> {
  const { rows } = await sql<{ lanes: number }>`select count(*)::int as lanes from (
    select from run r where ${isTakeable(seeker)} limit ${limit}) found`.execute(db);
  return rows[0]?.lanes ?? 0;
}

/**
 * It is due, nobody works on its lane, and no other run of the lane was requested before it, but those that wait. One that
 * another process has just put at the end of the line of lanes is still the first of its own.
 */
const isTakeable = ({ kinds, now }: Seeker): RawBuilder<boolean> => sql`r.state in ('queued', 'waiting')
  and (r.state = 'queued' or r.due_at <= ${now}) and r.kind = any (${[...kinds]}::text[])
  and not exists (select from run held where held.lane = r.lane and held.state = 'working')
  and not exists (select from run older where older.lane = r.lane and older.state in ('queued', 'waiting')
    and (older.state = 'queued' or older.due_at <= ${now}) and older.kind = any (${[...kinds]}::text[])
    and (older.requested_at, older.id) < (r.requested_at, r.id))`;

/** Renews a process's lease, or writes it for the first time. */
export async function renewLease(db: Db, holder: string, leaseMs: number): Promise<void> {
  await sql`insert into run_holder (id, lease_until) values (${holder}::uuid, ${leaseEnd(leaseMs)})
    on conflict (id) do update set lease_until = excluded.lease_until`.execute(db);
}

const leaseEnd = (leaseMs: number) => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

/** Ends a process's lease: what it still holds is free at once. */
export async function endLease(db: Db, holder: string): Promise<void> {
  await sql`delete from run_holder where id = ${holder}::uuid`.execute(db);
}

/** Forgets processes whose lease has ended. @returns their ids, each to one caller only */
export async function forgetDeadHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from run_holder where id in (
      select id from run_holder where lease_until < clock_timestamp() for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues runs whose process is dead. One that is just being written to under its fence is left for the next time.
 * @returns how many
 */
export async function requeueAbandoned(db: Db): Promise<number> {
  const { rows } = await sql`update run set state = 'queued', starts = starts + 1 where (realm_id, id) in (
      select realm_id, id from run r where state = 'working' and not exists (
        select from run_holder h where h.id = r.holder and h.lease_until >= clock_timestamp())
      for update skip locked)
    returning id`.execute(db);
  return rows.length;
}

/** The runs that a process holds. */
export async function findHeldIds(db: Db, holder: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from run
    where state = 'working' and holder = ${holder}::uuid`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
