import { systemClock } from "#platform/clock.ts";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "#platform/db/connect.ts";
import { countWaitingLanes, requeueAbandoned, takeRun } from "#platform/runs/store-dispatch.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { countRowsRead, explainSearch } from "../../../test/support/explain.ts";

test("looking for work reads none of the 100,000 finished runs of 10,000 companies", async () => {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  // Its reads would be counted too.
  await sql`alter table run set (autovacuum_enabled = false)`.execute(db);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, fence, requested_by, requested_at, finished_at)
    select (n % 10000)::text, gen_random_uuid(), 'test.work', 'test:' || n % 10000, gen_random_uuid(), 'done', now(), 1,
      'somebody', now(), now() from generate_series(1, 100000) n`.execute(db);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    select n::text, gen_random_uuid(), 'test.work', 'test:' || n, gen_random_uuid(), 'queued', now(),
      'somebody', now() from generate_series(1, 20) n`.execute(db);
  await sql`vacuum analyze run`.execute(db);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: new Date() };
  // The least of several: what the database does by itself meanwhile is counted too.
  const reads: number[] = [];
  for (let take = 0; take < 4; take += 1) {
    await sql`vacuum run`.execute(db);
    reads.push(await pagesRead(db, () => takeRun(db, worker)));
  }
  expect(Math.min(...reads)).toBeLessThan(100);
  const found = await explainSearch(pool, async (searched) => {
    await takeRun(searched, worker);
    await countWaitingLanes(searched, worker, 12);
    await requeueAbandoned({ db: searched, clock: systemClock });
    await wakeRuns(searched, "1", { causes: [{ code: "any" }], now: new Date() });
  });
  expect(found.scannedTables).not.toContain("run");
  expect(found.indexes).toContain("run_due");
});

/** @returns the pages of 8 kB of the table of runs and its indexes that a search touches */
async function pagesRead(db: Db, search: () => Promise<unknown>): Promise<number> {
  const touched = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{
      n: number;
    }>`select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as n
      from pg_statio_user_tables where relname = 'run'`.execute(db);
    return rows[0]?.n ?? 0;
  };
  const before = await touched();
  await search();
  return (await touched()) - before;
}

/** Adds runs to lanes, so that the first of each has its turn after all later ones were added: it had one before. */
async function queueRuns(db: Db, { runs, lanes }: { runs: number; lanes: readonly string[] }) {
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    select lane, gen_random_uuid(), 'test.work', lane, gen_random_uuid(), 'queued',
      now() + case n when 1 then place * interval '1 s' else interval '-1 h' end, 'user', now() + n * interval '1 ms'
    from unnest(${[...lanes]}::text[]) with ordinality as lanes (lane, place), generate_series(1, ${runs}::int) n`.execute(
    db,
  );
}

test("taking one of 20,000 queued runs in 50 lanes reads no more than taking one of 2,000", async () => {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: new Date() };
  const lanes = Array.from({ length: 50 }, (_, n) => `lane ${n}`);
  for (const runs of [40, 400]) {
    await sql`delete from run`.execute(db);
    await queueRuns(db, { runs, lanes });
    await sql`vacuum analyze run`.execute(db);
    expect(await countRowsRead(pool, (searched) => takeRun(searched, worker))).toBeLessThan(500);
    const found = await takeRun(db, worker);
    expect(found?.line).toHaveLength(47);
    expect(await countRowsRead(pool, (searched) => takeRun(searched, worker, found?.line))).toBeLessThan(50);
    expect(await countRowsRead(pool, (searched) => countWaitingLanes(searched, worker, 12))).toBeLessThan(
      500,
    );
  }
});

test("lanes with hundreds of runs take turns in the order they waited, alongside a busy lane", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: new Date() };
  await queueRuns(db, { runs: 300, lanes: ["at work"] });
  expect(await takeRun(db, worker)).toMatchObject({ realmId: "at work" });
  await queueRuns(db, { runs: 300, lanes: ["b", "c", "a"] });
  expect(await countWaitingLanes(db, worker, 12)).toBe(3);
  const { rows } = await sql<{ id: string }>`select distinct on (lane) id from run
    where state = 'queued' and lane <> 'at work' order by lane, requested_at`.execute(db);
  const [a, b, c] = rows.map(({ id }) => id);
  const taken = [await takeRun(db, worker), await takeRun(db, worker), await takeRun(db, worker)];
  expect(taken.map((run) => run?.id)).toEqual([b, c, a]);
  expect(await takeRun(db, worker)).toBeNull();
});

test("taking a run reads none of 20,000 runs that wait for later", async () => {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: new Date() };
  await queueRuns(db, { runs: 1, lanes: ["a", "b"] });
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    select n::text, gen_random_uuid(), 'test.work', 'later:' || n, gen_random_uuid(), 'waiting', now() + interval '1 h',
      'user', now() from generate_series(1, 20000) n`.execute(db);
  await sql`vacuum analyze run`.execute(db);
  expect(await countRowsRead(pool, (searched) => takeRun(searched, worker))).toBeLessThan(50);
  expect(await countRowsRead(pool, (searched) => countWaitingLanes(searched, worker, 12))).toBeLessThan(50);
});

test("of the runs that an earlier search found, only those are taken that may still start", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const [worker, other] = [randomUUID(), randomUUID()].map((holder) => ({
    holder,
    kinds: ["test.work"],
    now: systemClock.now(),
  }));
  if (!worker || !other) throw new Error("Two processes are needed.");
  await queueRuns(db, { runs: 1, lanes: ["a", "b", "c", "d"] });
  await sql`update run set due_at = due_at - interval '1 min'`.execute(db);
  const found = await takeRun(db, worker);
  expect([found?.realmId, found?.line.map(({ realmId }) => realmId)]).toEqual(["a", ["b", "c", "d"]]);
  expect(await takeRun(db, other)).toMatchObject({ realmId: "b" });
  await sql`update run set state = 'stopped' where realm_id = 'c'`.execute(db);
  const next = await takeRun(db, worker, found?.line);
  expect([next?.realmId, next?.line.map(({ realmId }) => realmId)]).toEqual(["d", ["b", "c"]]);
  expect(await takeRun(db, worker, next?.line)).toBeNull();
  expect(await takeRun(db, worker)).toBeNull();
});

test("beside a backup, a search reads the versions of a run's own lane, not those of all lanes for each", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`alter table run set (autovacuum_enabled = false)`.execute(db);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: systemClock.now() };
  const lanes = Array.from({ length: 40 }, (_, n) => `lane ${n}`);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, fence, requested_by, requested_at, finished_at)
    select n::text, gen_random_uuid(), 'test.work', 'ended ' || n, gen_random_uuid(), 'done', now(), 1, 'user', now(), now()
    from generate_series(1, 20000) n`.execute(db);
  await sql`vacuum analyze run`.execute(db);
  // Plans are made once, while few runs are open.
  for (let take = 0; take < 8; take += 1) await takeRun(db, worker);
  await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (backup) => {
      await sql`select count(*) from run`.execute(backup);
      for (let wave = 0; wave < 50; wave += 1) {
        await queueRuns(db, { runs: 2, lanes });
        await sql`update run set state = 'done' where state = 'queued'`.execute(db);
      }
      await queueRuns(db, { runs: 1, lanes });
      await takeRun(db, worker);
      // The 4,000 versions once, by their time; looked through for each lane they are 80,000 pages.
      expect(await pagesRead(db, () => takeRun(db, worker))).toBeLessThan(10_000);
    });
});
