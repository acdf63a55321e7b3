import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connectDatabase, WORK_LIMITS, type Database } from "#platform/db/connect.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createLog } from "#platform/log.ts";

const TEMPLATE = "dockside_template";

type OwnDatabase = {
  name: string;
  url: string;
  /** How many tables, constraints, functions and triggers it had before any test. */
  parts: string;
  /** Stays open from test to test: a new connection takes as much work as fifty statements. */
  database: Database;
};

/** Databases that tests of this worker have left, emptied, for the next ones. */
const free: OwnDatabase[] = [];

/** A migrated, empty database that is the test's own until it drops it. */
export async function createTestDatabase(): Promise<Database & { url: string; drop(): Promise<void> }> {
  const own = free.pop() ?? (await copyTemplate(inject("databaseUrl")));
  const { name, url, database } = own;
  const drop = async () => {
    if (await emptyDatabase(own).catch(() => false)) return void free.push(own);
    await database.close();
    await onServer(inject("databaseUrl"), (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    );
  };
  return { ...database, url, drop };
}

/** The same on a server of the test's own, with which it ends. */
export async function createDatabaseOn(serverUrl: string): ReturnType<typeof createTestDatabase> {
  const { url, database } = await copyTemplate(serverUrl);
  return { ...database, url, drop: database.close };
}

/** A new database, copied from a template that the first caller makes. */
async function copyTemplate(serverUrl: string): Promise<OwnDatabase> {
  const name = `test_${inject("databaseRun")}_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, async (client) => {
    await client.query("select pg_advisory_lock(1)");
    await ensureTemplate(client, serverUrl);
    // By its files: block by block, as PostgreSQL does by itself, takes ten times as much work.
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  const url = databaseUrl(serverUrl, name);
  const database = connectDatabase(
    `${url}${new URL(url).search ? "&" : "?"}application_name=${KEPT}`,
    createLog("silent"),
  );
  database.pool.on("connect", planOnce);
  return { name, url, database, parts: await countParts(database.pool) };
}

const REPEATABLE = /^\s*(select|insert|update|delete|with)\b/i;
const namesByText = new Map<string, string>();

/**
 * Names the statements of a connection, so that PostgreSQL parses and plans each text once: a quarter of its work in the tests,
 * which repeat the same statements on tables of a few rows.
 */
function planOnce(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((statement: unknown, ...rest: unknown[]) => {
    if (!isUnnamed(statement) || !REPEATABLE.test(statement.text)) return query(statement, ...rest);
    const name = namesByText.get(statement.text) ?? `test_${namesByText.size}`;
    namesByText.set(statement.text, name);
    return query({ ...statement, name }, ...rest);
  }) as typeof client.query;
}

const isUnnamed = (statement: unknown): statement is { text: string } =>
  typeof statement === "object" && statement !== null && "text" in statement && !("name" in statement);

/**
 * Makes a database again what the template is, which takes a fraction of a new copy's work.
 * @returns whether it is: in one whose tables, constraints, functions or triggers a test changed they stay changed, and a connection
 * that a test still uses may change it later
 */
async function emptyDatabase({ database: { pool }, parts }: OwnDatabase): Promise<boolean> {
  if (pool.idleCount < pool.totalCount) return false;
  await pool.query(END_OTHER_SESSIONS);
  await pool.query(EMPTY_TABLES);
  return (await countParts(pool)) === parts;
}

/** Connections of a pool that is kept. */
const KEPT = "kept";

const END_OTHER_SESSIONS = `select pg_terminate_backend(pid, 10000) from pg_stat_activity
  where datname = current_database() and application_name <> '${KEPT}' and backend_type = 'client backend'`;

/** Without triggers and foreign keys, so in any order. A large table gets new files: the next test finds it as small as it was. */
const EMPTY_TABLES = `do $$ declare used record; begin
  set local session_replication_role = replica;
  for used in select oid::regclass as name, pg_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace <> all ('{pg_catalog,information_schema}'::regnamespace[])
      and relname not in ('kysely_migration', 'kysely_migration_lock')
  loop
    if used.bytes > 256 * 1024 then execute format('truncate %s cascade', used.name);
    elsif used.bytes > 0 then execute format('delete from %s', used.name);
    end if;
  end loop;
end $$`;

async function countParts(client: pg.Client | pg.Pool): Promise<string> {
  const { rows } = await client.query<{
    parts: string;
  }>(`select concat_ws(' ', (select count(*) from pg_class),
    (select count(*) from pg_constraint), (select count(*) from pg_proc), (select count(*) from pg_trigger)) as parts`);
  return rows[0]?.parts ?? "";
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
