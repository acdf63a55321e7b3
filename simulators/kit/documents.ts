import type { DatabaseSync } from "node:sqlite";

/**
 * A table of JSON documents with columns for their key, `doc` and `position`; rows are in order of creation.
 */
export type DocumentTable = { name: string; key: string };

export function listDocuments<T>(db: DatabaseSync, { name }: DocumentTable): T[] {
  return db
    .prepare(`SELECT doc FROM ${name} ORDER BY position`)
    .all()
    .map((row) => JSON.parse(String(row["doc"])) as T);
}

export function findDocument<T>(db: DatabaseSync, { name, key }: DocumentTable, id: string): T | undefined {
  const row = db.prepare(`SELECT doc FROM ${name} WHERE ${key} = ?`).get(id);
  return row ? (JSON.parse(String(row["doc"])) as T) : undefined;
}

/** Adds a document, or replaces the one with its id in place. */
export function saveDocument(
  db: DatabaseSync,
  { name, key }: DocumentTable,
  { id, document }: { id: string; document: unknown },
): void {
  db.prepare(
    `INSERT INTO ${name} (${key}, doc, position) VALUES (?, ?, (SELECT count(*) FROM ${name}))
     ON CONFLICT (${key}) DO UPDATE SET doc = excluded.doc`,
  ).run(id, JSON.stringify(document));
}
