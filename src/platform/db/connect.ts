import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { databaseFailure } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";

/** A database handle that knows no table; a store names its own tables by `db.withTables<…>()`. */
export type Db = Kysely<NoTables>;
type NoTables = Record<never, never>;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** `connectMs` covers the wait for a free connection too; `statementMs` is 0 for no limit. */
export type DatabaseLimits = { max: number; connectMs: number; statementMs: number };

/** A caller waits: connecting and one statement that hangs stay below 10 s together. */
export const REQUEST_LIMITS: DatabaseLimits = { max: 12, connectMs: 4_000, statementMs: 5_000 };
/** Background work may wait for a lock that another piece of work holds; runs of each kind have slots of their own. */
export const WORK_LIMITS: DatabaseLimits = { max: 16, connectMs: 10_000, statementMs: 60_000 };
/** An index over a large table takes as long as it takes. */
export const MIGRATION_LIMITS: DatabaseLimits = { max: 2, connectMs: 10_000, statementMs: 0 };

/** A server that answers at all cancels its own statement first; after this much more it counts as frozen. */
const FROZEN_AFTER_MS = 500;
/** A transaction that asks a vendor meanwhile has ended by then. */
const IDLE_TRANSACTION_MS = 180_000;
/**
 * How a statement begins that each connection parses and plans once, and whose name is in it: for those of every request,
 * which cost more to plan than to run.
 */
const PREPARED = /^\/\* prepared ([a-z-]+) \*\//;
/** bigint columns of ours stay within 2^53 (counters, cents), so they come as numbers. */
const BIGINT_OID = 20;

/**
 * Opens a pool on PostgreSQL (15 or newer). A server that is absent or frozen fails a statement within the limits,
 * as AppError 503, and its connection is closed.
 * @param connectionString URL of the server; a socket folder may stand as its `host` parameter
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
    types: {
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // Without a listener a lost server would end the process; the pool reconnects by itself.
  const onError = (error: Error) => {
    // An embedded server that stops at the same time may end a connection that is just being closed.
    if (!pool.ending) log.warn({ err: error }, "A database connection was lost");
  };
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool: limitWaiting(pool, limits) }) });
  return { db, pool, close: () => db.destroy() };
}

/** The pool as Kysely sees it: it waits for no frozen server, and distinguishes an outage from a mistake in a statement. */
function limitWaiting(pool: pg.Pool, { statementMs }: DatabaseLimits): PostgresPool {
  const connect = async () => {
    const client = await pool.connect().catch((error: unknown) => {
      throw databaseFailure(error);
    });
    const query = async (text: string, parameters: readonly unknown[]) => {
      // Closing the connection fails what runs on it, and the rollback that follows, at once.
      const onFrozen = () => void client.end();
      const timer = statementMs > 0 ? setTimeout(onFrozen, statementMs + FROZEN_AFTER_MS) : undefined;
      try {
        const name = PREPARED.exec(text)?.[1];
        return await client.query({ text, values: [...parameters], ...(name ? { name } : {}) });
      } catch (error) {
        throw databaseFailure(error);
      } finally {
        clearTimeout(timer);
      }
    };
    // Kysely's type of `query` knows cursors too, which are not used here.
    return {
      query,
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
  };
  return { connect, end: () => pool.end(), options: pool.options };
}
