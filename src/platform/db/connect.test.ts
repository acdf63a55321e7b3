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
