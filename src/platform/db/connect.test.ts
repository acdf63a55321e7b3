import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "#platform/db/connect.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

test.each([
  ["in use is logged", false, true],
  ["being closed is not logged: a server that stops then may be faster", true, false],
] as const)("the loss of a connection that is %s", async (_, isClosing, logged) => {
  const { pool: server, url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const lines: string[] = [];
  const { db, pool, close } = connectDatabase(
    url,
    createLog("warn", { write: (line) => void lines.push(line) }),
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
