import { sql } from "kysely";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { connectDatabase } from "#platform/db/connect.ts";
import { watchGeneration } from "#platform/db/generation.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { startRelay } from "../../../test/support/relay.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

const HOUR_MS = 3_600_000;

/** A process that watches a database through a relay, from the beginning of its clock. */
async function startWatching() {
  const { pool: server, url, drop } = await createTestDatabase();
  const relay = await startRelay(url);
  const limits = { max: 2, connectMs: 1_000, statementMs: 5_000 };
  const { db, close } = connectDatabase(relay.url, createLog("silent"), limits);
  onTestFinished(async () => {
    await close();
    await relay.stop();
    await drop();
  });
  const clock = steppedClock();
  const findOpenedAt = watchGeneration({ db, clock });
  const start = await findOpenedAt();
  /** Hours since the start at which the database was replaced, as far as it is known an hour later. */
  const findHours = async () => {
    clock.advance(HOUR_MS);
    return ((await findOpenedAt()).getTime() - start.getTime()) / HOUR_MS;
  };
  return { url, server, relay, db, findHours };
}

test("HA-03 a database whose connections die, that is away, or whose rows are changed, is the same one", async () => {
  const { server, relay, db, findHours } = await startWatching();
  expect(await findHours()).toBe(0);
  await sql`insert into contact_message (id, name, email, topic, message, sent_at)
    values (gen_random_uuid(), 'Ann', 'a@b.example', 'other', 'hello', now())`.execute(db);
  await sql`delete from contact_message`.execute(db);
  expect(await findHours()).toBe(0);
  relay.cut();
  expect(await findHours()).toBe(0);
  relay.refuse();
  relay.cut();
  await expect(findHours()).rejects.toMatchObject({ code: "database_unavailable" });
  relay.admit();
  expect(await findHours()).toBe(0);
  await server.query("vacuum write");
  expect(await findHours()).toBe(0);
});

test("HA-03 a database that is restored in its place counts from when it is first seen, each time", async () => {
  const { server, findHours } = await startWatching();
  expect(await findHours()).toBe(0);
  await server.query("truncate write cascade");
  expect([await findHours(), await findHours()]).toEqual([2, 2]);
  await server.query("truncate write cascade");
  await server.query("truncate write cascade");
  expect([await findHours(), await findHours()]).toEqual([4, 4]);
});

test("HA-03 a copy of the database that takes its place and name is another one", async () => {
  const { url, findHours } = await startWatching();
  const name = new URL(url).pathname.slice(1);
  const operator = new pg.Client({ connectionString: inject("databaseUrl") });
  await operator.connect();
  onTestFinished(() => operator.end());
  await operator.query("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1", [
    name,
  ]);
  await operator.query(`create database ${name}_copy template ${name}`);
  await operator.query(`drop database ${name}`);
  await operator.query(`alter database ${name}_copy rename to ${name}`);
  expect([await findHours(), await findHours()]).toEqual([1, 1]);
});
