import type { Simulator } from "./simulator.ts";

/** Counts for a request: objects read, objects written, batch items, items answered from the replay store. */
export type Tally = { reads: number; writes: number; items: number; replayed: number };

export type JournalEntry = Tally & {
  time: string;
  method: string;
  path: string;
  query: Record<string, string>;
  operation: string;
  realm_id: string | null;
  /** 0 if no answer was sent. */
  status: number;
  tid: string;
  requestid: string | null;
  fault: string | null;
  ms: number;
};

const KEPT = 50_000;

export const emptyTally = (): Tally => ({ reads: 0, writes: 0, items: 0, replayed: 0 });

/** Records a request, never with bodies, tokens or credentials. */
export function noteRequest(sim: Simulator, entry: JournalEntry): void {
  const result = sim.db
    .prepare("INSERT INTO journal (at, realm_id, operation, doc) VALUES (?, ?, ?, ?)")
    .run(Date.parse(entry.time), entry.realm_id, entry.operation, JSON.stringify(entry));
  const seq = Number(result.lastInsertRowid);
  if (seq % 1000 === 0) sim.db.prepare("DELETE FROM journal WHERE seq <= ?").run(seq - KEPT);
}

type JournalFilter = { realmId: string | null; since: number; operation: string | null; limit: number };

/** Returns requests after `since` (a sequence number), oldest first. */
export function readJournal(
  sim: Simulator,
  filter: JournalFilter,
): { last: number; entries: (JournalEntry & { seq: number })[] } {
  const rows = sim.db
    .prepare(
      `SELECT seq, doc FROM journal WHERE seq > ?1 AND (?2 IS NULL OR realm_id = ?2) AND (?3 IS NULL OR operation = ?3)
       ORDER BY seq LIMIT ?4`,
    )
    .all(filter.since, filter.realmId, filter.operation, filter.limit);
  const entries = rows.map((row) => ({
    seq: Number(row["seq"]),
    ...(JSON.parse(String(row["doc"])) as JournalEntry),
  }));
  return { last: entries.at(-1)?.seq ?? filter.since, entries };
}

export function clearJournal(sim: Simulator): void {
  sim.db.exec("DELETE FROM journal");
}
