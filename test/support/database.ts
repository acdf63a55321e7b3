import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connectDatabase, WORK_LIMITS, type Database } from "#platform/db/connect.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { migrateJobs } from "#platform/jobs/run-jobs.ts";
import { createLog } from "#platform/log.ts";

const TEMPLATE = "dockside_template";

/** A migrated database of the test's own, copied from a template that the first caller makes. */
export async function createTestDatabase(): Promise<Database & { url: string; drop(): Promise<void> }> {
  const serverUrl = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, async (client) => {
    await client.query("select pg_advisory_lock(1)");
    await ensureTemplate(client, serverUrl);
    // By its files: block by block, as PostgreSQL does by itself, takes ten times as much work.
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  const url = databaseUrl(serverUrl, name);
  const database = connectDatabase(url, createLog("silent"));
  const drop = async () => {
    await database.close();
    await onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { ...database, url, drop };
}

/** The same server address with another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function ensureTemplate(client: pg.Client, serverUrl: string): Promise<void> {
  const found = await client.query("select 1 from pg_database where datname = $1", [TEMPLATE]);
  if (found.rowCount) return;
  await client.query(`create database ${TEMPLATE}_new`);
  const database = connectDatabase(databaseUrl(serverUrl, `${TEMPLATE}_new`), createLog("silent"), {
    ...WORK_LIMITS,
    max: 2,
  });
  try {
    await migrateDatabase(database.db);
    await migrateJobs(database.pool);
  } finally {
    await database.close();
  }
  await client.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
}

async function onServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
