import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";

declare module "vitest" {
  // Vitest's own type is extended, which only an interface can do.
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests make databases of their own. */
    databaseUrl: string;
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
  max_wal_senders: "0",
  max_connections: "200",
};

/** Gives all tests one PostgreSQL: that of DATABASE_URL, else an embedded one in a folder of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  if (given) {
    project.provide("databaseUrl", given);
    // A product that a test starts must not mistake this server for its own database.
    delete process.env.DATABASE_URL;
    return async () => undefined;
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
