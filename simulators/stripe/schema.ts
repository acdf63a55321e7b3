import type { StateSchema } from "../kit/sqlite.ts";

/** Tables of the simulator's state. `doc` columns hold JSON, times are seconds since 1970. */
const SQL = `
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS object (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, customer TEXT, doc TEXT NOT NULL,
  due_at INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS object_kind ON object (kind, position);
CREATE INDEX IF NOT EXISTS object_due ON object (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS replay (
  key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS delivery (
  seq INTEGER PRIMARY KEY, event TEXT NOT NULL, endpoint TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER, status INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS delivery_due ON delivery (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
`;

/** Every table; a reset empties them. */
export const TABLES = ["setting", "object", "replay", "delivery", "journal"] as const;

export const SCHEMA: StateSchema = { version: 1, tables: TABLES, sql: SQL };
