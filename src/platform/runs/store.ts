import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { RunDefinition } from "#platform/runs/define-run.ts";
import { nextTime } from "#platform/runs/times.ts";
import { currentTrace } from "#platform/trace.ts";
import { redactSecrets } from "#contract/secret-patterns.ts";
import type { Cause, Ending, HeldRun, RunState } from "#platform/runs/types.ts";

export const RUNS_CHANNEL = "dockside_runs";

type NewRun = {
  realmId: string;
  id: string;
  subject: string;
  /** Part of the company, for a kind whose lanes are those of parts. */
  part?: string;
  requestedBy: string;
  requestedAt: Date;
  /** Set for a run that has nothing to do: it is recorded as done. */
  completedBecause?: Cause | null;
};

/**
 * Adds a run, in the transaction of `tx` if it is one: the run exists exactly if the transaction commits.
 * Adds nothing while a run of the same kind and subject is open. The run keeps the trace of the request that
 * adds it.
 */
export async function addRun(tx: Db, { kind, lane }: RunDefinition, run: NewRun): Promise<void> {
  const { realmId, requestedAt, completedBecause } = run;
  const cause = completedBecause ? toJson(completedBecause) : null;
  const trace = currentTrace();
  await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, due_at, requested_by, requested_at, finished_at,
      trace_id, request_id)
    values (${realmId}, ${run.id}, ${kind}, ${lane(realmId, run.part)}, ${run.subject}, ${cause ? "done" : "queued"}, ${cause},
      ${requestedAt}, ${run.requestedBy}, ${requestedAt}, ${cause && requestedAt}, ${trace?.traceId ?? null},
      ${trace?.reqId ?? null})
    on conflict do nothing`.execute(tx);
  if (!cause) await publishWork(tx, kind);
}

/** Runs of the system have no company and no subject. */
const NO_REALM = "";
const NO_SUBJECT = "00000000-0000-0000-0000-000000000000";

/**
 * Adds a periodic run if there is none, once across all processes. One that waits for a later time than its next one was
 * scheduled by a clock that was ahead, and would wait for as long.
 */
export async function ensureRun(db: Db, { kind, lane, ...period }: RunDefinition, now: Date): Promise<void> {
  await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, due_at, requested_by, requested_at)
    values (${NO_REALM}, gen_random_uuid(), ${kind}, ${lane(NO_REALM)}, ${NO_SUBJECT}, 'waiting', ${toJson(SCHEDULED)},
      ${nextTime(period, now)}, 'system', ${now})
    on conflict (realm_id, subject, kind) where state in ('queued', 'working', 'waiting') do update
      set due_at = least(run.due_at, excluded.due_at) where run.state = 'waiting'`.execute(db);
}

/** Cause of a waiting periodic run. */
export const SCHEDULED: Cause = { code: "scheduled" };

/**
 * Requests a run of the system, in the transaction of `tx` if it is one. An open run is requested again: it
 * will start again after the commit and see the transaction's data, even if it is running now.
 */
export async function requestRun(tx: Db, { kind, lane }: RunDefinition, now: Date): Promise<void> {
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    values (${NO_REALM}, gen_random_uuid(), ${kind}, ${lane(NO_REALM)}, ${NO_SUBJECT}, 'queued', ${now}, 'system', ${now})
    on conflict (realm_id, subject, kind) where state in ('queued', 'working', 'waiting') do update set
      requested_at = greatest(excluded.requested_at, run.requested_at + interval '1 ms'),
      due_at = case run.state when 'waiting' then excluded.due_at else run.due_at end,
      cause = case run.state when 'waiting' then null else run.cause end,
      state = case run.state when 'waiting' then 'queued' else run.state end`.execute(tx);
  await publishWork(tx, kind);
}

/** Open runs of one kind in one state. `dueSince`: of the one that is due longest; null if none has a time. */
export type OpenRunCount = { kind: string; state: RunState; count: number; dueSince: Date | null };

/** Counts the open runs, by an index of open ones however many have ended. */
export async function countOpenRuns(db: Db): Promise<OpenRunCount[]> {
  const { rows } =
    await sql<OpenRunCount>`select kind, state, count(*) as count, min(due_at) as "dueSince" from run
    where state in ('queued', 'working', 'waiting') group by kind, state order by kind, state`.execute(db);
  return rows;
}

/** Makes a waiting run due now, in the transaction of `tx` if it is one. @returns its kind, null if it does not wait */
export async function makeDue(
  tx: Db,
  { realmId, id, now }: { realmId: string; id: string; now: Date },
): Promise<string | null> {
  const { rows } = await sql<{ kind: string }>`update run set state = 'queued', cause = null, due_at = ${now}
    where realm_id = ${realmId} and id = ${id}::uuid and state = 'waiting' returning kind`.execute(tx);
  const kind = rows[0]?.kind ?? null;
  if (kind !== null) await publishWoken(tx);
  return kind;
}

/** Who cancels the runs of former users. */
export const NEW_OWNER = "a new owner";

/** Cause of a canceled run's end. */
export const cancelCause = (by: string): { code: string; params: Record<string, string> } =>
  by === NEW_OWNER ? { code: "new_owner", params: {} } : { code: "canceled", params: { by } };

/**
 * Asks for the end of open runs, in the transaction of `tx` if it is one. Waiting ones become due now; a working one is
 * stopped after its step. Asking twice is harmless.
 * @param which the run by its id, runs about a subject, or explicitly all of the kinds
 * @returns the canceled runs; empty if none of these kinds is open
 */
export async function cancelRuns(
  tx: Db,
  which: { realmId: string; kinds: readonly string[] } & (
    | { id: string }
    | { subject: string }
    | { all: true }
  ),
  { by, now }: { by: string; now: Date },
) {
  let those = sql`true`;
  if ("id" in which) those = sql`id = ${which.id}::uuid`;
  else if ("subject" in which) those = sql`subject = ${which.subject}::uuid`;
  const { rows } = await sql<{
    id: string;
    kind: string;
  }>`update run set canceled_by = coalesce(canceled_by, ${by}),
      due_at = case state when 'waiting' then ${now} else due_at end,
      cause = case state when 'waiting' then null else cause end,
      state = case state when 'waiting' then 'queued' else state end
    where realm_id = ${which.realmId} and ${those} and kind = any (${[...which.kinds]}::text[])
      and state in ('queued', 'working', 'waiting') returning id, kind`.execute(tx);
  if (rows.length > 0) await publishWoken(tx);
  return rows;
}

/** Failures kept of one run; with the growing waits between them, those of several days. */
const KEPT_FAILURES = 20;

type RunFailure = { failures: number; cause: string; error: unknown; now: Date };

/** Records a failure of a run without the secrets that it may quote, and removes its oldest ones. */
export async function addFailure(
  db: Db,
  { realmId, id }: Pick<HeldRun, "realmId" | "id">,
  { failures, cause, error, now }: RunFailure,
): Promise<void> {
  const texts = error instanceof Error ? [error.message, error.stack ?? ""] : [String(error), ""];
  const [message = "", stack = ""] = texts.map((text) => redactSecrets(text.slice(0, 20_000)));
  await sql`insert into run_failure (realm_id, run_id, at, failures, cause, message, stack)
    select realm_id, id, ${now}, ${failures}, ${cause}, ${message.slice(0, 1_000)}, ${stack.slice(0, 8_000)}
      from run where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
  await sql`delete from run_failure where realm_id = ${realmId} and run_id = ${id}::uuid and at < (select at from run_failure
    where realm_id = ${realmId} and run_id = ${id}::uuid order by at desc offset ${KEPT_FAILURES - 1} limit 1)`.execute(
    db,
  );
}

type RunLog = {
  addedBy: string;
  /** Processes that died while working on it. */
  starts: number;
  canceledBy: string | null;
  failures: { at: Date; failures: number; cause: string; message: string; stack: string; workedBy: string }[];
};

/** Finds what happened to a run: its last failures, oldest first. */
export async function findRunLog(
  db: Db,
  { realmId, id }: { realmId: string; id: string },
): Promise<RunLog | null> {
  const { rows } = await sql<
    Omit<RunLog, "failures">
  >`select added_by as "addedBy", starts, canceled_by as "canceledBy"
    from run where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
  const { rows: failures } = await sql<RunLog["failures"][number]>`select at, failures, cause, message, stack,
      worked_by as "workedBy"
    from run_failure where realm_id = ${realmId} and run_id = ${id}::uuid order by at`.execute(db);
  return rows[0] ? { ...rows[0], failures } : null;
}

/** Removes runs of a kind that ended before a time. */
export async function removeEndedRuns(db: Db, { kind }: RunDefinition, before: Date): Promise<void> {
  await sql`delete from run where kind = ${kind} and finished_at < ${before}`.execute(db);
}

/**
 * Queues a company's runs that wait for one of some causes.
 * @param wake.causes parameters missing in a cause match any value
 * @returns their ids
 */
export async function wakeRuns(
  tx: Db,
  realmId: string,
  { causes, now }: { causes: readonly Cause[]; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
    kind: string;
  }>`update run set state = 'queued', cause = null, due_at = ${now}
    where (realm_id, id) in (select realm_id, id from run
      where realm_id = ${realmId} and state = 'waiting'
        and cause @> any (${causes.map((cause) => JSON.stringify(cause))}::jsonb[])
      order by id for update)
    returning id, kind`.execute(tx);
  if (rows.length > 0) await publishWoken(tx);
  return rows.map(({ id }) => id);
}

/** Makes runs that wait for a cause due at a time, unless they are due earlier. A poll finds them then. */
export async function runSooner(
  tx: Db,
  realmId: string,
  { cause, at }: { cause: Cause; at: Date },
): Promise<void> {
  await sql`update run set due_at = least(due_at, ${at}) where realm_id = ${realmId} and state = 'waiting'
    and cause @> ${JSON.stringify(cause)}::jsonb`.execute(tx);
}

/** The current state of a run. */
export type Run = {
  realmId: string;
  id: string;
  kind: string;
  subject: string;
  state: RunState;
  cause: Cause | null;
  requestedBy: string;
  requestedAt: Date;
  finishedAt: Date | null;
};

/**
 * Locks an open run until the transaction ends, so that it can't end meanwhile. @returns false if it has
 * ended
 */
export async function holdIfOpen(tx: Db, { realmId, id }: { realmId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`select from run where realm_id = ${realmId} and id = ${id}::uuid
    and state in ('queued', 'working', 'waiting') for share`.execute(tx);
  return rows.length > 0;
}

/** Removes the runs about a subject. */
export async function removeRuns(
  tx: Db,
  { realmId, subject }: { realmId: string; subject: string },
): Promise<void> {
  await sql`delete from run where realm_id = ${realmId} and subject = ${subject}::uuid`.execute(tx);
}

/** Finds the newest run about a subject, of some kinds. */
export async function findLatestRun(
  db: Db,
  { realmId, subject }: { realmId: string; subject: string },
  kinds: readonly string[],
): Promise<Run | null> {
  const { rows } = await sql<Run>`select realm_id as "realmId", id, kind, subject, state, cause,
      requested_by as "requestedBy", requested_at as "requestedAt", finished_at as "finishedAt"
    from run where realm_id = ${realmId} and subject = ${subject}::uuid and kind = any (${[...kinds]}::text[])
    order by requested_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks a held run until the transaction ends. Its state is compared here, since the small index of working runs looks
 * cheaper than the key: beside a long snapshot it has an entry for each run that ever worked.
 * @returns false if it is no longer held under this fence
 */
export async function lockHeld(tx: Db, run: Pick<HeldRun, "realmId" | "id" | "fence">): Promise<boolean> {
  const { rows } = await sql<{ state: RunState }>`select state from run
    where realm_id = ${run.realmId} and id = ${run.id}::uuid and fence = ${run.fence} for share`.execute(tx);
  return rows[0]?.state === "working";
}

/** Records that a search has found what earlier holders of a run did. */
export async function markReconciled(
  tx: Db,
  { realmId, id }: Pick<HeldRun, "realmId" | "id">,
): Promise<void> {
  await sql`update run set needs_reconcile = null where realm_id = ${realmId} and id = ${id}::uuid`.execute(
    tx,
  );
}

/**
 * Writes the ending of a held run, whose row is locked by the fence. Queues a run that was requested again
 * meanwhile instead of marking it done. Moves the lane to the end of the line of lanes.
 */
export async function saveEnding(tx: Db, run: HeldRun, { ending, now }: { ending: Ending; now: Date }) {
  // With millisecond precision, as in our clock and in the run as read.
  const isAskedAgain = sql<boolean>`(${ending.state === "done"}::boolean
    and date_trunc('milliseconds', requested_at) > ${run.requestedAt})`;
  // Canceled after this start: the next one learns of it.
  const isCanceled = sql<boolean>`(${ending.state === "waiting" && !run.canceledBy}::boolean and canceled_by is not null)`;
  const staysCanceled = ending.state === "queued" || (ending.state === "waiting" && ending.failed === true);
  const { rows } = await sql<{ lane: string }>`update run set
      state = case when ${isAskedAgain} or ${isCanceled} then 'queued' else ${ending.state} end,
      canceled_by = case when ${staysCanceled}::boolean or ${isCanceled} then canceled_by end,
      cause = case when ${isCanceled} then null
        else ${"cause" in ending && ending.cause ? toJson(ending.cause) : null}::jsonb end,
      due_at = case when ${isCanceled} then ${now} else ${ending.state === "waiting" ? ending.dueAt : now}::timestamptz end,
      failures = ${failuresAfter(run, ending)},
      finished_at = case when ${isAskedAgain} then null
        else ${ending.state === "done" || ending.state === "stopped" ? now : null}::timestamptz end
    where realm_id = ${run.realmId} and id = ${run.id}::uuid returning lane`.execute(tx);
  // Otherwise the lane's next run, requested before this one was taken, would come before lanes that have waited since then.
  await sql`update run set due_at = ${now} where (realm_id, id) = (select realm_id, id from run
    where lane = ${rows[0]?.lane ?? ""} and state in ('queued', 'waiting') and due_at < ${run.takenAt}
      and requested_at >= ${run.requestedAt}
    order by requested_at, id limit 1 for update skip locked)`.execute(tx);
}

function failuresAfter({ failures }: HeldRun, ending: Ending): number {
  if (ending.state === "queued") return failures;
  return ending.state === "waiting" && ending.failed ? failures + 1 : 0;
}

/** Makes every dispatcher of a kind look for work once the transaction commits. */
async function publishWork(tx: Db, kind: string): Promise<void> {
  await sql`select pg_notify(${RUNS_CHANNEL}, ${kind})`.execute(tx);
}

/** Makes every dispatcher search again: a woken run may be older than what it found in the same lane. */
const publishWoken = (tx: Db) => publishWork(tx, "");
