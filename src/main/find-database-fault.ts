import { sql } from "kysely";
import pg from "pg";
import type { Config } from "#platform/config/read-config.ts";
import type { Db } from "#platform/db/connect.ts";
import { findForeignMigration } from "#platform/db/migrate.ts";

const ANSWER_WITHIN_MS = 5_000;
const OLDEST_VERSION = 15;

type Variable = "DATABASE_URL" | "MIGRATION_DATABASE_URL";

/**
 * Explains why the configured database cannot be used, in one sentence without its password; null if it can,
 * or if none is configured.
 */
export async function findDatabaseFault({ databaseUrl, migrationUrl }: Config): Promise<string | null> {
  return (
    (await findUrlFault("DATABASE_URL", databaseUrl)) ??
    (await findUrlFault("MIGRATION_DATABASE_URL", migrationUrl))
  );
}

async function findUrlFault(variable: Variable, databaseUrl: string | null): Promise<string | null> {
  if (!databaseUrl) return null;
  const sentence = (reason: string) => describeUrlFault(variable, databaseUrl, reason);
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (version >= OLDEST_VERSION) return null;
    return sentence(`it is PostgreSQL ${version}, and ${OLDEST_VERSION} or newer is needed`);
  } catch (error) {
    return sentence(describeReason(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function describeUrlFault(variable: Variable, databaseUrl: string, reason: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `The database ${pathname.slice(1)} at ${host} cannot be used: ${reason}; start it, or set ${variable} to another one.`;
}

/** Explains which right the database's user lacks, and what to do about it. @param lack completes a sentence */
export function describeRightsFault(config: Config, variable: Variable, lack: string): string {
  const url = variable === "DATABASE_URL" ? config.databaseUrl : config.migrationUrl;
  const user = url === null ? "embedded" : decodeURIComponent(new URL(url).username);
  const remedy =
    variable === "DATABASE_URL" && config.migrationUrl === null
      ? "make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is"
      : "make it the owner of the database and its tables";
  return `The user ${user} of ${variable} can't be used for this database: ${lack}; ${remedy}.`;
}

function describeReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (code ? `it answers with the error ${code}` : "it does not answer in time");
}

/** Reasons by error code of the system and PostgreSQL. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "there is no such host",
  ENOENT: "there is no such socket",
  "28P01": "user or password is refused",
  "28000": "the user is refused",
  "3D000": "there is no database of this name",
};

/** Explains why a database of another version cannot be used, in one sentence; null if it can. */
export async function findVersionFault(db: Db): Promise<string | null> {
  const foreign = await findForeignMigration(db);
  if (!foreign) return null;
  return foreign.isNewer
    ? `This database was made by a newer version of the product (by its migration ${foreign.name}): start that version, or choose an empty DATA_DIR or DATABASE_URL.`
    : `This database is from before the first release (by its migration ${foreign.name}) and can't be brought up to this version: keep the version that made it, or remove the data folder (choose an empty DATA_DIR or DATABASE_URL).`;
}

/**
 * Keeps demo and real companies apart: a database remembers the kind it was first started for. Real tokens
 * must never be sent to a simulator, and the demo can be reset.
 * @returns a sentence if this start is of the other kind
 */
export async function findKindFault(db: Db, config: Config): Promise<string | null> {
  const kind = config.simulators ? "demo" : "real";
  const { rows } = await sql<{ kind: string }>`insert into installation (kind) values (${kind})
    on conflict (only_one) do update set kind = installation.kind returning kind`.execute(db);
  if (rows[0]?.kind === kind) return null;
  return kind === "demo"
    ? "This database holds real companies, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET, or choose another DATA_DIR or DATABASE_URL."
    : "This database holds the demo's companies: choose another DATA_DIR or DATABASE_URL for real ones.";
}
