import { EventEmitter } from "node:events";
import { sql } from "kysely";
import { Logger, run, runMigrations, type Runner, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import { JobTaken, type BoundJob } from "#platform/jobs/define-job.ts";
import { startSweeper } from "#platform/jobs/sweep-dead-workers.ts";
import type { Log } from "#platform/log.ts";

/** How many jobs one process works on at once. */
const CONCURRENCY = 4;

type Options = {
  pool: pg.Pool;
  db: Db;
  ids: Ids;
  log: Log;
  jobs: readonly BoundJob[];
  /** Name under which this process holds leases of call budgets; they are given back when it dies. */
  leaseHolder?: string;
  /** Called at the start and then every few seconds: gives a job to work whose own was lost. */
  resumeLost?: () => Promise<void>;
};

/** Prepares the queue's own tables; safe to call from several processes at once. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: quietLogger });
}

/**
 * Starts working on jobs of the given kinds, and frees the jobs of dead processes.
 * @returns a function that lets running jobs finish their step and stops
 */
export async function runJobs(options: Options): Promise<() => Promise<void>> {
  const { pool, db, ids, log, jobs, leaseHolder, resumeLost } = options;
  const lockerIds: string[] = leaseHolder ? [leaseHolder] : [];
  const stopping = new AbortController();
  const sweeper = await startSweeper({ db, ids, log, lockerIds, resumeLost });
  const runner: Runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    pollInterval: 1_000,
    logger: quietLogger,
    taskList: toTaskList(jobs, { db, log, stop: stopping.signal }),
    events: watchLockers(lockerIds, sweeper.beat),
  });
  return async () => {
    stopping.abort();
    await runner.stop();
    await sweeper.stop();
  };
}

type Place = Pick<Options, "db" | "log"> & { stop: AbortSignal };

function toTaskList(jobs: readonly BoundJob[], { db, log, stop }: Place): TaskList {
  const kinds = new Set(jobs.map((job) => job.kind));
  if (kinds.size !== jobs.length) throw new Error("Two jobs share one kind.");
  const tasks = jobs.map((job) => [
    job.kind,
    async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number; id: string } }) => {
      const { attempts, max_attempts: most, id } = helpers.job;
      try {
        if (stop.aborted) await leaveJob(db, id);
        await job.run(payload, { attempt: attempts, isLastAttempt: attempts >= most, stop });
      } catch (error) {
        // The library completes a job by its id alone, but fails it only for the one who holds its lock.
        if (error instanceof JobTaken)
          log.warn({ job: id, kind: job.kind, why: error.message }, "A job is left to another worker");
        else log.error({ err: error, job: id, kind: job.kind, attempt: attempts }, "A job failed");
        throw error;
      }
    },
  ]);
  return Object.fromEntries(tasks) as TaskList;
}

/** The library may be taking a job in the very moment in which it is told to stop. @throws JobTaken always */
async function leaveJob(db: Db, id: string): Promise<never> {
  await sql`with left_job as (update graphile_worker._private_jobs
      set attempts = greatest(attempts - 1, 0), locked_by = null, locked_at = null where id = ${id}
      returning job_queue_id)
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
      from left_job where q.id = left_job.job_queue_id`.execute(db);
  throw new JobTaken("This process stops.");
}

/** Jobs are locked by the pool's id or by a worker's, and both are only told by events; the sweeper needs them. */
function watchLockers(lockerIds: string[], beat: () => Promise<void>) {
  const events = new EventEmitter() as WorkerEvents;
  const add = (id: string) => {
    lockerIds.push(id);
    void beat();
  };
  events.on("pool:create", ({ workerPool }) => add(workerPool.id));
  events.on("worker:create", ({ worker }) => add(worker.workerId));
  return events;
}

/** The library tells each job in prose; our own log tells failures, with their cause. */
const quietLogger = new Logger(() => () => undefined);
