import { sql } from "kysely";
import pg from "pg";
import type { Clock } from "#platform/clock.ts";
import type { Config } from "#platform/config/read-config.ts";
import { IDLE_TRANSACTION_MS, type Db } from "#platform/db/connect.ts";
import { findForeignMigration } from "#platform/db/migrate.ts";
import type { Log } from "#platform/log.ts";

const ANSWER_WITHIN_MS = 5_000;
const OLDEST_VERSION = 15;

type Variable = "DATABASE_URL" | "MIGRATION_DATABASE_URL" | "REPLICA_DATABASE_URL";

/** Longer than a fail-over of three servers takes, which is about 20 s. */
const WAIT_MS = 60_000;
const TRY_AGAIN_MS = 3_000;

type Waiting = { clock: Pick<Clock, "sleep" | "steadyMs">; log: Log };
type Fault = { reason: string; remedy: string; mayHeal: boolean };

/**
 * Explains why the configured database cannot be used, in one sentence without its password; null if it can,
 * or if none is configured. Waits up to a minute for one that is being started, or is changing to another server.
 */
export async function findDatabaseFault(
  { databaseUrl, migrationUrl, replicaUrl }: Config,
  waiting: Waiting,
): Promise<string | null> {
  return (
    (await findUrlFault("DATABASE_URL", databaseUrl, waiting)) ??
    (await findUrlFault("MIGRATION_DATABASE_URL", migrationUrl, waiting)) ??
    (await findReplicaFault(replicaUrl))
  );
}

/** A replica that fails in another way is done without, and the health names it. */
async function findReplicaFault(replicaUrl: string | null): Promise<string | null> {
  if (!replicaUrl || (await tryDatabase(replicaUrl)) !== POOLER) return null;
  return describeFault("REPLICA_DATABASE_URL", replicaUrl, POOLER);
}

function describeFault(variable: Variable, url: string, { reason, remedy }: Fault): string {
  return `${nameDatabase(url)} cannot be used: ${reason}; ${remedy.replace("URL", variable)}.`;
}

function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `The database ${pathname.slice(1)} at ${host}`;
}

async function findUrlFault(
  variable: Variable,
  databaseUrl: string | null,
  { clock, log }: Waiting,
): Promise<string | null> {
  if (!databaseUrl) return null;
  const startedAt = clock.steadyMs();
  for (;;) {
    const fault = await tryDatabase(databaseUrl);
    if (!fault) return null;
    const isOver = clock.steadyMs() - startedAt >= WAIT_MS;
    if (isOver || !fault.mayHeal) return describeFault(variable, databaseUrl, fault);
    log.warn(
      `${nameDatabase(databaseUrl)} cannot be used yet: ${fault.reason}. Trying again for up to a minute.`,
    );
    await clock.sleep(TRY_AGAIN_MS);
  }
}

const ANOTHER = "start it, or set URL to another one";

async function tryDatabase(databaseUrl: string): Promise<Fault | null> {
  const clients = [createClient(databaseUrl), createClient(databaseUrl)] as const;
  try {
    const [first, second] = clients;
    await first.connect();
    const { rows } = await first.query<{ server_version_num: string }>("show server_version_num");
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (version < OLDEST_VERSION) {
      const reason = `it is PostgreSQL ${version}, and ${OLDEST_VERSION} or newer is needed`;
      return { reason, remedy: ANOTHER, mayHeal: false };
    }
    await second.connect();
    return (await sharesConnections(first, second)) ? POOLER : null;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return POOLER;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const known =
      REASONS[code] ?? (code ? `it answers with the error ${code}` : "it does not answer in time");
    return { reason: known, remedy: ANOTHER, mayHeal: !LASTING.has(code) };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function createClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    // As the product connects: a pooler refuses it, or takes it without a word.
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  client.on("error", () => undefined);
  return client;
}

/**
 * Whether two connections reach one session of the server in turn, or lose what they set: a pooler in transaction mode. It would
 * lose prepared statements and LISTEN, so that work is done late while every page looks well.
 */
async function sharesConnections(first: pg.Client, second: pg.Client): Promise<boolean> {
  const session = `select pg_backend_pid() as pid,
    (extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::int as limit_ms`;
  type Session = { pid: number; limit_ms: number };
  const [a, b] = [await first.query<Session>(session), await second.query<Session>(session)];
  const [of, ofOther] = [a.rows[0], b.rows[0]];
  return of?.pid === ofOther?.pid || of?.limit_ms !== IDLE_TRANSACTION_MS;
}

const POOLER: Fault = {
  reason:
    "a connection pooler in transaction mode stands before it, which loses prepared statements, LISTEN and time limits",
  remedy: "set URL to PostgreSQL itself",
  mayHeal: false,
};

/** Explains which right the database's user lacks, and what to do about it. @param lack completes a sentence */
export function describeRightsFault(
  config: Config,
  variable: Exclude<Variable, "REPLICA_DATABASE_URL">,
  lack: string,
): string {
  const url = variable === "DATABASE_URL" ? config.databaseUrl : config.migrationUrl;
  const user = url === null ? "embedded" : decodeURIComponent(new URL(url).username);
  const remedy =
    variable === "DATABASE_URL" && config.migrationUrl === null
      ? "make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is"
      : "make it the owner of the database and its tables";
  return `The user ${user} of ${variable} can't be used for this database: ${lack}; ${remedy}.`;
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
/** Codes for a wrong user or database, which waiting doesn't fix. A wrong host it may: a replaced container gets its name again. */
const LASTING: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);

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
