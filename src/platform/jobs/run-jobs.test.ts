import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { connectDatabase } from "#platform/db/connect.ts";
import { systemIds } from "#platform/ids.ts";
import { addJob, bindJob, defineJob, type Job, type JobRun } from "#platform/jobs/define-job.ts";
import { migrateJobs, runJobs } from "#platform/jobs/run-jobs.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

const WORKERS = join(import.meta.dirname, "fixtures/workers");
const log = createLog("silent");

type Numbered = { n: number };
const numbered = (
  kind: string,
  run: (n: number, run: JobRun) => Promise<void> | void,
  maxAttempts = 5,
): Job<Numbered, null> =>
  defineJob({
    kind,
    payload: z.object({ n: z.int() }),
    maxAttempts,
    run: async (_ctx, { n }, jobRun) => run(n, jobRun),
  });

const NOTE = defineJob({
  kind: "test.note",
  payload: z.object({ queue: z.string(), n: z.int() }),
  maxAttempts: 1,
  run: () => Promise.resolve(),
});

/** A database with a queue, and workers on it; all of it ends with the test. */
async function openQueue() {
  const database = await createTestDatabase();
  await migrateJobs(database.pool);
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await database.drop();
  });
  const work = async (...jobs: Job<Numbered, null>[]) => {
    const own = connectDatabase(database.url, log);
    const stopRunner = await runJobs({
      ...own,
      ids: systemIds,
      log,
      jobs: jobs.map((job) => bindJob(job, null)),
    });
    let stopped: Promise<void> | null = null;
    const stop = () => (stopped ??= stopRunner().then(() => own.close()));
    stops.push(stop);
    return stop;
  };
  const waiting = async () => {
    const { rows } = await sql<{
      n: string;
    }>`select count(*) as n from graphile_worker._private_jobs`.execute(database.db);
    return Number(rows[0]?.n);
  };
  return { ...database, work, waiting };
}

/** After half a minute of silence any process counts as dead. */
const SOONER_THAN_SILENCE = { timeout: 20_000 };

const emptied = (waiting: () => Promise<number>, within = {}) =>
  expect.poll(waiting, { interval: 20, ...within }).toBe(0);

/** A worker process of its own, as the product runs them, once it has said something. */
async function spawnWorker(name: "hold-job" | "note-jobs", url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(WORKERS, `${name}.ts`)], {
    env: { ...process.env, TEST_DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`The worker process ended with ${code}.`)));
  });
  return child;
}

/** Another process that takes the waiting job and holds it. */
const holdInProcess = (url: string) => spawnWorker("hold-job", url);

type Noted = { queue: string; n: number; pid: number; began_at: Date; ended_at: Date };

/** Runs jobs in three processes at once and tells, in order, who ran what when. */
async function runInProcesses(
  jobs: readonly { queue: string; n: number; serial: boolean }[],
): Promise<Noted[]> {
  const { db, url, waiting } = await openQueue();
  await sql`create table noted (id serial, queue text, n int, pid int, began_at timestamptz, ended_at timestamptz)`.execute(
    db,
  );
  await Promise.all([1, 2, 3].map(() => spawnWorker("note-jobs", url)));
  await db.transaction().execute(async (tx) => {
    for (const { queue, n, serial } of jobs)
      await addJob(tx, NOTE, { payload: { queue, n }, ...(serial ? { queue } : {}) });
  });
  await emptied(waiting);
  return (await sql<Noted>`select * from noted order by began_at, id`.execute(db)).rows;
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await gone;
}

test("the job of a killed process is taken over within seconds by a process that starts", async () => {
  const { db, url, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.hold", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 }, queue: "realm-1" });
  await addJob(db, job, { payload: { n: 2 }, queue: "realm-1" });
  await killed(await holdInProcess(url));
  const startedAt = performance.now();
  await work(job);
  await emptied(waiting, SOONER_THAN_SILENCE);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(ran).toEqual([1, 2]);
});

test("the job of a killed process is taken over by a process that was running all along", async () => {
  const { db, url, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.hold", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 } });
  const child = await holdInProcess(url);
  await work(job);
  await killed(child);
  const startedAt = performance.now();
  await emptied(waiting, SOONER_THAN_SILENCE);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(ran).toEqual([1]);
});

test("the job of a living process stays its own, however long it takes", async () => {
  const { db, url, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.hold", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 } });
  await holdInProcess(url);
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'`.execute(db);
  await work(job);
  // Each beat looks for the dead; those beyond the first moment come by the clock.
  const beats: number[] = [];
  const beatFor = async () => {
    const { rows } = await sql<{
      at: Date;
    }>`select seen_at as at from worker_process where pid = ${process.pid}`.execute(db);
    beats.push(...rows.map(({ at }) => at.getTime()));
    return Math.max(...beats) - Math.min(...beats);
  };
  await expect.poll(beatFor, { interval: 100 }).toBeGreaterThan(4_000);
  expect(ran).toEqual([]);
  expect(await waiting()).toBe(1);
});

test("a process of another machine is dead when it was silent for half a minute, not before", async () => {
  const { db, url, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.hold", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 } });
  await killed(await holdInProcess(url));
  await sql`update worker_process set host = 'another-machine', seen_at = now() - interval '25 s'`.execute(
    db,
  );
  await work(job);
  await addJob(db, job, { payload: { n: 2 } });
  await expect.poll(() => ran).toEqual([2]);
  await sql`update worker_process set seen_at = now() - interval '31 s' where host = 'another-machine'`.execute(
    db,
  );
  await emptied(waiting);
  expect(ran).toEqual([2, 1]);
});

test("a job taken under a name that no process has told of is freed too", async () => {
  const { db, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.count", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 } });
  await sql`update graphile_worker._private_jobs set locked_by = 'nobody', locked_at = now() - interval '31 s'`.execute(
    db,
  );
  await work(job);
  await emptied(waiting);
  expect(ran).toEqual([1]);
});

test("a process that stops in good order leaves no trace among the living", async () => {
  const { db, work } = await openQueue();
  const stop = await work(numbered("test.count", () => undefined));
  const processes = async () => (await sql`select from worker_process`.execute(db)).rows.length;
  expect(await processes()).toBe(1);
  await stop();
  expect(await processes()).toBe(0);
});

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test("three processes never run one job twice, and share the work", async () => {
  const noted = await runInProcesses(upTo(300).map((n) => ({ queue: "any", n, serial: false })));
  expect(noted.map(({ n }) => n).toSorted((one, other) => one - other)).toEqual(upTo(300));
  expect(new Set(noted.map(({ pid }) => pid)).size).toBeGreaterThan(1);
});

test("jobs of one queue run one at a time and in order, in however many processes; other queues go on meanwhile", async () => {
  const queues = ["books-1", "books-2", "books-3"];
  const noted = await runInProcesses(
    upTo(25).flatMap((n) => queues.map((queue) => ({ queue, n, serial: true }))),
  );
  for (const queue of queues) {
    const own = noted.filter((entry) => entry.queue === queue);
    expect(own.map(({ n }) => n)).toEqual(upTo(25));
    for (const [index, { began_at }] of own.entries()) {
      const before = own[index - 1]?.ended_at ?? new Date(0);
      expect(before.getTime(), `${queue} ${index}`).toBeLessThanOrEqual(began_at.getTime());
    }
  }
  const together = noted.filter((one) =>
    noted.some(
      (other) => other.queue !== one.queue && other.began_at < one.ended_at && one.began_at < other.ended_at,
    ),
  );
  expect(together.length).toBeGreaterThan(0);
});

test("a job exists exactly when the transaction that added it commits", async () => {
  const { db, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.count", (n) => void ran.push(n));
  await work(job);
  await addJob(db, job, { payload: { n: 6 } });
  await expect.poll(() => ran).toEqual([6]);
  const abandoned = db.transaction().execute(async (tx) => {
    await addJob(tx, job, { payload: { n: 1 } });
    await addJob(db, job, { payload: { n: 7 } });
    await expect.poll(() => ran).toEqual([6, 7]);
    throw new Error("changed its mind");
  });
  await expect(abandoned).rejects.toThrow("changed its mind");
  expect(await waiting()).toBe(0);
  await db.transaction().execute(async (tx) => {
    await addJob(tx, job, { payload: { n: 2 } });
    await addJob(db, job, { payload: { n: 8 } });
    await expect.poll(() => ran).toEqual([6, 7, 8]);
  });
  const committedAt = performance.now();
  await emptied(waiting);
  expect(ran).toEqual([6, 7, 8, 2]);
  expect(performance.now() - committedAt).toBeLessThan(1_000);
});

test("a waiting job of the same key is replaced, not doubled", async () => {
  const { db, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.count", (n) => void ran.push(n));
  await addJob(db, job, { payload: { n: 1 }, key: "upload-7" });
  await addJob(db, job, { payload: { n: 2 }, key: "upload-7" });
  await addJob(db, job, { payload: { n: 3 }, key: "upload-8" });
  await work(job);
  await emptied(waiting);
  expect(new Set(ran)).toEqual(new Set([2, 3]));
  expect(ran).toHaveLength(2);
});

test("a job that fails is tried again, knows which attempt it is, and stays in sight after the last", async () => {
  const { db, work, waiting } = await openQueue();
  const attempts: [number, boolean][] = [];
  const job = numbered(
    "test.fails",
    (_n, { attempt, isLastAttempt }) => {
      attempts.push([attempt, isLastAttempt]);
      throw new Error("not today");
    },
    2,
  );
  await addJob(db, job, { payload: { n: 1 } });
  await work(job);
  await expect
    .poll(() => attempts)
    .toEqual([
      [1, false],
      [2, true],
    ]);
  const left = sql`select attempts, last_error, locked_at from graphile_worker._private_jobs`;
  await expect
    .poll(async () => (await left.execute(db)).rows)
    .toEqual([{ attempts: 2, last_error: "not today", locked_at: null }]);
  expect(await waiting()).toBe(1);
});

test("a job whose payload has another shape than its kind says never reaches its verb", async () => {
  const { db, work } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.count", (n) => void ran.push(n), 1);
  await addJob(db, job, { payload: { n: "one" } as unknown as Numbered });
  await work(job);
  const failed = sql<{ last_error: string | null }>`select last_error from graphile_worker._private_jobs`;
  await expect.poll(async () => (await failed.execute(db)).rows[0]?.last_error).toMatch(/expected number/);
  expect(ran).toEqual([]);
});

test("stopping tells running jobs to end, waits for their step, and takes no new ones", async () => {
  const { db, work, waiting } = await openQueue();
  const ran: string[] = [];
  const step = Promise.withResolvers<void>();
  const job = numbered("test.step", async (n, { stop }) => {
    ran.push(`${n} started`);
    await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
    ran.push(`${n} was told`);
    await step.promise;
    ran.push(`${n} ended its step`);
  });
  for (const n of [1, 2]) await addJob(db, job, { payload: { n }, queue: "realm-1" });
  const stop = await work(job);
  await expect.poll(() => ran).toEqual(["1 started"]);
  const stopped = stop().then(() => ran.push("stopped"));
  await expect.poll(() => ran).toEqual(["1 started", "1 was told"]);
  step.resolve();
  await stopped;
  expect(ran).toEqual(["1 started", "1 was told", "1 ended its step", "stopped"]);
  expect(await waiting()).toBe(1);
});

test("a job that was being taken when its process was told to stop is left as it was, for the next one", async () => {
  const { db, work, waiting } = await openQueue();
  const ran: number[] = [];
  const job = numbered("test.count", (n) => void ran.push(n));
  const stop = await work(job);
  const held = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const stopped = await db.transaction().execute(async (tx) => {
    await sql`lock table graphile_worker._private_jobs in exclusive mode`.execute(tx);
    await addJob(tx, job, { payload: { n: 1 }, queue: "realm-1" });
    // Those that looked for work just now are held on their way.
    await expect.poll(async () => (await held.execute(db)).rows[0]?.n).toBeGreaterThan(0);
    return { promise: stop() };
  });
  await stopped.promise;
  const left = sql`select j.attempts, j.locked_by, q.locked_by as queue_locked_by from graphile_worker._private_jobs j
    join graphile_worker._private_job_queues q on q.id = j.job_queue_id`;
  expect((await left.execute(db)).rows).toEqual([{ attempts: 0, locked_by: null, queue_locked_by: null }]);
  expect(ran).toEqual([]);
  await work(job);
  await emptied(waiting);
  expect(ran).toEqual([1]);
});

test("two jobs cannot share one kind", async () => {
  const { work } = await openQueue();
  const job = numbered("test.count", () => undefined);
  await expect(work(job, job)).rejects.toThrow("Two jobs share one kind.");
});
