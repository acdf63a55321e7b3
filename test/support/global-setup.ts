import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";

declare module "vitest" {
  // Vitest's own type is extended, which only an interface can do.
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests make databases of their own. */
    databaseUrl: string;
    /** In the names of those databases. */
    databaseRun: string;
  }
}

/**
 * Nothing of a test outlives it, so the disk need not be waited for, and a database is copied five times as fast when
 * the copy is not logged; each test file has a few connections.
 */
const FORGETFUL = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  plan_cache_mode: "force_generic_plan",
  max_wal_senders: "0",
  max_connections: "200",
};

/** Gives all tests one PostgreSQL: that of DATABASE_URL, else an embedded one in a folder of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const databaseRun = randomBytes(4).toString("hex");
  project.provide("databaseRun", databaseRun);
  if (given) {
    project.provide("databaseUrl", given);
    // A product that a test starts must not mistake this server for its own database.
    delete process.env.DATABASE_URL;
    return () => dropDatabases(given, databaseRun);
  }
  const folder = await mkdtemp(join(tmpdir(), "dockside-test-"));
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: createLog("warn"),
    settings: FORGETFUL,
  });
  project.provide("databaseUrl", server.connectionString);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Drops what the tests of a run left on a server that outlives them. */
async function dropDatabases(serverUrl: string, databaseRun: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [`test_${databaseRun}_`],
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
