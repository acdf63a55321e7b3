import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createChangeFeed, tellChange, type Change } from "#platform/events/change-feed.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

test("after the database has cut the connection changes are heard again, over one connection only", async () => {
  const database = await createTestDatabase();
  const clock = { now: () => new Date(), sleep: (ms: number) => wait(ms / 20) };
  const feed = await createChangeFeed(database.url, { log: createLog("silent"), clock });
  onTestFinished(async () => {
    await feed.close();
    await database.drop();
  });
  const heard: Change[] = [];
  feed.subscribe((change) => heard.push(change));
  const listeners = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`;
  for (let cut = 0; cut < 3; cut += 1) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`.execute(database.db);
    await expect
      .poll(async () => (await listeners.execute(database.db)).rows[0]?.n, { timeout: 5_000 })
      .toBe(1);
  }
  await wait(300);
  expect((await listeners.execute(database.db)).rows[0]?.n).toBe(1);
  await tellChange(database.db, { realmId: "1", kind: "invoices" });
  await expect.poll(() => heard).toEqual([{ realmId: "1", kind: "invoices" }]);
});
