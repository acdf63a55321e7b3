import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { databaseUrl } from "./database.ts";
import { TEST_KEYS } from "./keys.ts";
import type { TestApp } from "./start-app.ts";

/** A folder that ends with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-place-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty place: a database whose user owns it and isn't a superuser, and an empty data folder. */
export async function emptyPlace() {
  const name = `test_${inject("databaseRun")}_${randomBytes(6).toString("hex")}`;
  const server = new pg.Client({ connectionString: inject("databaseUrl") });
  await server.connect();
  await server.query(`create role ${name} login password 'a-password'`);
  await server.query(`create database ${name} owner ${name}`);
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    await server.query(`drop role ${name}`);
    await server.end();
  });
  const url = new URL(databaseUrl(inject("databaseUrl"), name));
  [url.username, url.password] = [name, "a-password"];
  return { DATABASE_URL: url.href, DATA_DIR: await makeFolder(), SEALING_KEYS: TEST_KEYS };
}

/** The place of an app, as its environment names it. */
export async function findAppPlace({ db, config }: TestApp) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = databaseUrl(inject("databaseUrl"), rows[0]?.name ?? "");
  return { DATABASE_URL: url, DATA_DIR: config.dataDir, SEALING_KEYS: TEST_KEYS };
}
