import { systemClock } from "#platform/clock.ts";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createChangeFeed, publishChange, type Change } from "#platform/events/change-feed.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

test("after the database closes the connection, changes are received again, over only one connection", async () => {
  const database = await createTestDatabase();
  let resting = 0;
  const sleep = async () => {
    resting += 1;
    await setImmediate();
    resting -= 1;
  };
  const clock = { ...systemClock, sleep };
  const feed = await createChangeFeed(database.url, { log: createLog("silent"), clock });
  onTestFinished(async () => {
    await feed.close();
    await database.drop();
  });
  const received: Change[] = [];
  feed.subscribe((change) => received.push(change));
  const listeners = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`.execute(database.db);
    return rows.map(({ pid }) => pid);
  };
  for (let cut = 0; cut < 3; cut += 1) {
    const before = await listeners();
    await sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) pid`.execute(database.db);
    const fresh = async () => (await listeners()).map((pid) => before.includes(pid));
    await expect.poll(fresh).toEqual([false]);
  }
  // No one is about to connect once more.
  await expect.poll(() => resting).toBe(0);
  expect(await listeners()).toHaveLength(1);
  await publishChange(database.db, { realmId: "1", kind: "invoices" });
  await expect.poll(() => received).toEqual([{ realmId: "1", kind: "invoices" }]);
});
