import type { StateSchema } from "../kit/sqlite.ts";

/** Tables of the simulator's state. `doc` columns hold JSON, times are milliseconds since 1970. */
const SQL = `
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS app (client_id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS code (code TEXT PRIMARY KEY, doc TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS access_token (
  token TEXT PRIMARY KEY, client_id TEXT NOT NULL, user TEXT, merchant TEXT, expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS refresh_token (
  token TEXT PRIMARY KEY, client_id TEXT NOT NULL, user TEXT NOT NULL, count INTEGER NOT NULL,
  expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS shipment (
  id TEXT PRIMARY KEY, account TEXT NOT NULL, created_at INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS package (
  tracking TEXT PRIMARY KEY, shipment_id TEXT NOT NULL, number INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS package_shipment ON package (shipment_id, number);
CREATE TABLE IF NOT EXISTS label (tracking TEXT PRIMARY KEY, format TEXT NOT NULL, content BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS reference (value TEXT NOT NULL, tracking TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS reference_value ON reference (value);
CREATE TABLE IF NOT EXISTS subscription (id TEXT PRIMARY KEY, key TEXT NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS alert (
  subscription TEXT NOT NULL, tracking TEXT NOT NULL, event TEXT NOT NULL, status INTEGER,
  PRIMARY KEY (subscription, tracking, event)) STRICT;
CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
`;

/** Every table; a reset empties them. */
export const TABLES = [
  "setting",
  "app",
  "code",
  "access_token",
  "refresh_token",
  "shipment",
  "package",
  "label",
  "reference",
  "subscription",
  "alert",
  "journal",
] as const;

export const SCHEMA: StateSchema = { version: 3, tables: TABLES, sql: SQL };
