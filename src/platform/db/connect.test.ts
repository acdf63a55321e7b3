import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db } from "#platform/db/connect.ts";
import { isAway } from "#platform/db/failure.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { startRelay } from "../../../test/support/relay.ts";

test.each([
  ["in use is logged", false, true],
  ["being closed is not logged: a server that stops then may be faster", true, false],
] as const)("the loss of a connection that is %s", async (_, isClosing, logged) => {
  const { pool: server, url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const lines: string[] = [];
  const { db, pool, close } = connectDatabase(
    url,
    createLog("debug", { write: (line) => void lines.push(line) }),
  );
  await sql`select`.execute(db);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const closed = isClosing ? close() : null;
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await server.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await lost;
  client.release(true);
  await (closed ?? close());
  expect(lines.some((line) => line.includes("A database connection was lost"))).toBe(logged);
});

test("HA-05 an outage has one line at its start and one at its end, and connections of before are not used after it", async () => {
  const { url, drop } = await createTestDatabase();
  const relay = await startRelay(url);
  onTestFinished(async () => {
    await relay.stop();
    await drop();
  });
  const lines: { level: number; msg: string }[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(JSON.parse(line)) });
  const { db, close } = connectDatabase(relay.url, log, { max: 4, connectMs: 1_000, statementMs: 1_000 });
  onTestFinished(close);
  const readPids = () =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(
          db,
        );
        return rows[0]?.pid;
      }),
    );
  const before = await readPids();
  expect(new Set(before).size).toBe(4);
  // One connection notices, as by a server that is no longer the primary; the others are idle, and look alive.
  relay.cutAt("cut");
  await expect(sql`select 'cut'`.execute(db)).rejects.toMatchObject({ code: "database_unavailable" });
  relay.refuse();
  relay.cut();
  for (let call = 0; call < 20; call += 1)
    await expect(sql`select`.execute(db)).rejects.toMatchObject({ code: "database_unavailable" });
  relay.admit();
  const after = await readPids();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, "The database is away"],
    [40, "The database is back"],
  ]);
});

/** A table, and a handle on it that goes through a relay. */
async function openThroughRelay() {
  const { pool: server, url, drop } = await createTestDatabase();
  const relay = await startRelay(url);
  const limits = { max: 4, connectMs: 2_000, statementMs: 2_000 };
  const lines: string[] = [];
  const log = createLog("warn", {
    write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  const { db, pool, close } = connectDatabase(relay.url, log, limits);
  onTestFinished(async () => {
    await close();
    await relay.stop();
    await drop();
  });
  const name = (await server.query<{ name: string }>("select current_database() as name")).rows[0]?.name;
  /** Sets the role of connections that are made after this. */
  const setReplica = (isReplica: boolean) =>
    server.query(`alter database "${name}" set default_transaction_read_only = ${isReplica ? "on" : "off"}`);
  let connections = 0;
  pool.on("connect", () => void (connections += 1));
  await server.query("create table kept (id int primary key)");
  const readKept = async () =>
    (await server.query<{ id: number }>("select id from kept order by id")).rows.map(({ id }) => id);
  const insert = (id: number, on: Db = db) => sql`insert into kept values (${id})`.execute(on);
  return { db, pool, relay, server, setReplica, readKept, insert, lines, readConnections: () => connections };
}

test("HA-04 while the primary changes no call fails: calls wait for the next one, and a transaction goes on there", async () => {
  const { db, relay, server, readKept, insert } = await openThroughRelay();
  const change = async () => {
    relay.refuse(4);
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = ''`,
    );
  };
  await db.transaction().execute(async (tx) => {
    await insert(1, tx);
    await change();
    const { rows } = await sql<{ id: number }>`select id from kept`.execute(tx);
    expect(rows).toEqual([{ id: 1 }]);
    await insert(2, tx);
    // The next statement is the commit.
    await change();
  });
  expect(await readKept()).toEqual([1, 2]);
  const late = sql`select pg_sleep(0.2)`.execute(db);
  const lateWrite = db.transaction().execute((tx) => sql`select pg_sleep(0.2)`.execute(tx));
  await sql`select`.execute(db);
  await change();
  await Promise.all([late, lateWrite, insert(3), sql`select`.execute(db)]);
  expect(await readKept()).toEqual([1, 2, 3]);
});

test("after a statement of a transaction failed, those sent alongside it do nothing", async () => {
  const { db, readKept, insert } = await openThroughRelay();
  const both = db.transaction().execute(async (tx) => {
    await insert(1, tx);
    await Promise.all([insert(1, tx), insert(2, tx), insert(3, tx), insert(4, tx)]);
  });
  await expect(both).rejects.toMatchObject({ code: "23505" });
  await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.01)`.execute(db)));
  expect(await readKept()).toEqual([]);
});

test("HA-04 nothing is repeated that may have been done, or that would be done on other facts", async () => {
  const { db, relay, server, readKept, insert } = await openThroughRelay();
  const away = { code: "database_unavailable" };
  const count = (on: Db) => sql`select count(*) from kept`.execute(on);
  const changed = db.transaction().execute(async (tx) => {
    await count(tx);
    relay.cut();
    await server.query("insert into kept values (7)");
    await insert(1, tx);
  });
  await expect(changed).rejects.toMatchObject(away);
  const locked = db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(tx);
    relay.cut();
    await insert(2, tx);
  });
  await expect(locked).rejects.toMatchObject(away);
  relay.cutAt("commit");
  await expect(db.transaction().execute((tx) => insert(3, tx))).rejects.toMatchObject(away);
  relay.cutAt("insert");
  await expect(insert(4)).rejects.toMatchObject(away);
  expect(await readKept()).toEqual([7]);
});

test("HA-04 a transaction that would be another one fails at once with the failure of its server, and counts as no further outage", async () => {
  const { db, relay, server, readKept, insert, lines } = await openThroughRelay();
  const startedAt = performance.now();
  const taken = db.transaction().execute(async (tx) => {
    await insert(1, tx);
    relay.cut();
    await server.query("insert into kept values (1)");
    await sql`select`.execute(tx);
  });
  // And not that the number is taken, which the statement that failed has nothing to do with.
  await expect(taken).rejects.toMatchObject({ code: "database_unavailable" });
  const changed = db.transaction().execute(async (tx) => {
    await sql`select count(*) from kept`.execute(tx);
    relay.cut();
    await server.query("insert into kept values (2)");
    await insert(3, tx);
  });
  await expect(changed).rejects.toMatchObject({ code: "database_unavailable" });
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  await sql`select`.execute(db);
  expect(await readKept()).toEqual([1, 2]);
  expect(lines).toEqual(
    Array.from({ length: 2 }, () => ["The database is away", "The database is back"]).flat(),
  );
});

test("HA-04 a transaction in which a statement failed is not repeated without it", async () => {
  const { db, relay, readKept, insert } = await openThroughRelay();
  await insert(1);
  const failed = db.transaction().execute(async (tx) => {
    await insert(2, tx);
    await expect(insert(1, tx)).rejects.toMatchObject({ code: "23505" });
    relay.cut();
    await insert(3, tx);
  });
  await expect(failed).rejects.toMatchObject({ code: "database_unavailable" });
  expect(await readKept()).toEqual([1]);
});

test("HA-04 a transaction of more than 200 statements is not repeated, and one of 200 is", async () => {
  const { db, relay, readKept, insert } = await openThroughRelay();
  const insertCut = (first: number, count: number) =>
    db.transaction().execute(async (tx) => {
      for (let id = first; id < first + count; id += 1) await insert(id, tx);
      relay.cut();
      await sql`select`.execute(tx);
    });
  // With its beginning the first one has 200.
  await insertCut(1, 199);
  expect(await readKept()).toHaveLength(199);
  await expect(insertCut(1_000, 200)).rejects.toMatchObject({ code: "database_unavailable" });
  expect(await readKept()).toHaveLength(199);
});

test("HA-04 a transaction that wants its end learns its own reason when its server is lost", async () => {
  const { db, relay, readKept, insert } = await openThroughRelay();
  const ended = db.transaction().execute(async (tx) => {
    await insert(1, tx);
    relay.cut();
    throw new Error("The order is canceled.");
  });
  await expect(ended).rejects.toThrow("The order is canceled.");
  expect(await readKept()).toEqual([]);
});

test("HA-04 a replica in the primary's place is asked every tenth of a second for the next primary, and is one outage", async () => {
  const { db, setReplica, readKept, insert, lines, readConnections } = await openThroughRelay();
  await setReplica(true);
  const startedAt = performance.now();
  await expect(insert(1)).rejects.toMatchObject({ code: "database_unavailable" });
  expect(performance.now() - startedAt).toBeGreaterThan(1_500);
  expect(readConnections()).toBeLessThan(30);
  await sql`select`.execute(db);
  await expect(insert(2)).rejects.toMatchObject({ code: "database_unavailable" });
  expect(lines).toEqual(["The database is away"]);
  await setReplica(false);
  await insert(3);
  expect(await readKept()).toEqual([3]);
  expect(lines).toEqual(["The database is away", "The database is back"]);
});

test("HA-04 the outage of a replica in the primary's place ends with what it refused, so that the next one is waited for too", async () => {
  const { db, setReplica, lines } = await openThroughRelay();
  await setReplica(true);
  const locked = sql`select id from kept for update`.execute(db);
  await sql`select pg_sleep(0.3)`.execute(db);
  await setReplica(false);
  await locked;
  expect(lines).toEqual(["The database is away", "The database is back"]);
});

test("HA-04 calls that find all connections in use don't count as an outage", async () => {
  const { db, insert, readKept, lines } = await openThroughRelay();
  const long = Array.from({ length: 4 }, () =>
    db.transaction().execute(async (tx) => {
      for (let part = 0; part < 3; part += 1) await sql`select pg_sleep(0.9)`.execute(tx);
    }),
  );
  await expect(insert(1)).rejects.toMatchObject({ code: "database_unavailable" });
  await Promise.all(long);
  await insert(2);
  expect(await readKept()).toEqual([2]);
  expect(lines).toEqual(["All connections to the database are in use"]);
});

test("a session that is given back while it looks for the next primary takes no connection for good", async () => {
  const { db, pool, relay } = await openThroughRelay();
  const first = await db.connection().execute(async (held) => {
    await sql`select`.execute(held);
    relay.refuse();
    relay.cut();
    // Its caller doesn't wait for it.
    return { late: sql`select`.execute(held).catch((error: unknown) => error) };
  });
  relay.admit();
  expect(await first.late).toMatchObject({ code: "database_unavailable" });
  await sql`select`.execute(db);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test("a text with U+0000, which PostgreSQL refuses, is stored with U+FFFD in its place", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const texts = ["a\0b", "c"];
  const { rows } = await sql`select ${"x\0"}::text as one, ${texts}::text[] as several`.execute(db);
  expect(rows).toEqual([{ one: "x\ufffd", several: ["a\ufffdb", "c"] }]);
});

test("a process that stood still for longer than the limits doesn't take the database for frozen", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const limits = { max: 1, connectMs: 200, statementMs: 200 };
  const { db, close } = connectDatabase(url, createLog("silent"), limits);
  onTestFinished(close);
  await sql`select`.execute(db);
  // The second one waits for the connection.
  const answers = Promise.all([sql`select pg_sleep(0.1)`.execute(db), sql`select`.execute(db)]);
  // The statement is sent. After this Node runs timers first, and reads the answers that have come only then.
  await new Promise((resolve) => setImmediate(resolve));
  standStill(1_500);
  await expect(answers).resolves.toHaveLength(2);
});

/** Keeps this process from doing anything else, as a machine without time for it does. */
function standStill(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt;);
}

test("HA-01 a server that has become a standby counts as away, also where it refuses an unlogged table in other words", async () => {
  const { url, drop } = await createTestDatabase();
  const { db, close } = connectDatabase(url, createLog("silent"));
  onTestFinished(async () => {
    await close();
    await drop();
  });
  const refuse = (text: string) =>
    sql`do ${sql.raw(`$$ begin raise exception '${text}' using errcode = '0A000'; end $$`)}`.execute(db).then(
      () => null,
      (error: unknown) => error,
    );
  // As PostgreSQL 17 was seen to answer while it was demoted.
  expect(isAway(await refuse("cannot access temporary or unlogged relations during recovery"))).toBe(true);
  expect(isAway(await refuse("cannot use a column list"))).toBe(false);
});
