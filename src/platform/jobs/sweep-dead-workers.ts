import { hostname } from "node:os";
import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { releaseLeasesOf } from "#platform/outbound/store.ts";

const BEAT_MS = 5_000;
/** A process silent for this long is dead, wherever it ran. */
const SILENT_SECONDS = 30;

type Options = {
  db: Db;
  ids: Ids;
  log: Log;
  lockerIds: readonly string[];
  /** Called with every beat, once the jobs of dead processes are free. */
  resumeLost?: (() => Promise<void>) | undefined;
};
type WorkerProcess = { id: string; host: string; pid: number; locker_ids: string[]; silent: boolean };

/**
 * Writes this process's heartbeat and frees the jobs of processes that stopped beating. The queue itself would keep
 * their locks for four hours. A process of this machine whose pid is gone is known dead at once. Then looks for work
 * whose job was lost.
 */
export async function startSweeper({ db, ids, log, lockerIds, resumeLost }: Options) {
  const id = ids.uuid();
  let stopped = false;
  let last: Promise<void> = Promise.resolve();
  const beatOnce = async () => {
    try {
      await writeBeat(db, id, lockerIds);
      await freeOrphanQueues(db);
      const freed = await freeDeadWorkers(db, id);
      if (freed > 0) log.warn({ processes: freed }, "Freed the jobs of dead worker processes");
    } catch (error) {
      log.warn({ err: error }, "The worker's heartbeat could not be written");
    }
  };
  // One after the other: a beat that is still under way would write a process that has ended back among the living.
  const beat = () => (last = last.then(() => (stopped ? undefined : beatOnce())));
  const sweep = async () => {
    await beat();
    try {
      await resumeLost?.();
    } catch (error) {
      log.warn({ err: error }, "Work without a job could not be looked for");
    }
  };
  await sweep();
  const timer = setInterval(() => void sweep(), BEAT_MS);
  const stop = async () => {
    clearInterval(timer);
    stopped = true;
    await last;
    await sql`delete from worker_process where id = ${id}`.execute(db);
  };
  return { beat, stop };
}

async function writeBeat(db: Db, id: string, lockerIds: readonly string[]): Promise<void> {
  await sql`insert into worker_process (id, host, pid, locker_ids)
    values (${id}, ${hostname()}, ${process.pid}, ${[...lockerIds]})
    on conflict (id) do update set locker_ids = excluded.locker_ids, seen_at = now()`.execute(db);
}

async function freeDeadWorkers(db: Db, ownId: string): Promise<number> {
  const { rows } = await sql<WorkerProcess>`select id, host, pid, locker_ids,
    seen_at < now() - make_interval(secs => ${SILENT_SECONDS}) as silent
    from worker_process where id <> ${ownId}`.execute(db);
  const dead = rows.filter((row) => row.silent || (row.host === hostname() && !isAlive(row.pid)));
  const strangers = await findStrangers(db);
  if (dead.length + strangers.length === 0) return 0;
  const lockerIds = [...dead.flatMap((row) => row.locker_ids), ...strangers];
  await db.transaction().execute(async (tx) => {
    // A process that died is no failure of its job: without this the eighth crash would end the job for good.
    await sql`update graphile_worker._private_jobs set attempts = greatest(attempts - 1, 0)
      where locked_by = any(${lockerIds}::text[])`.execute(tx);
    await releaseLeasesOf(tx, lockerIds);
    await sql`select graphile_worker.force_unlock_workers(${lockerIds}::text[])`.execute(tx);
    await sql`delete from worker_process where id = any(${dead.map((row) => row.id)}::uuid[])`.execute(tx);
  });
  return dead.length + strangers.length;
}

/**
 * Frees queues whose holder works on no job of them. A queue is locked and freed together with its job; only when a
 * worker completed a job that had been taken from it is the queue left behind, and nothing of it would ever run.
 */
async function freeOrphanQueues(db: Db): Promise<void> {
  await sql`update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
    where q.locked_by is not null and not exists (select from graphile_worker._private_jobs j
      where j.job_queue_id = q.id and j.locked_by = q.locked_by)`.execute(db);
}

/** Lockers no process has told of: a process killed between taking a job and its next beat leaves one behind. */
async function findStrangers(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    locked_by: string;
  }>`select distinct locked_by from graphile_worker._private_jobs
    where locked_at < now() - make_interval(secs => ${SILENT_SECONDS})
      and locked_by not in (select unnest(locker_ids) from worker_process)`.execute(db);
  return rows.map((row) => row.locked_by);
}

function isAlive(pid: number): boolean {
  // Our own pid under another process id of the table means that the system gave a dead worker's number to us.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
