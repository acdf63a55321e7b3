import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { systemClock } from "#platform/clock.ts";
import { systemIds } from "#platform/ids.ts";
import { addJob, bindJob, defineJob, JobTaken } from "#platform/jobs/define-job.ts";
import { migrateJobs, runJobs } from "#platform/jobs/run-jobs.ts";
import { startSweeper } from "#platform/jobs/sweep-dead-workers.ts";
import { createLog } from "#platform/log.ts";
import { createBudget } from "#platform/outbound/budget.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

const MOST_ATTEMPTS = 3;
/** Above every number a system gives to a process. */
const NO_PROCESS = 2 ** 30;

type Run = { name: string; taken: boolean };

async function startQueue() {
  const database = await createTestDatabase();
  await migrateJobs(database.pool);
  const ran: string[] = [];
  const gates = new Map<string, Promise<void>>();
  const job = defineJob({
    kind: "test.job",
    payload: z.object({ name: z.string() }),
    maxAttempts: MOST_ATTEMPTS,
    run: async (ctx: { worker: Run }, { name }) => {
      ran.push(`${ctx.worker.name} ${name}`);
      await gates.get(`${ctx.worker.name} ${name}`);
      if (ctx.worker.taken) throw new JobTaken("taken");
    },
  });
  const base = { ...database, ids: systemIds, log: createLog("silent") };
  const stops: (() => Promise<void>)[] = [];
  const work = async (worker: Run) => {
    const stop = await runJobs({ ...base, jobs: [bindJob(job, { worker })] });
    stops.push(stop);
    return stop;
  };
  onTestFinished(async () => {
    await Promise.allSettled(stops.map((stop) => stop()));
    await database.drop();
  });
  const add = (name: string) => addJob(database.db, job, { payload: { name }, queue: "books:1" });
  return { db: database.db, ran, gates, work, add };
}

type Queue = Awaited<ReturnType<typeof startQueue>>;

/** Leaves the queue's only job as a process does that was killed while working on it. */
async function lockAsDead({ db }: Queue, holder: string): Promise<void> {
  await sql`insert into worker_process (id, host, pid, locker_ids)
    values (${randomUUID()}, ${hostname()}, ${NO_PROCESS}, ${[holder]})`.execute(db);
  await sql`update graphile_worker._private_jobs set locked_by = ${holder}, locked_at = now(), attempts = attempts + 1`.execute(
    db,
  );
  await sql`update graphile_worker._private_job_queues set locked_by = ${holder}, locked_at = now()`.execute(
    db,
  );
}

/** Names under which the only process that works so far locks jobs. */
async function lockersOf({ db }: Queue): Promise<string[]> {
  const rows = await sql<{ locker_ids: string[] }>`select locker_ids from worker_process
    where locker_ids && array(select locked_by from graphile_worker._private_jobs)`.execute(db);
  return rows.rows.flatMap((row) => row.locker_ids);
}

const unlock = ({ db }: Queue, lockers: readonly string[]) =>
  sql`select graphile_worker.force_unlock_workers(${lockers}::text[])`.execute(db);

const countJobs = async ({ db }: Queue) =>
  (await sql<{ n: number }>`select count(*) as n from graphile_worker._private_jobs`.execute(db)).rows[0]?.n;

/** What every worker does when it starts and then every few seconds. */
async function sweep({ db }: Queue): Promise<void> {
  const sweeper = await startSweeper({ db, ids: systemIds, log: createLog("silent"), lockerIds: [] });
  await sweeper.stop();
}

test("a job whose processes were killed more often than it may fail still runs", async () => {
  const queue = await startQueue();
  await queue.add("patient");
  for (let death = 0; death < MOST_ATTEMPTS + 2; death += 1) {
    await lockAsDead(queue, `dead-${death}`);
    await sweep(queue);
  }
  await queue.work({ name: "living", taken: false });
  await expect.poll(() => queue.ran).toEqual(["living patient"]);
});

test("a worker from whom a job was taken leaves it to the one who has it, and the queue goes on", async () => {
  const queue = await startQueue();
  const late = Promise.withResolvers<void>();
  const current = Promise.withResolvers<void>();
  queue.gates.set("late first", late.promise);
  queue.gates.set("current first", current.promise);
  await queue.add("first");
  const stopLate = await queue.work({ name: "late", taken: true });
  await expect.poll(() => queue.ran).toEqual(["late first"]);
  await expect.poll(() => lockersOf(queue)).not.toEqual([]);
  const lateOnes = await lockersOf(queue);
  await queue.work({ name: "current", taken: false });
  // The late one may be the first to see it free, and is robbed again; the current one never is.
  const holder = async () => {
    await unlock(queue, lateOnes);
    return queue.ran.at(-1);
  };
  await expect.poll(holder, { interval: 1_000 }).toBe("current first");
  const taken = queue.ran.length;
  late.resolve();
  // Ends once it has told the queue how its run ended.
  await stopLate();
  expect(await countJobs(queue)).toBe(1);
  current.resolve();
  await queue.add("second");
  await expect.poll(() => queue.ran.length).toBe(taken + 1);
});

test("a queue whose job was completed by another than its holder is free again after the next sweep", async () => {
  const queue = await startQueue();
  await queue.add("first");
  await lockAsDead(queue, "holder");
  await sql`delete from graphile_worker._private_jobs`.execute(queue.db);
  await sql`delete from worker_process`.execute(queue.db);
  await sweep(queue);
  await queue.add("second");
  await queue.work({ name: "living", taken: false });
  await expect.poll(() => queue.ran).toEqual(["living second"]);
});

test("calls that a killed process was making no longer count as running", async () => {
  const queue = await startQueue();
  const rules = { requestsPerMinute: 450, requestsPerSecond: 9, inFlight: 1, batchesPerMinute: 36 };
  const budgetOf = () => createBudget({ db: queue.db, clock: systemClock, ids: systemIds, rules });
  const dead = budgetOf();
  await dead.acquire("books", "request");
  await lockAsDead(queue, dead.holder);
  await sweep(queue);
  const living = await budgetOf().acquire("books", "request", AbortSignal.timeout(3_000));
  expect(living.key).toBe("books");
});
