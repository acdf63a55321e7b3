import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { watchPresence, type Presence } from "#platform/db/presence.ts";
import { openSession, type Statement } from "#platform/db/session.ts";
import type { Log } from "#platform/log.ts";

/** A database handle without tables; a store adds its own with `db.withTables<…>()`. */
export type Db = Kysely<NoTables>;
type NoTables = Record<never, never>;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** `connectMs` includes the wait for a free connection; `statementMs` is 0 for no limit. */
export type DatabaseLimits = {
  max: number;
  connectMs: number;
  statementMs: number;
  /** Names the program to the server, which records it with runs; the driver's own name by default. */
  program?: string;
};

/** A caller is waiting: connecting and one hanging statement together stay below 10 s. */
export const REQUEST_LIMITS: DatabaseLimits = { max: 12, connectMs: 4_000, statementMs: 5_000 };
/** Background work may wait for other work's locks; runs of each kind have separate slots. */
export const WORK_LIMITS: DatabaseLimits = { max: 16, connectMs: 10_000, statementMs: 60_000 };
/** No statement limit: indexing a large table can take long. */
export const MIGRATION_LIMITS: DatabaseLimits = { max: 2, connectMs: 10_000, statementMs: 0 };

/** A responsive server cancels its own statement first; after this additional time it counts as frozen. */
const FROZEN_AFTER_MS = 500;
/** Long enough for a transaction that calls a vendor. */
export const IDLE_TRANSACTION_MS = 180_000;
/**
 * Prefix of statements that each connection parses and plans once; contains their name. Used for statements
 * of every request, which cost more to plan than to run.
 */
const PREPARED = /^\/\* prepared ([a-z-]+) \*\//;
/** Our bigint columns stay within 2^53 (counters, cents), so they are returned as numbers. */
const BIGINT_OID = 20;

/**
 * Opens a pool on PostgreSQL (15 or newer). While another server becomes the primary, calls wait for it up to `connectMs`. An
 * absent or frozen server fails a statement within the limits, as AppError 503, and its connection is closed. While it is away
 * the log has a line at the start and one at the end.
 * @param connectionString URL of the server; the `host` parameter may be a socket folder
 */
export function connectDatabase(
  connectionString: string,
  log: Log,
  limits: DatabaseLimits = WORK_LIMITS,
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: limits.max,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    ...(limits.program === undefined ? {} : { application_name: limits.program }),
    types: {
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // Without a listener a lost server would end the process; the pool reconnects by itself.
  const onError = (error: Error) => {
    // An embedded server that stops at the same time may end a connection that is being closed.
    if (!pool.ending) log.debug({ err: error }, "A database connection was lost");
  };
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const presence = watchPresence(pool, log);
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool: limitWaiting(pool, limits, presence) }) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * Wraps the pool for Kysely: it does not wait for a frozen server, goes on at the next primary where it can, and distinguishes
 * an outage from a wrong statement.
 */
function limitWaiting(
  pool: pg.Pool,
  { connectMs, statementMs }: DatabaseLimits,
  presence: Presence,
): PostgresPool {
  const take = async (ms: number): Promise<pg.PoolClient> => {
    const client = await takeConnection(pool, { connectMs, ms });
    if (!presence.isOld(client)) return client;
    client.release(true);
    return take(ms);
  };
  const send = async (client: pg.PoolClient, { text, parameters }: Statement) => {
    // Closing the connection immediately fails the running statement and the following rollback.
    const onFrozen = () => void client.end();
    const cancel = statementMs > 0 ? startLimit(statementMs + FROZEN_AFTER_MS, onFrozen) : () => undefined;
    try {
      const name = PREPARED.exec(text)?.[1];
      return await client.query({ text, values: parameters.map(toStorable), ...(name ? { name } : {}) });
    } finally {
      cancel();
    }
  };
  const connect = async () => {
    const session = await openSession({ take, send, presence }, connectMs);
    const query = (text: string, parameters: readonly unknown[]) => session.query({ text, parameters });
    // Kysely's type of `query` includes cursors, which are not used here.
    return { query, release: session.release } as unknown as PostgresPoolClient;
  };
  return { connect, end: () => pool.end(), options: pool.options };
}

/**
 * A limit that ends much later than it should says that this process stood still, without time of the machine or busy. What
 * the server answered meanwhile is not read yet, since Node runs timers first.
 */
const isLate = (startedAt: number, ms: number): boolean =>
  performance.now() - startedAt > ms + FROZEN_AFTER_MS;

/** Takes a connection of the pool within `ms`; the pool is asked once more if its own limit ended late. */
async function takeConnection(
  pool: pg.Pool,
  { connectMs, ms }: { connectMs: number; ms: number },
): Promise<pg.PoolClient> {
  const startedAt = performance.now();
  const taken = pool.connect().catch((error: unknown) => {
    if (isLate(startedAt, connectMs)) return pool.connect();
    throw error;
  });
  // The pool's own limit says whether it was the server that didn't answer.
  if (ms > connectMs - FROZEN_AFTER_MS) return taken;
  let cancel = () => undefined as void;
  const late = new Promise<null>((resolve) => (cancel = startLimit(ms, () => resolve(null))));
  const client = await Promise.race([taken, late]).finally(() => cancel());
  if (client) return client;
  void taken.then(
    (unused) => unused.release(),
    () => undefined,
  );
  throw new Error(`There was no connection within ${Math.round(ms)} ms.`);
}

/** Calls a function after a time, which begins again if it ended late. @returns a function that cancels it */
function startLimit(ms: number, onEnd: () => void): () => void {
  const startedAt = performance.now();
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (!isLate(startedAt, ms)) return onEnd();
    cancel = startLimit(ms, onEnd);
  }, ms);
  return () => cancel();
}

/** PostgreSQL refuses U+0000 in texts, which vendors and files may have. */
function toStorable(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  return Array.isArray(value) ? value.map(toStorable) : value;
}
