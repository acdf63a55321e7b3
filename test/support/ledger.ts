import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { doRun, openSlot } from "#platform/runs/slots.ts";
import type { Cause, HeldRun, RunState } from "#platform/runs/types.ts";
import type { TestApp } from "./start-app.ts";

type Started = {
  state: RunState;
  /** Until it is due; null when it has ended or waits for an event. */
  afterMs: number | null;
  /** The error that its handler threw. */
  error: unknown;
};

type App = Pick<TestApp, "application" | "clock" | "db">;

/**
 * One start of the open run about a subject, as a worker makes it, at a moment of the test's own. A process that has it
 * loses it.
 * @param attempt counts from 1
 */
export async function startRun(
  { application, clock, db }: App,
  subject: string,
  attempt = 1,
  { tookOver = false } = {},
): Promise<Started> {
  const run = await takeRunFor(db, subject, { failures: attempt - 1, tookOver });
  const handler = application.runs.find(({ kind }) => kind === run.kind);
  if (!handler) throw new Error(`There is no handler for runs of kind ${run.kind}.`);
  let thrown: unknown = null;
  const handle: typeof handler.handle = async (work) => {
    try {
      return await handler.handle(work);
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  await clock.during(doRun(application.ctx, openSlot(clock, run, { ...handler, handle })));
  // Before the question: a busy machine answers it late.
  const endedAt = application.ctx.clock.now().getTime();
  const { rows } = await sql<{ state: RunState; due_at: Date | null }>`select state, due_at from run
    where id = ${run.id}::uuid`.execute(db);
  const { state = "done", due_at: dueAt = null } = rows[0] ?? {};
  const isOpen = state === "queued" || state === "waiting";
  const afterMs = isOpen && dueAt ? dueAt.getTime() - endedAt : null;
  return { state, afterMs, error: thrown };
}

/** Starts of the open run about a subject, each when the one before said so, until it ends or waits for a user. @returns how long that took by the clock */
export async function finishRun(
  app: App,
  subject: string,
  { clock, longestMs = 24 * 3_600_000 }: { clock: { advance(ms: number): void }; longestMs?: number },
): Promise<number> {
  let waitedMs = 0;
  for (;;) {
    const { afterMs } = await startRun(app, subject);
    if (afterMs === null) return waitedMs;
    if (waitedMs > longestMs) throw new Error("A run does not end.");
    const ms = Math.max(afterMs, 0);
    clock.advance(ms);
    waitedMs += ms;
  }
}

async function takeRunFor(
  db: Db,
  subject: string,
  { failures, tookOver }: { failures: number; tookOver: boolean },
): Promise<HeldRun> {
  const { rows } = await sql<HeldRun>`with open as (select realm_id, id, state, cause from run
      where subject = ${subject}::uuid and state in ('queued', 'working', 'waiting')
      order by requested_at desc limit 1 for update)
    update run r set state = 'working', cause = null, holder = gen_random_uuid(), fence = r.fence + 1,
      failures = ${failures}, needs_reconcile = case when ${tookOver} then 'taken_over' else r.needs_reconcile end
    from open where r.realm_id = open.realm_id and r.id = open.id
    returning r.realm_id as "realmId", r.id, r.kind, r.subject, r.fence, r.requested_by as "requestedBy",
      r.requested_at as "requestedAt", r.starts, r.failures, r.needs_reconcile as "needsReconcile", case when open.state = 'waiting' then open.cause end as "waitedFor"`.execute(
    db,
  );
  if (!rows[0]) throw new Error("There is no open run about this.");
  return rows[0];
}

/** Makes runs that wait due, as if their time had passed. */
export const hurryRuns = (db: Db) =>
  sql`update run set due_at = now() - interval '1 s' where state in ('queued', 'waiting') and due_at is not null
    and realm_id <> ''`.execute(db);

export type RunRow = { id: string; kind: string; state: RunState; cause: Cause | null; fence: number };

/** The newest run about a subject. */
export async function findRun(db: Db, subject: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select id, kind, state, cause, fence from run
    where subject = ${subject}::uuid order by requested_at desc limit 1`.execute(db);
  return rows[0];
}

/** Opens the ended run about a subject again, as a process leaves it that dies before it says that it ended. */
export const reopenRun = (db: Db, subject: string) =>
  sql`update run set state = 'queued', finished_at = null where subject = ${subject}::uuid`.execute(db);

/** How many invoices of the ledger are in a state. */
export async function countEntries(db: Db, state: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from ledger_entry where state = ${state}`.execute(db);
  return rows[0]?.n ?? 0;
}
