import type { StateSchema } from "../kit/sqlite.ts";

/** Tables of the simulator's state. `doc` columns hold JSON, times are milliseconds since 1970. */
const SQL = `
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS app (client_id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS code (code TEXT PRIMARY KEY, doc TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS access_token (
  token TEXT PRIMARY KEY, client_id TEXT NOT NULL, user TEXT, expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS refresh_token (
  token TEXT PRIMARY KEY, client_id TEXT NOT NULL, user TEXT NOT NULL, count INTEGER NOT NULL,
  expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
`;

/** Every table; a reset empties them. */
export const TABLES = ["setting", "app", "code", "access_token", "refresh_token", "journal"] as const;

export const SCHEMA: StateSchema = { version: 1, tables: TABLES, sql: SQL };
