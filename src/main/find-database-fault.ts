import pg from "pg";
import type { Config } from "#platform/config/read-config.ts";

const ANSWER_WITHIN_MS = 5_000;
const OLDEST_VERSION = 15;

/** Why the configured database cannot be used, in one sentence without its password; null when it can, or when none is configured. */
export async function findDatabaseFault({ databaseUrl }: Config): Promise<string | null> {
  if (!databaseUrl) return null;
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
    return sentence(databaseUrl, `it is PostgreSQL ${version}, and ${OLDEST_VERSION} or newer is needed`);
  } catch (error) {
    return sentence(databaseUrl, describeReason(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function sentence(databaseUrl: string, reason: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `The database ${pathname.slice(1)} at ${host} cannot be used: ${reason}; start it, or set DATABASE_URL to another one.`;
}

function describeReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (code ? `it answers with the error ${code}` : "it does not answer in time");
}

/** By the system's and PostgreSQL's own codes. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "there is no such host",
  ENOENT: "there is no such socket",
  "28P01": "user or password is refused",
  "28000": "the user is refused",
  "3D000": "there is no database of this name",
};
