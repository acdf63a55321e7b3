import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Tables, and a version number that changes with them. */
export type StateSchema = { version: number; tables: readonly string[]; sql: string };

/**
 * Opens a state file (`:memory:` for none) that survives a killed process. A file of another schema version
 * is replaced by an empty one: simulated data is not worth migrating.
 */
export function openState(file: string, schema: StateSchema): DatabaseSync {
  const db = withStatementsKept(new DatabaseSync(file));
  // The timeout is set first: a process killed a moment ago may still hold the file.
  db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version !== schema.version) for (const table of schema.tables) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec(`${schema.sql} PRAGMA user_version = ${schema.version};`);
  return db;
}

/** Caches statements: preparing one takes longer than running it, and a simulator has only a few. */
function withStatementsKept(db: DatabaseSync): DatabaseSync {
  const prepare = db.prepare.bind(db);
  const kept = new Map<string, StatementSync>();
  db.prepare = (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  return db;
}

/** Runs `work` in one transaction, which is rolled back if it throws. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

/** Reads a JSON value by key from the table `setting`. */
export function readSetting<T>(db: DatabaseSync, key: string): T | undefined {
  const row = db.prepare("SELECT value FROM setting WHERE key = ?").get(key);
  return row ? (JSON.parse(String(row["value"])) as T) : undefined;
}

export function writeSetting(db: DatabaseSync, key: string, value: unknown): void {
  db.prepare(
    "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(key, JSON.stringify(value));
}
