import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Upper bounds of request times in seconds: a page's call, a slow one, and one that a caller gives up on. */
const REQUEST_SECONDS = [0.01, 0.05, 0.25, 1, 5, 10];
/** Intuit itself gives up on a call after 120 s. */
const VENDOR_SECONDS = [0.1, 0.5, 2, 10, 30, 125];

export type AnsweredRequest = { method: string; route: string; status: number; seconds: number };

/** The end of one call of a vendor. */
export type VendorCall = {
  /** Class of the answer's status, `429`, or `timeout` and `failed` without an answer. */
  outcome: "2xx" | "3xx" | "4xx" | "429" | "5xx" | "timeout" | "failed";
  at: Date;
  seconds: number;
};

/** Counts of all processes, from the database. */
export type StoredCounts = {
  runs: readonly { kind: string; state: string; count: number }[];
  /** Reads of this calendar month. */
  intuitReads: { calls: number; limit: number };
};

/**
 * Counts for one process, in the format of Prometheus and with its naming conventions. Memory and the delay of
 * the event loop have the usual names of Node.js. Labels never hold a company, a user or an address.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Ten looks a second, not a hundred, which cost an idle process half of its processor time.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = new Counter({
    name: "http_requests_total",
    help: "Answered requests.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const requestSeconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request to its answer.",
    labelNames: ["method", "route"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const vendorCalls = new Counter({
    name: "dockside_vendor_calls_total",
    help: "Calls of vendors by outcome.",
    labelNames: ["vendor", "outcome"],
    registers,
  });
  const vendorSeconds = new Histogram({
    name: "dockside_vendor_call_duration_seconds",
    help: "Time from a vendor call to the head of its answer.",
    labelNames: ["vendor"],
    buckets: VENDOR_SECONDS,
    registers,
  });
  const endings = new Counter({
    name: "dockside_run_endings_total",
    help: "Starts of runs that ended in this process, by the state they left.",
    labelNames: ["kind", "state"],
    registers,
  });
  const openRuns = new Gauge({
    name: "dockside_runs_open",
    help: "Open runs of all processes.",
    labelNames: ["kind", "state"],
    registers,
  });
  const intuitReads = new Gauge({
    name: "dockside_intuit_metered_reads",
    help: "Reads of this calendar month that Intuit meters, of all processes.",
    registers,
  });
  const intuitReadsLimit = new Gauge({
    name: "dockside_intuit_metered_reads_limit",
    help: "Metered reads that Intuit allows a month.",
    registers,
  });
  const lastCalls = new Map<string, VendorCall & { vendor: string }>();
  return {
    contentType: registry.contentType,
    request: ({ method, route, status, seconds }: AnsweredRequest) => {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, seconds);
    },
    vendorCall: (vendor: string, call: VendorCall) => {
      vendorCalls.inc({ vendor, outcome: call.outcome });
      vendorSeconds.observe({ vendor }, call.seconds);
      lastCalls.set(vendor, { ...call, vendor });
    },
    runEnding: (kind: string, state: string) => endings.inc({ kind, state }),
    /** The last call of each vendor since the start. */
    lastCalls: () => [...lastCalls.values()],
    /** @param stored null if the database did not answer: the gauges are then absent instead of old */
    print: async (stored: StoredCounts | null): Promise<string> => {
      openRuns.reset();
      for (const { kind, state, count } of stored?.runs ?? []) openRuns.set({ kind, state }, count);
      intuitReads.remove();
      intuitReadsLimit.remove();
      if (stored) {
        intuitReads.set(stored.intuitReads.calls);
        intuitReadsLimit.set(stored.intuitReads.limit);
      }
      return registry.metrics();
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
