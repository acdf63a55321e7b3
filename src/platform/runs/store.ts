import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Cause, Ending, HeldRun, RunState } from "#platform/runs/types.ts";
import type { RunTables } from "#platform/runs/tables.ts";

const tables = (db: Db) => db.withTables<RunTables>();

export const RUNS_CHANNEL = "dockside_runs";

type InsertedRun = {
  realmId: string;
  id: string;
  kind: string;
  lane: string;
  subject: string;
  requestedBy: string;
  requestedAt: Date;
  doneBecause?: Cause;
};

export async function insertRun(tx: Db, run: InsertedRun): Promise<void> {
  const isDone = run.doneBecause !== undefined;
  await tables(tx)
    .insertInto("run")
    .values({
      realm_id: run.realmId,
      id: run.id,
      kind: run.kind,
      lane: run.lane,
      subject: run.subject,
      state: isDone ? "done" : "queued",
      cause: run.doneBecause ? toJson(run.doneBecause) : null,
      due_at: run.requestedAt,
      holder: null,
      requested_by: run.requestedBy,
      requested_at: run.requestedAt,
      finished_at: isDone ? run.requestedAt : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (!isDone) await publishWork(tx);
}

/** A run that goes on. */
export type WokenRun = { id: string; kind: string; subject: string };

/**
 * Queues a company's runs that wait for one of some causes.
 * @param wake.causes parameters that a cause does not name do not matter
 */
export async function wakeRuns(
  tx: Db,
  realmId: string,
  { causes, now }: { causes: readonly Cause[]; now: Date },
): Promise<WokenRun[]> {
  const { rows } = await sql<WokenRun>`update run set state = 'queued', cause = null, due_at = ${now}
    where (realm_id, id) in (select realm_id, id from run
      where realm_id = ${realmId} and state = 'waiting'
        and cause @> any (${causes.map((cause) => JSON.stringify(cause))}::jsonb[])
      order by id for update)
    returning id, kind, subject`.execute(tx);
  if (rows.length > 0) await publishWork(tx);
  return rows;
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
  const row = await tables(tx)
    .selectFrom("run")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .where("state", "in", ["queued", "working", "waiting"])
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets what was done about a subject that is removed. */
export async function removeRuns(tx: Db, { realmId, subject }: { realmId: string; subject: string }) {
  await tables(tx).deleteFrom("run").where("realm_id", "=", realmId).where("subject", "=", subject).execute();
}

/** The newest run about a subject, of some kinds. */
export async function findLatestRun(
  db: Db,
  { realmId, subject }: { realmId: string; subject: string },
  kinds: readonly string[],
): Promise<Run | null> {
  const row = await tables(db)
    .selectFrom("run")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("subject", "=", subject)
    .where("kind", "in", [...kinds])
    .orderBy("requested_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row
    ? {
        realmId: row.realm_id,
        id: row.id,
        kind: row.kind,
        subject: row.subject,
        state: row.state,
        cause: row.cause,
        requestedBy: row.requested_by,
        requestedAt: row.requested_at,
        finishedAt: row.finished_at,
      }
    : null;
}

/** Locks a held run for this transaction. @returns false when it is no longer held under this fence */
export async function lockHeld(tx: Db, run: Pick<HeldRun, "realmId" | "id" | "fence">): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom("run")
    .select("id")
    .where("realm_id", "=", run.realmId)
    .where("id", "=", run.id)
    .where("fence", "=", run.fence)
    .where("state", "=", "working")
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that a search has shown what earlier holders of a run did. */
export async function saveLook(tx: Db, { realmId, id }: Pick<HeldRun, "realmId" | "id">): Promise<void> {
  await tables(tx)
    .updateTable("run")
    .set({ look_owed: null })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
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
