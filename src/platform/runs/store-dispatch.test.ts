import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { countWaitingLanes, requeueAbandoned, takeRun } from "#platform/runs/store-dispatch.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { explainSearch } from "../../../test/support/explain.ts";

test("looking for work reads nothing of 100,000 runs of 10,000 companies that are done", async () => {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, fence, requested_by, requested_at, finished_at)
    select (n % 10000)::text, gen_random_uuid(), 'test.work', 'test:' || n % 10000, gen_random_uuid(), 'done', now(), 1,
      'somebody', now(), now() from generate_series(1, 100000) n`.execute(db);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    select n::text, gen_random_uuid(), 'test.work', 'test:' || n, gen_random_uuid(), 'queued', now(),
      'somebody', now() from generate_series(1, 20) n`.execute(db);
  await sql`vacuum analyze run`.execute(db);
  const worker = { holder: randomUUID(), kinds: ["test.work"], now: new Date() };
  const found = await explainSearch(pool, async (searched) => {
    await takeRun(searched, worker);
    await countWaitingLanes(searched, worker, 12);
    await requeueAbandoned(searched);
    await wakeRuns(searched, "1", { causes: [{ code: "any" }], now: new Date() });
  });
  expect(found.scannedTables).not.toContain("run");
  expect(found.indexes).toContain("run_due");
  expect(await pagesRead(() => takeRun(db, worker))).toBeLessThan(100);

  /** Pages of 8 kB that a search touches. */
  async function pagesRead(search: () => Promise<unknown>): Promise<number> {
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
});
