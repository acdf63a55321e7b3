import type { WireRequest } from "../kit/http.ts";
import type { Simulator } from "./simulator.ts";

export type JournalEntry = {
  time: string;
  method: string;
  path: string;
  /** 0 if no answer was sent. */
  status: number;
  idempotency_key: string | null;
  stripe_version: string | null;
  user_agent: string | null;
  fault: string | null;
};

const KEPT = 20_000;

/** Records a request, never with bodies, secrets or API keys. */
export function recordRequest(
  sim: Simulator,
  { request, status, fault }: { request: WireRequest; status: number; fault: string | null },
): void {
  const entry: JournalEntry = {
    time: sim.clock.now().toISOString(),
    method: request.method,
    path: request.url.pathname,
    status,
    idempotency_key: header(request, "idempotency-key"),
    stripe_version: header(request, "stripe-version"),
    user_agent: header(request, "user-agent"),
    fault,
  };
  const { lastInsertRowid } = sim.db
    .prepare("INSERT INTO journal (doc) VALUES (?)")
    .run(JSON.stringify(entry));
  const seq = Number(lastInsertRowid);
  if (seq % 1000 === 0) sim.db.prepare("DELETE FROM journal WHERE seq <= ?").run(seq - KEPT);
}

const header = ({ headers }: WireRequest, name: string): string | null =>
  headers[name] === undefined ? null : String(headers[name]);

/** Reads requests after a sequence number, oldest first. */
export const readJournal = (sim: Simulator, since: number): (JournalEntry & { seq: number })[] =>
  sim.db
    .prepare("SELECT seq, doc FROM journal WHERE seq > ? ORDER BY seq LIMIT 10000")
    .all(since)
    .map((row) => ({ seq: Number(row["seq"]), ...(JSON.parse(String(row["doc"])) as JournalEntry) }));
