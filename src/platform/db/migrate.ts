import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Db } from "#platform/db/connect.ts";

/** Migrations are plain SQL, run in file name order. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, "../../../db/migrations");

/**
 * Brings the database to the newest version. Several processes may call it at once: Kysely's lock lets one
 * work.
 * @throws if a migration fails (it is rolled back) or if the database is newer than this code
 */
export async function migrateDatabase(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
}

/** Lists the migrations that ran on a database, in order. */
export async function listMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Brings an empty database to where another one was, so that its rows fit.
 * @param migrations all that ran on the other one, in order
 * @throws UnknownMigration if this version does not begin with the same ones
 */
export async function migrateAs(db: Db, migrations: readonly string[]): Promise<void> {
  const own = Object.keys(await readMigrations());
  const unknown = migrations.find((name, at) => own[at] !== name);
  if (unknown !== undefined) throw new UnknownMigration(fileName(unknown));
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error } = await migrator.migrateTo(migrations.at(-1) ?? "");
  if (error) throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
}

/** A migration of another version of the product; the message is its name. */
export class UnknownMigration extends Error {}

type ForeignMigration = { name: string; isNewer: boolean };

/**
 * Finds the first migration that another version of the product ran on this database; null if there is none.
 * Until the first release, migrations are edited; afterwards they are only appended.
 */
export async function findForeignMigration(db: Db): Promise<ForeignMigration | null> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return null;
  const own = Object.keys(await readMigrations());
  const { rows } = await sql<{ name: string }>`select name from kysely_migration
    where name <> all (${own}::text[]) order by name limit 1`.execute(db);
  const name = rows[0]?.name;
  if (name === undefined) return null;
  return { name: fileName(name), isNewer: fileName(name) > fileName(own.sort().at(-1) ?? "") };
}

const fileName = (migration: string): string => migration.split("@", 1)[0] ?? "";

/** Names each migration by its file and a hash of its text, so that an edited one counts as different. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const entries = files.map(async (name) => {
    const text = await readFile(join(MIGRATIONS_FOLDER, name), "utf8");
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
    return [`${name.replace(/\.sql$/, "")}@${hash}`, { up: (db: Db) => sql.raw(text).execute(db) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as unknown as Record<string, Migration>;
}
