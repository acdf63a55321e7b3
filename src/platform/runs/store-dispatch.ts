import { sql, type RawBuilder } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { HeldRun } from "#platform/runs/types.ts";

/** The process that looks for work, the kinds, and the time. */
export type Worker = { holder: string; kinds: readonly string[]; now: Date };

/** PostgreSQL's error when a second run of a lane would start. */
const LANE_TAKEN = "23505";

/** Per kind and state, because other processes may take the first ones at the same time. */
const CANDIDATES = 16;

/** Takes the run that waited longest among those with a free lane. @returns null if there is none now */
export async function takeRun(db: Db, worker: Worker): Promise<HeldRun | null> {
  try {
    const { rows } = await sql<HeldRun>`with candidate as (${candidates(worker, CANDIDATES)}), next as (
      select r.realm_id, r.id, r.state, r.cause from run r join candidate using (realm_id, id)
      where r.state = 'queued' or (r.state = 'waiting' and r.due_at <= ${worker.now})
      order by candidate.due_at limit 1 for update of r skip locked)
    update run r set state = 'working', cause = null, holder = ${worker.holder}::uuid, fence = r.fence + 1,
      needs_reconcile = case when r.holder <> ${worker.holder}::uuid then 'taken_over' else r.needs_reconcile end
    from next where r.realm_id = next.realm_id and r.id = next.id
    returning r.realm_id as "realmId", r.id, r.kind, r.subject, r.fence, r.requested_by as "requestedBy",
      r.requested_at as "requestedAt", r.starts, r.failures, r.needs_reconcile as "needsReconcile",
      case when next.state = 'waiting' then next.cause end as "waitedFor"`.execute(db);
    return rows[0] ?? null;
  } catch (error) {
    // An older run of the lane was woken while another process took this one.
    if ((error as { code?: string }).code === LANE_TAKEN) return null;
    throw error;
  }
}

/** Counts the lanes with a run that only needs a slot, at most `limit`. */
export async function countWaitingLanes(db: Db, worker: Worker, limit: number): Promise<number> {
  const { rows } = await sql<{ lanes: number }>`select count(*)::int as lanes from (
    select from (${candidates(worker, limit)}) found limit ${limit}) lanes`.execute(db);
  return rows[0]?.lanes ?? 0;
}

/**
 * Selects the first runs of each kind that only need a slot, queued and waiting ones separately: each is an
 * index scan, however many runs of other kinds are queued and however many wait for later. The few active
 * lanes are read once. A candidate's lane has no active run and no run requested earlier, except waiting
 * ones. One that another process has just moved to the end of the line of lanes is still the first of its own
 * lane.
 */
const candidates = ({ kinds, now }: Worker, limit: number): RawBuilder<unknown> => {
  const first = (isDue: RawBuilder<boolean>) => sql`(select r.realm_id, r.id, r.due_at from run r
    where r.kind = kinds.kind and ${isDue}
      and r.lane not in (select lane from run where state = 'working')
      and not exists (select from run older where older.lane = r.lane and older.state in ('queued', 'waiting')
        and (older.state = 'queued' or older.due_at <= ${now}) and (older.requested_at, older.id) < (r.requested_at, r.id))
    order by r.due_at limit ${limit})`;
  return sql`select due.realm_id, due.id, due.due_at from unnest(${[...kinds]}::text[]) as kinds (kind) cross join lateral (
    ${first(sql`r.state = 'queued'`)} union all ${first(sql`r.state = 'waiting' and r.due_at <= ${now}`)}) due`;
};

/** Creates or renews a process's lease. */
export async function renewLease(db: Db, holder: string, leaseMs: number): Promise<void> {
  await sql`insert into run_holder (id, lease_until) values (${holder}::uuid, ${leaseEnd(leaseMs)})
    on conflict (id) do update set lease_until = excluded.lease_until`.execute(db);
}

const leaseEnd = (leaseMs: number) => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

/** Ends a process's lease and frees its runs at once. */
export async function endLease(db: Db, holder: string): Promise<void> {
  await sql`delete from run_holder where id = ${holder}::uuid`.execute(db);
}

/** Removes processes whose lease has ended. @returns their ids, each to one caller only */
export async function forgetDeadHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from run_holder where id in (
      select id from run_holder where lease_until < clock_timestamp() for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues runs of dead processes. Skips one that is being written to under its fence until the next time.
 * @returns their number
 */
export async function requeueAbandoned(db: Db): Promise<number> {
  const { rows } = await sql`update run set state = 'queued', starts = starts + 1 where (realm_id, id) in (
      select realm_id, id from run r where state = 'working' and not exists (
        select from run_holder h where h.id = r.holder and h.lease_until >= clock_timestamp())
      for update skip locked)
    returning id`.execute(db);
  return rows.length;
}

/** Finds the runs that a process holds. */
export async function findHeldIds(db: Db, holder: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from run
    where state = 'working' and holder = ${holder}::uuid`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
