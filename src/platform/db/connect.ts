import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Log } from "#platform/log.ts";

/** A database handle that knows no table; a store names its own tables by `db.withTables<…>()`. */
export type Db = Kysely<NoTables>;
type NoTables = Record<never, never>;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** bigint columns of ours stay within 2^53 (counters, cents), so they come as numbers. */
const BIGINT_OID = 20;

/**
 * Opens a pool on PostgreSQL (15 or newer).
 * @param connectionString URL of the server; a socket folder may stand as its `host` parameter
 */
export function connectDatabase(connectionString: string, log: Log, options?: { max?: number }): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options?.max ?? 12,
    types: {
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // Without a listener a lost server would end the process; the pool reconnects by itself.
  const onError = (error: Error) => log.warn({ err: error }, "A database connection was lost");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}
