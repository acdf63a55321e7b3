import type { StateSchema } from "../kit/sqlite.ts";

/** Tables of the simulator's state. `doc` columns hold JSON. */
const SQL = `
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS user (sub TEXT PRIMARY KEY, doc TEXT NOT NULL, position INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS company (realm_id TEXT PRIMARY KEY, doc TEXT NOT NULL, position INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS client (client_id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS code (code TEXT PRIMARY KEY, doc TEXT NOT NULL, expires_at INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS app_grant (
  id TEXT PRIMARY KEY, client_id TEXT NOT NULL, sub TEXT NOT NULL, realm_id TEXT, scope TEXT NOT NULL,
  created_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS app_grant_realm ON app_grant (realm_id);
CREATE TABLE IF NOT EXISTS access_token (token TEXT PRIMARY KEY, grant_id TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS access_token_grant ON access_token (grant_id);
CREATE TABLE IF NOT EXISTS refresh_token (
  token TEXT PRIMARY KEY, grant_id TEXT NOT NULL, issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  replaced_at INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS entity (
  realm_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL,
  PRIMARY KEY (realm_id, kind, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deleted_entity (
  realm_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, deleted_at TEXT NOT NULL,
  PRIMARY KEY (realm_id, kind, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sequence (realm_id TEXT NOT NULL, name TEXT NOT NULL, last TEXT NOT NULL, PRIMARY KEY (realm_id, name)) STRICT;
CREATE TABLE IF NOT EXISTS deposited_invoice (realm_id TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (realm_id, id)) STRICT;
CREATE TABLE IF NOT EXISTS file (realm_id TEXT NOT NULL, id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (realm_id, id)) STRICT;
CREATE TABLE IF NOT EXISTS replay (
  realm_id TEXT NOT NULL, request_key TEXT NOT NULL, status INTEGER NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (realm_id, request_key)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS change (
  seq INTEGER PRIMARY KEY, realm_id TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
  label TEXT NOT NULL, operation TEXT NOT NULL, who TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS change_realm ON change (realm_id, seq);
CREATE TABLE IF NOT EXISTS journal (
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, realm_id TEXT, operation TEXT NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS journal_realm ON journal (realm_id, seq);
CREATE TABLE IF NOT EXISTS webhook_event (
  seq INTEGER PRIMARY KEY, client_id TEXT NOT NULL, realm_id TEXT NOT NULL, at INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS webhook_delivery (
  seq INTEGER PRIMARY KEY, client_id TEXT NOT NULL, body TEXT NOT NULL, events INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, status INTEGER, due_at INTEGER) STRICT;
`;

/** Every table; a reset empties them. */
export const TABLES = [
  "setting",
  "user",
  "company",
  "client",
  "code",
  "app_grant",
  "access_token",
  "refresh_token",
  "entity",
  "deleted_entity",
  "sequence",
  "deposited_invoice",
  "file",
  "replay",
  "change",
  "journal",
  "webhook_event",
  "webhook_delivery",
] as const;

export const SCHEMA: StateSchema = { version: 4, tables: TABLES, sql: SQL };
