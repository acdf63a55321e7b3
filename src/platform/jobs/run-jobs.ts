import { EventEmitter } from "node:events";
import { Logger, parseCronItems, runMigrations, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Db } from "#platform/db/connect.ts";
import type { BoundJob } from "#platform/jobs/define-job.ts";
import { keepRunning } from "#platform/jobs/keep-running.ts";
import type { Log } from "#platform/log.ts";

/** How many jobs one process works on at once. */
const CONCURRENCY = 2;
const DAY_MS = 24 * 3_600_000;

type Options = {
  pool: pg.Pool;
  db: Db;
  log: Log;
  jobs: readonly BoundJob[];
};

/** Prepares the queue's own tables; safe to call from several processes at once. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: quietLogger });
}

/**
 * Starts working on jobs of the given kinds.
 * @returns a function that lets running jobs finish their step and stops
 */
export async function runJobs(options: Options): Promise<() => Promise<void>> {
  const { pool, db, log, jobs } = options;
  const stopping = new AbortController();
  const taskList = toTaskList(jobs, { log, stop: stopping.signal });
  const parsedCronItems = parseCronItems(
    jobs.flatMap(({ kind, cron }) => {
      const options = { backfillPeriod: DAY_MS, maxAttempts: 3, jobKey: kind };
      return cron === null ? [] : [{ task: kind, identifier: kind, match: cron, options }];
    }),
  );
  const stopRunner = await keepRunning({
    db,
    log,
    optionsFor: (onLocker) => ({
      pgPool: pool,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      logger: quietLogger,
      taskList,
      parsedCronItems,
      // Without a delay a failure to record an outcome would be an unhandled rejection, which ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      events: watchLockers(onLocker),
    }),
  });
  return async () => {
    stopping.abort();
    await stopRunner();
  };
}

function toTaskList(jobs: readonly BoundJob[], { log, stop }: { log: Log; stop: AbortSignal }): TaskList {
  const kinds = new Set(jobs.map((job) => job.kind));
  if (kinds.size !== jobs.length) throw new Error("Two jobs share one kind.");
  const tasks = jobs.map((job) => [
    job.kind,
    async (payload: unknown, { job: { attempts, id } }: { job: { attempts: number; id: string } }) => {
      try {
        await job.run(payload, stop);
      } catch (error) {
        log.error({ err: error, job: id, kind: job.kind, attempt: attempts }, "A job failed");
        throw error;
      }
    },
  ]);
  return Object.fromEntries(tasks) as TaskList;
}

/** Jobs are locked by the pool's id or by a worker's, and both are only published by events. */
function watchLockers(onLocker: (id: string) => void) {
  const events = new EventEmitter() as WorkerEvents;
  events.on("pool:create", ({ workerPool }) => onLocker(workerPool.id));
  events.on("worker:create", ({ worker }) => onLocker(worker.workerId));
  return events;
}

/** The library reports each job in prose; our own log has the failures, with their cause. */
const quietLogger = new Logger(() => () => undefined);
