import { hostname } from "node:os";
import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";

const BEAT_MS = 5_000;
/** A process silent for this long is dead, wherever it ran. */
const SILENT_SECONDS = 30;

type Options = { db: Db; ids: Ids; log: Log; workerIds: readonly string[] };
type WorkerProcess = { id: string; host: string; pid: number; worker_ids: string[]; silent: boolean };

/**
 * Writes this process's heartbeat and frees the jobs of processes that stopped beating. The queue itself would keep
 * their locks for four hours. A process of this machine whose pid is gone is known dead at once.
 */
export async function startSweeper({ db, ids, log, workerIds }: Options) {
  const id = ids.uuid();
  const beat = async () => {
    try {
      await writeBeat(db, id, workerIds);
      const freed = await freeDeadWorkers(db, id);
      if (freed > 0) log.warn({ processes: freed }, "Freed the jobs of dead worker processes");
    } catch (error) {
      log.warn({ err: error }, "The worker's heartbeat could not be written");
    }
  };
  await beat();
  const timer = setInterval(() => void beat(), BEAT_MS);
  const stop = async () => {
    clearInterval(timer);
    await sql`delete from worker_process where id = ${id}`.execute(db);
  };
  return { beat, stop };
}

async function writeBeat(db: Db, id: string, workerIds: readonly string[]): Promise<void> {
  await sql`insert into worker_process (id, host, pid, worker_ids)
    values (${id}, ${hostname()}, ${process.pid}, ${[...workerIds]})
    on conflict (id) do update set worker_ids = excluded.worker_ids, seen_at = now()`.execute(db);
}

async function freeDeadWorkers(db: Db, ownId: string): Promise<number> {
  const { rows } = await sql<WorkerProcess>`select id, host, pid, worker_ids,
    seen_at < now() - make_interval(secs => ${SILENT_SECONDS}) as silent
    from worker_process where id <> ${ownId}`.execute(db);
  const dead = rows.filter((row) => row.silent || (row.host === hostname() && !isAlive(row.pid)));
  if (dead.length === 0) return 0;
  await db.transaction().execute(async (tx) => {
    await sql`select graphile_worker.force_unlock_workers(${dead.flatMap((row) => row.worker_ids)}::text[])`.execute(tx);
    await sql`delete from worker_process where id = any(${dead.map((row) => row.id)}::uuid[])`.execute(tx);
  });
  return dead.length;
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
