import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createChangeFeed, publishChange, type Change } from "#platform/events/change-feed.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

test("after the database closes the connection, changes are received again, over only one connection", async () => {
  const database = await createTestDatabase();
  const clock = steppedClock();
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
    await sql`select pg_terminate_backend(pid, 10_000) from unnest(${before}::int[]) pid`.execute(
      database.db,
    );
    await clock.settle(60_000);
    expect((await listeners()).map((pid) => before.includes(pid))).toEqual([false]);
  }
  await publishChange(database.db, { realmId: "1", kind: "invoices" });
  await clock.settle(0);
  expect(received).toEqual([{ realmId: "1", kind: "invoices" }]);
});
