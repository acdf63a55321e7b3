import type { WireRequest } from "../kit/http.ts";
import type { Simulator } from "./simulator.ts";

export type JournalEntry = {
  time: string;
  method: string;
  path: string;
  /** 0 when no answer was sent. */
  status: number;
  /** The caller's name of the exchange. */
  trans_id: string | null;
  fault: string | null;
};

const KEPT = 20_000;

/** Notes a request. Bodies, tokens and secrets never get here. */
export function recordRequest(
  sim: Simulator,
  { request, status, fault }: { request: WireRequest; status: number; fault: string | null },
): void {
  const transId = request.headers["transid"];
  const entry: JournalEntry = {
    time: sim.clock.now().toISOString(),
    method: request.method,
    path: request.url.pathname,
    status,
    trans_id: typeof transId === "string" ? transId : null,
    fault,
  };
  const { lastInsertRowid } = sim.db
    .prepare("INSERT INTO journal (doc) VALUES (?)")
    .run(JSON.stringify(entry));
  const seq = Number(lastInsertRowid);
  if (seq % 1000 === 0) sim.db.prepare("DELETE FROM journal WHERE seq <= ?").run(seq - KEPT);
}

/** Requests after a sequence number, oldest first. */
export const readJournal = (sim: Simulator, since: number): (JournalEntry & { seq: number })[] =>
  sim.db
    .prepare("SELECT seq, doc FROM journal WHERE seq > ? ORDER BY seq LIMIT 10000")
    .all(since)
    .map((row) => ({ seq: Number(row["seq"]), ...(JSON.parse(String(row["doc"])) as JournalEntry) }));
