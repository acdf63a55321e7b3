import type { DatabaseSync } from "node:sqlite";
import type { WireRequest } from "./http.ts";

const KEPT = 20_000;

/** Adds an entry to table `journal`; the oldest are dropped. */
export function addEntry(db: DatabaseSync, entry: object): void {
  const { lastInsertRowid } = db.prepare("INSERT INTO journal (doc) VALUES (?)").run(JSON.stringify(entry));
  const seq = Number(lastInsertRowid);
  if (seq % 1000 === 0) db.prepare("DELETE FROM journal WHERE seq <= ?").run(seq - KEPT);
}

/** Reads entries after a sequence number, oldest first. */
export const readEntries = <Entry>(db: DatabaseSync, since: number): (Entry & { seq: number })[] =>
  db
    .prepare("SELECT seq, doc FROM journal WHERE seq > ? ORDER BY seq LIMIT 10000")
    .all(since)
    .map((row) => ({ seq: Number(row["seq"]), ...(JSON.parse(String(row["doc"])) as Entry) }));

/** A header of a request; null when absent. */
export const header = ({ headers }: WireRequest, name: string): string | null =>
  headers[name] === undefined ? null : String(headers[name]);
