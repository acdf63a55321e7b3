import { setTimeout as wait } from "node:timers/promises";
import { run, type Runner, type RunnerOptions } from "graphile-worker";
import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";

const RESTART_MS = 1_000;

type Options = {
  db: Db;
  log: Log;
  /** What a runner is started with; `onLocker` receives the names under which it locks jobs. */
  optionsFor(onLocker: (id: string) => void): RunnerOptions;
};

/**
 * Keeps a runner of the job queue at work. The library ends a runner whose outcome of a job could not be recorded, for
 * instance while the database restarts: another takes its place at once, and what the old one has locked is freed when
 * it has ended.
 * @returns a function that lets running jobs finish their step and stops
 */
export async function keepRunning(options: Options): Promise<() => Promise<void>> {
  const { db, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const living = new Set<Living>();
  const begin = async () => {
    const started = await startRunner(options);
    living.add(started);
    started.runner.events.once("pool:gracefulShutdown", () => void replace(started));
    if (signal.aborted) await stopRunner(started);
  };
  const replace = async (ended: Living) => {
    if (signal.aborted) return;
    log.warn("The job runner ended, and another takes its place");
    void rest(signal).then(() => untilDone(begin, "The job runner cannot be started yet"));
    await stopRunner(ended);
    // The outcome of a job could not be recorded, and the job is to run again.
    const free = () =>
      sql`select graphile_worker.force_unlock_workers(${[...ended.lockers]}::text[])`.execute(db);
    await untilDone(free, "The jobs of an ended runner cannot be freed yet");
    living.delete(ended);
  };
  const untilDone = async (work: () => Promise<unknown>, failed: string) => {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error }, failed);
        await rest(signal);
      }
    }
  };
  await begin();
  return async () => {
    stopping.abort();
    await Promise.all([...living].map(stopRunner));
  };
}

type Living = { runner: Runner; lockers: readonly string[] };

async function startRunner({ optionsFor }: Options): Promise<Living> {
  const lockers: string[] = [];
  const runner = await run(optionsFor((id) => lockers.push(id)));
  return { runner, lockers };
}

/** Stops a runner, or waits for one that is stopping by itself. */
async function stopRunner({ runner }: Living): Promise<void> {
  await runner.stop().catch(() => undefined);
  await runner.promise.catch(() => undefined);
}

const rest = (signal: AbortSignal) => wait(RESTART_MS, undefined, { signal }).catch(() => undefined);
