import type { WireRequest } from "../kit/http.ts";
import { addEntry, header, readEntries } from "../kit/journal.ts";
import type { Simulator } from "./simulator.ts";

type JournalEntry = {
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
  addEntry(sim.db, entry);
}

/** Reads requests after a sequence number, oldest first. */
export const readJournal = (sim: Simulator, since: number) => readEntries<JournalEntry>(sim.db, since);
