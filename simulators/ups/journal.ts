import type { WireRequest } from "../kit/http.ts";
import { addEntry, header, readEntries } from "../kit/journal.ts";
import { findOperation } from "./api-endpoint.ts";
import type { Simulator } from "./simulator.ts";

type JournalEntry = {
  time: string;
  /** Such as "ship" or "token"; null if it is not a UPS call. */
  operation: string | null;
  method: string;
  path: string;
  /** 0 when no answer was sent. */
  status: number;
  /** The caller's name for the exchange. */
  trans_id: string | null;
  fault: string | null;
};

/** Records a request, never with bodies, tokens or secrets. */
export function recordRequest(
  sim: Simulator,
  { request, status, fault }: { request: WireRequest; status: number; fault: string | null },
): void {
  const entry: JournalEntry = {
    time: sim.clock.now().toISOString(),
    operation: findOperation(request),
    method: request.method,
    path: request.url.pathname,
    status,
    trans_id: header(request, "transid"),
    fault,
  };
  addEntry(sim.db, entry);
}

/** Reads requests after a sequence number, oldest first. */
export const readJournal = (sim: Simulator, since: number) => readEntries<JournalEntry>(sim.db, since);
