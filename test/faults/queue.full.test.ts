import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db } from "#platform/db/connect.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createLog } from "#platform/log.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun } from "#platform/runs/store.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { startExternalDatabase, type ExternalDatabase } from "./support/external-database.ts";
import { startWorkerProcess, type WorkerProcess } from "./support/worker-process.ts";

/**
 * Nine faults of a queue. In each, every run ends exactly once, each of its writes is made by the
 * holder of its fence, and nothing waits over 30 s.
 */
const run = battery({ short: 1, long: 10 });
const WAITS_AT_MOST_MS = 30_000;
const DEAD_ROWS = run.isLong ? 10_000_000 : 100_000;
const STEPS = defineRun({ kind: "test.steps", lane: (realmId) => `test:${realmId}` });
const random = seededRandom(run.seed);

type Queue = {
  database: ExternalDatabase;
  db: Db;
  workers: WorkerProcess[];
  /** Starts workers with this many connections each. */
  work(count: number, options?: { connections?: number; stepMs?: number }): Promise<void>;
  /** Adds runs, in this many lanes. */
  add(count: number, lanes: number): Promise<void>;
};

async function openQueue(): Promise<Queue> {
  const database = await startExternalDatabase();
  const { db, close } = connectDatabase(database.url, createLog("silent"));
  await migrateDatabase(db);
  await sql`create table step (id bigserial, run uuid, fence int, what text, started_at timestamptz)`.execute(
    db,
  );
  const workers: WorkerProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await close();
  });
  let added = 0;
  return {
    database,
    db,
    workers,
    work: async (count, { connections = 16, stepMs = 60 } = {}) => {
      const given = { url: database.url, connections, stepMs };
      const started = Array.from({ length: count }, () => startWorkerProcess("do-steps.ts", given));
      workers.push(...(await Promise.all(started)));
    },
    add: async (count, lanes) => {
      for (let n = 0; n < count; n += 1) {
        const id = randomUUID();
        const requestedAt = new Date(Date.now() + (added += 1) / 1_000);
        const realmId = String(n % lanes);
        await addRun(db, STEPS, { realmId, id, subject: id, requestedBy: "user", requestedAt });
      }
    },
  };
}

/** Kills a worker and starts another in its place. */
async function replaceWorker({ workers, work }: Queue): Promise<void> {
  const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
  await victim?.kill();
  await work(1);
}

const isOpen = async (db: Db) =>
  (await sql<{ n: number }>`select count(*)::int as n from run where state <> 'done'`.execute(db)).rows[0]
    ?.n ?? 0;

type Outcome = {
  runs: number;
  doubled: number;
  "written under an old fence": number;
  "taken over": number;
  "longest wait, ms": number;
  "pick-up p50, ms": number;
  "pick-up p99, ms": number;
};

/** Waits until every run has ended, and looks at what was written. @param sinceMs since when nothing is in the way of work */
async function conclude({ db }: Queue, runs: number, sinceMs = performance.now()): Promise<Outcome> {
  await expect.poll(() => isOpen(db), { timeout: 240_000, interval: 50 }).toBe(0);
  const { rows } = await sql<Omit<Outcome, "longest wait, ms">>`with ended as (
      select run, count(*) as times from step where what = 'end' group by run),
    stale as (select count(*)::int as n from (select fence < max(fence) over (partition by run order by id) as is_old
      from step) written where is_old),
    pick as (select extract(epoch from min(step.started_at) - min(run.requested_at)) * 1000 as ms
      from run join step on step.run = run.id where run.fence = 1 group by run.id)
    select (select count(*)::int from ended) as runs, (select count(*)::int from ended where times > 1) as doubled,
      (select n from stale) as "written under an old fence",
      (select count(*)::int from run where fence > 1) as "taken over",
      (select percentile_cont(0.5) within group (order by ms) from pick)::int as "pick-up p50, ms",
      (select percentile_cont(0.99) within group (order by ms) from pick)::int as "pick-up p99, ms"`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error("Nothing was counted.");
  const outcome = { ...counts, "longest wait, ms": Math.round(performance.now() - sinceMs) };
  expect(outcome).toMatchObject({ runs, doubled: 0, "written under an old fence": 0 });
  return outcome;
}

const print = (name: string, outcome: Record<string, number>) => printCounts(run, `queue, ${name}`, outcome);

test("kill -9 of workers: their runs finish elsewhere, each once", { timeout: run.timeout }, async () => {
  const queue = await openQueue();
  await queue.work(3);
  let kills = 0;
  for (let round = 0; round < run.times; round += 1) {
    await queue.add(60, 20);
    await wait(100 + random() * 400);
    await replaceWorker(queue);
    kills += 1;
  }
  const outcome = await conclude(queue, 60 * run.times);
  expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
  print("kill of workers", { kills, ...outcome });
});

test.each(["PostgreSQL", "both"])(
  "kill -9 of %s: work continues when it is back, and every run ends once",
  { timeout: run.timeout },
  async (victim) => {
    const queue = await openQueue();
    await queue.work(2);
    for (let round = 0; round < run.times; round += 1) {
      await queue.add(40, 20);
      await wait(100 + random() * 400);
      await queue.database.stop("killed");
      const [worker] = victim === "both" ? queue.workers.splice(0, 1) : [];
      await worker?.kill();
      await wait(random() * 1_000);
      await queue.database.start();
      if (worker) await queue.work(1);
    }
    const outcome = await conclude(queue, 40 * run.times);
    expect(queue.workers.every((worker) => worker.isRunning())).toBe(true);
    expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
    print(`kill of ${victim}`, { kills: run.times, ...outcome });
  },
);

test(
  "an exhausted pool: twelve slots on two connections, and a server that accepts no new ones for a while",
  { timeout: run.timeout },
  async () => {
    const queue = await openQueue();
    await queue.work(2, { connections: 2 });
    const hogs: pg.Client[] = [];
    for (let round = 0; round < run.times; round += 1) {
      await queue.add(60, 30);
      for (let isFull = false; !isFull;) {
        const client = new pg.Client({ connectionString: queue.database.url });
        client.on("error", () => undefined);
        isFull = await client.connect().then(
          () => false,
          () => true,
        );
        if (!isFull) hogs.push(client);
      }
      await wait(1_000);
      await Promise.all(hogs.splice(0).map((client) => client.end()));
    }
    const outcome = await conclude(queue, 60 * run.times);
    expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
    print("exhausted pool", outcome);
  },
);

test(
  "repeated kills of the workers that have runs: each still ends once",
  { timeout: run.timeout },
  async () => {
    const queue = await openQueue();
    await queue.work(2, { stepMs: 3_000 });
    await queue.add(4, 4);
    const kills = run.isLong ? 20 : 3;
    for (let kill = 0; kill < kills && (await isOpen(queue.db)) > 0; kill += 1) {
      await wait(300 + random() * 500);
      await replaceWorker(queue);
    }
    const outcome = await conclude(queue, 4);
    expect(outcome["taken over"]).toBeGreaterThan(0);
    expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
    print("repeated kills", { kills, ...outcome });
  },
);

test(
  "a long reader that keeps every old row version: work continues meanwhile",
  { timeout: run.timeout },
  async () => {
    const queue = await openQueue();
    await queue.work(2, { stepMs: 5 });
    const reader = new pg.Client({ connectionString: queue.database.url });
    await reader.connect();
    await reader.query("begin isolation level repeatable read; select count(*) from run");
    for (let round = 0; round < run.times; round += 1) await queue.add(300, 30);
    const outcome = await conclude(queue, 300 * run.times);
    await reader.end();
    expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
    print("long reader", outcome);
  },
);

test("a burst of runs: all end, each once, and none is skipped", { timeout: run.timeout }, async () => {
  const queue = await openQueue();
  await queue.work(2, { stepMs: 5 });
  const runs = run.isLong ? 5_000 : 500;
  await queue.db.transaction().execute(async (tx) => {
    await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
      select n % 50, gen_random_uuid(), 'test.steps', 'test:' || n % 50, gen_random_uuid(), 'queued', now(), 'user',
        now() + n * interval '1 microsecond' from generate_series(1, ${runs}) n`.execute(tx);
    await sql`select pg_notify('dockside_runs', 'test.steps')`.execute(tx);
  });
  const outcome = await conclude(queue, runs);
  print("burst", outcome);
});

test("sustained load: half of the runs start at once, and none waits", { timeout: run.timeout }, async () => {
  const queue = await openQueue();
  await queue.work(2, { stepMs: 5 });
  const until = performance.now() + (run.isLong ? 120_000 : 4_000);
  let runs = 0;
  while (performance.now() < until) {
    await queue.add(10, 200);
    runs += 10;
    await wait(50);
  }
  const outcome = await conclude(queue, runs);
  expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
  print("sustained load", outcome);
});

test(
  `${DEAD_ROWS} dead rows made as quickly as possible: a new run is taken as fast as ever`,
  { timeout: run.timeout },
  async () => {
    const queue = await openQueue();
    // Each statement has its time limit, on a busy machine too. Rows that are taken back are dead without a scan for them.
    const batch = Math.min(DEAD_ROWS, 50_000);
    for (let made = 0; made < DEAD_ROWS; made += batch) {
      const transaction = await queue.db.startTransaction().execute();
      await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
      select n % 1000, gen_random_uuid(), 'test.steps', 'dead:' || n, gen_random_uuid(), 'queued', now(), 'user', now()
      from generate_series(1, ${batch}) n`.execute(transaction);
      await transaction.rollback().execute();
    }
    await queue.work(2, { stepMs: 5 });
    await queue.add(100, 20);
    const outcome = await conclude(queue, 100);
    expect(outcome["longest wait, ms"]).toBeLessThan(WAITS_AT_MOST_MS);
    print("dead rows", { dead: DEAD_ROWS, ...outcome });
  },
);
