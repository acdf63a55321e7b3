import { sql, type RawBuilder } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { HeldRun } from "#platform/runs/types.ts";

/** The process that looks for work, the kinds, and the time. */
export type Worker = { holder: string; kinds: readonly string[]; now: Date };

/** PostgreSQL's error when a second run of a lane would start. */
const LANE_TAKEN = "23505";

/** Per kind and state: other processes may take the first ones at the same time, and one search serves many takes. */
const CANDIDATES = 64;

/** A run that only needed a slot when a search found it. */
export type FoundRun = { realmId: string; id: string; kind: string };

/**
 * Takes the run that waited longest among those with a free lane.
 * @param line runs that an earlier search found, longest waiting first: one of them instead of all. A search walks over
 *   every version of a run that a long snapshot keeps, such as a backup's; a take from a line reads one run by its key
 * @returns the run, and the others of its line or search; null if there is none now
 */
export async function takeRun(
  db: Db,
  worker: Worker,
  line?: readonly FoundRun[],
): Promise<(HeldRun & { line: FoundRun[] }) | null> {
  const at = hidden(worker.now);
  const name = line ? sql`/* prepared take-found-run */` : sql`/* prepared take-run */`;
  try {
    // Open states are named by the others: with their names, the small index of open runs looks cheaper than the key, and
    // it has an entry for each version.
    const { rows } = await sql<Omit<HeldRun, "takenAt"> & { line: FoundRun[] }>`${name} with next as (
      select r.realm_id, r.id, r.state, r.cause, candidate.line from (${line ? inLine(line) : searched(worker)}) candidate
      cross join lateral (select * from run r where r.realm_id = candidate.realm_id and r.id = candidate.id
        and r.state not in ('working', 'done', 'stopped') and (r.state <> 'waiting' or r.due_at <= ${at})
        for update skip locked) r limit 1)
    update run r set state = 'working', cause = null, holder = ${worker.holder}::uuid, fence = r.fence + 1,
      needs_reconcile = case when r.holder <> ${worker.holder}::uuid then 'taken_over' else r.needs_reconcile end
    from next where r.realm_id = next.realm_id and r.id = next.id
    returning r.realm_id as "realmId", r.id, r.kind, r.subject, r.fence, r.requested_by as "requestedBy",
      r.requested_at as "requestedAt", r.trace_id as "traceId", r.request_id as "requestId", r.starts, r.failures, r.canceled_by as "canceledBy", r.needs_reconcile as "needsReconcile",
      case when next.state = 'waiting' then next.cause end as "waitedFor", next.line`.execute(db);
    const run = rows[0];
    if (!run) return null;
    return { ...run, takenAt: worker.now, line: (line ?? run.line).filter(({ id }) => id !== run.id) };
  } catch (error) {
    // An older run of the lane was woken while another process took this one.
    if ((error as { code?: string }).code === LANE_TAKEN) return null;
    throw error;
  }
}

const searched = (worker: Worker) => sql`select realm_id, id, due_at as place,
    json_agg(json_build_object('realmId', realm_id, 'id', id, 'kind', kind))
      over (order by due_at rows between unbounded preceding and unbounded following) as line
  from (${candidates(worker)}) found order by due_at limit ${sql.lit(CANDIDATES)}`;

const inLine = (line: readonly FoundRun[]) =>
  sql`select realm_id, id, place, null as line from unnest(${line.map(({ realmId }) => realmId)}::text[],
    ${line.map(({ id }) => id)}::uuid[]) with ordinality as line (realm_id, id, place) order by place limit ${sql.lit(CANDIDATES)}`;

/** Counts the lanes with a run that only needs a slot, at most `limit` and as many as there are candidates. */
export async function countWaitingLanes(db: Db, worker: Worker, limit: number): Promise<number> {
  const { rows } = await sql<{
    lanes: number;
  }>`/* prepared count-lanes */ select count(*)::int as lanes from (
    select from (${candidates(worker)}) found limit ${limit}) lanes`.execute(db);
  return rows[0]?.lanes ?? 0;
}

/** Queued runs of a kind that are looked at before lanes are; most queues are shorter. */
const NEAREST = 128;

/**
 * Selects the first runs of each kind that only need a slot: their lane has no active run and no run requested
 * earlier, except waiting ones. Queued and waiting runs are read separately, each by an index, however many
 * runs of other kinds are queued and however many wait for later. When the nearest queued runs are mostly
 * later ones of their lanes, the first of each lane is read instead, so that a take costs as much as there are
 * lanes and not as much as there are runs. One that another process has just moved to the end of the line of
 * lanes is still the first of its own lane.
 */
const candidates = ({ kinds, now }: Worker): RawBuilder<unknown> => {
  const at = hidden(now);
  // As a literal: a plan that is made once must know that few rows are wanted.
  const most = sql.lit(CANDIDATES);
  const columns = sql`r.realm_id, r.id, r.lane, r.due_at`;
  const queued = sql`r.kind = kinds.kind and r.state = 'queued'`;
  const firstOfLane = sql`order by r.lane, r.requested_at, r.id limit 1`;
  // The nearest are in order already: without another sort, those behind the first sixteen are not looked at.
  // A subquery for each run, because a join would read every open run of the lanes.
  const mayStart = sql`r.lane not in (select lane from run where state = 'working') and ${isFirstOfLane(at)}`;
  const firstDue = sql`order by r.due_at limit ${most}`;
  return sql`select due.realm_id, due.id, kinds.kind, due.due_at from unnest((select ${[...kinds]}::text[])) as kinds (kind) cross join lateral (
    with recursive nearest as materialized (
      select ${columns} from run r where ${queued} and r.due_at is not null order by r.due_at limit ${sql.lit(NEAREST)}),
    near as materialized (select ${columns} from nearest r where ${mayStart} limit ${most}),
    lane as (
      (select ${columns} from run r where ${queued} and (select count(*) from nearest) = ${sql.lit(NEAREST)}
        and (select count(*) from near) < ${most} ${firstOfLane})
      union all select next.* from lane cross join lateral (
        select ${columns} from run r where ${queued} and r.lane > lane.lane ${firstOfLane}) next)
    select * from near union (select ${columns} from lane r where ${mayStart} ${firstDue})
    union all (select ${columns} from run r where r.kind = kinds.kind and r.state = 'waiting'
      and r.due_at > '-infinity' and r.due_at <= ${at}
      and ${mayStart} ${firstDue})) due`;
};

// Ordered by the lane, too, and never by the index of due runs, whose every version would be read for each lane.
const isFirstOfLane = (at: RawBuilder<unknown>) =>
  sql`r.id = (select older.id from run older where older.lane = r.lane and older.state in ('queued', 'waiting')
      and (older.state = 'queued' or older.due_at <= ${at}) order by older.lane, older.requested_at, older.id limit 1)`;

/**
 * Hides a value from the planner, which otherwise makes a new plan for each value. That takes longer than
 * looking for runs. It takes a third of all rows to be below a hidden value, and few to be between two: hence
 * the lower bound of those that are due.
 */
const hidden = (value: Date) => sql`(select ${value}::timestamptz)`;

type Timed = { db: Db; clock: Clock };

const upsertLease = (clock: Clock, holder: string, leaseMs: number) =>
  sql`insert into run_holder (id, lease_until) values (${holder}::uuid, ${leaseEnd(clock, leaseMs)})
    on conflict (id) do update set lease_until = excluded.lease_until`;

const leaseEnd = (clock: Clock, leaseMs: number) =>
  sql`${databaseTime(clock)} + make_interval(secs => ${leaseMs / 1000})`;

/** Ends a process's lease and frees its runs at once. */
export async function endLease(db: Db, holder: string): Promise<void> {
  await sql`delete from run_holder where id = ${holder}::uuid`.execute(db);
}

/**
 * Removes processes whose lease has ended, and queues the runs of dead ones. Skips a run that is being written to
 * under its fence until the next time.
 * @returns the ids of removed processes, each to one caller only, and the number of queued runs
 */
export async function requeueAbandoned({ db, clock }: Timed) {
  const { rows } = await sql<{ dead: string[]; queued: number }>`with dead as (
      delete from run_holder where id in (
        select id from run_holder where lease_until < ${databaseTime(clock)} for update skip locked)
      returning id),
    abandoned as (
      update run set state = 'queued', starts = starts + 1 where (realm_id, id) in (
        select realm_id, id from run r where state = 'working' and not exists (
          select from run_holder h where h.id = r.holder and h.lease_until >= ${databaseTime(clock)})
        for update skip locked)
      returning id)
    select array(select id::text from dead) as dead, (select count(*)::int from abandoned) as queued`.execute(
    db,
  );
  return rows[0] ?? { dead: [], queued: 0 };
}

/**
 * Queues runs that a process holds without knowing it: its connection was lost between the commit and the
 * answer. @param known the runs it works on
 * @returns the number of queued runs
 */
export async function requeueUnanswered(db: Db, holder: string, known: ReadonlySet<string>): Promise<number> {
  const { rows } = await sql`update run set state = 'queued'
    where state = 'working' and holder = ${holder}::uuid and id <> all (${[...known]}::uuid[])
    returning id`.execute(db);
  return rows.length;
}

/** Creates or renews a process's lease. @returns the runs that it holds, and those of them that are canceled */
export async function renewHeld(
  { db, clock }: Timed,
  holder: string,
  leaseMs: number,
): Promise<{ held: ReadonlySet<string>; canceled: ReadonlySet<string> }> {
  const { rows } = await sql<{
    id: string;
    isCanceled: boolean;
  }>`with renewed as (${upsertLease(clock, holder, leaseMs)})
    select id, canceled_by is not null as "isCanceled" from run where state = 'working' and holder = ${holder}::uuid`.execute(
    db,
  );
  return {
    held: new Set(rows.map(({ id }) => id)),
    canceled: new Set(rows.filter(({ isCanceled }) => isCanceled).map(({ id }) => id)),
  };
}

/**
 * The database's own time: the one clock that processes on several machines share. A stepped clock of a test stands in
 * for it, so that a lease ends when the test lets it.
 */
const databaseTime = (clock: Clock): RawBuilder<Date> =>
  clock.isStepped ? sql<Date>`${clock.now()}::timestamptz` : sql<Date>`clock_timestamp()`;
