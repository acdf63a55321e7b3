import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { RunDefinition } from "#platform/runs/define-run.ts";
import type { Cause, Ending, HeldRun, RunState } from "#platform/runs/types.ts";

export const RUNS_CHANNEL = "dockside_runs";

type NewRun = {
  realmId: string;
  id: string;
  subject: string;
  requestedBy: string;
  requestedAt: Date;
  /** Given for a run that has nothing to do: it is written down as done. */
  doneBecause?: Cause | null;
};

/**
 * Adds a run, in the transaction of `tx` when it is one: the run exists exactly when the transaction commits. While one of
 * the same kind and subject is open nothing is added.
 */
export async function addRun(tx: Db, { kind, lane }: RunDefinition, run: NewRun): Promise<void> {
  const { realmId, requestedAt, doneBecause } = run;
  const cause = doneBecause ? toJson(doneBecause) : null;
  await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, due_at, requested_by, requested_at, finished_at)
    values (${realmId}, ${run.id}, ${kind}, ${lane(realmId)}, ${run.subject}, ${cause ? "done" : "queued"}, ${cause},
      ${requestedAt}, ${run.requestedBy}, ${requestedAt}, ${cause && requestedAt})
    on conflict do nothing`.execute(tx);
  if (!cause) await publishWork(tx);
}

/**
 * Queues a company's runs that wait for one of some causes.
 * @param wake.causes parameters that a cause does not name do not matter
 * @returns their ids
 */
export async function wakeRuns(
  tx: Db,
  realmId: string,
  { causes, now }: { causes: readonly Cause[]; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update run set state = 'queued', cause = null, due_at = ${now}
    where (realm_id, id) in (select realm_id, id from run
      where realm_id = ${realmId} and state = 'waiting'
        and cause @> any (${causes.map((cause) => JSON.stringify(cause))}::jsonb[])
      order by id for update)
    returning id`.execute(tx);
  if (rows.length > 0) await publishWork(tx);
  return rows.map(({ id }) => id);
}

/** A run as it is now. */
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

/** Locks a run for this transaction, against its end, while it is open. @returns false when it has ended */
export async function holdIfOpen(tx: Db, { realmId, id }: { realmId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`select from run where realm_id = ${realmId} and id = ${id}::uuid
    and state in ('queued', 'working', 'waiting') for share`.execute(tx);
  return rows.length > 0;
}

/** Forgets the runs about a subject. */
export async function removeRuns(
  tx: Db,
  { realmId, subject }: { realmId: string; subject: string },
): Promise<void> {
  await sql`delete from run where realm_id = ${realmId} and subject = ${subject}::uuid`.execute(tx);
}

/** The newest run about a subject, of some kinds. */
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

/** Locks a held run for this transaction. @returns false when it is no longer held under this fence */
export async function lockHeld(tx: Db, run: Pick<HeldRun, "realmId" | "id" | "fence">): Promise<boolean> {
  const { rows } = await sql`select from run where realm_id = ${run.realmId} and id = ${run.id}::uuid
    and fence = ${run.fence} and state = 'working' for share`.execute(tx);
  return rows.length > 0;
}

/** Records that a search has shown what earlier holders of a run did. */
export async function markReconciled(
  tx: Db,
  { realmId, id }: Pick<HeldRun, "realmId" | "id">,
): Promise<void> {
  await sql`update run set needs_reconcile = null where realm_id = ${realmId} and id = ${id}::uuid`.execute(
    tx,
  );
}

/** Writes how a held run ended; its row is locked by the fence. The lane goes to the end of the line of lanes. */
export async function saveEnding(tx: Db, run: HeldRun, { ending, now }: { ending: Ending; now: Date }) {
  const { rows } = await sql<{ lane: string }>`update run set state = ${ending.state},
      cause = ${"cause" in ending && ending.cause ? toJson(ending.cause) : null}::jsonb,
      due_at = ${ending.state === "waiting" ? ending.dueAt : now},
      failures = ${failuresAfter(run, ending)},
      finished_at = ${ending.state === "done" || ending.state === "stopped" ? now : null}
    where realm_id = ${run.realmId} and id = ${run.id}::uuid returning lane`.execute(tx);
  // Else the next run of the lane, requested long ago, would come before other lanes that wait since then.
  await sql`update run set due_at = ${now} where (realm_id, id) = (select realm_id, id from run
    where lane = ${rows[0]?.lane ?? ""} and state in ('queued', 'waiting') and due_at < ${now}
    order by requested_at, id limit 1 for update skip locked)`.execute(tx);
}

function failuresAfter({ failures }: HeldRun, ending: Ending): number {
  if (ending.state === "queued") return failures;
  return ending.state === "waiting" && ending.failed ? failures + 1 : 0;
}

/** Makes every dispatcher look for work once the transaction commits. */
async function publishWork(tx: Db): Promise<void> {
  await sql`select pg_notify(${RUNS_CHANNEL}, '')`.execute(tx);
}
