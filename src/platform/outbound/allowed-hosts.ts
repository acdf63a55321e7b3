import { randomBytes } from "node:crypto";
import { timeoutSignal, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { VendorCall } from "#platform/metrics.ts";
import { currentTrace, toTraceparent } from "#platform/trace.ts";

export type OutboundRequest = {
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit | null;
  /** Time limit of the request, including reading the answer's body. */
  timeoutMs: number;
  signal?: AbortSignal;
};

/** The only way out of this process by HTTP. Answers like `fetch`; redirects are returned, never followed. */
export type OutboundFetch = (url: string | URL, request: OutboundRequest) => Promise<Response>;

/** A call to a host that is not configured: always our fault, or a forged address. */
export class HostNotAllowed extends Error {
  constructor(origin: string) {
    super(`Calls to ${origin} are not allowed.`);
    this.name = "HostNotAllowed";
  }
}

type Options = {
  allowedOrigins: readonly string[];
  /** Hosts of further addresses, which must be https at its usual port. */
  allowedHosts?: readonly RegExp[];
  log: Log;
  clock: Clock;
  /** Called at the end of each call. */
  onCall?: (call: VendorCall) => void;
};

/**
 * Creates a fetch that reaches only the configured origins. Logs method, host, path, status and milliseconds
 * of each call; never the query, headers or bodies, which contain secrets and customer data.
 * @throws HostNotAllowed before anything is sent; whatever `fetch` throws otherwise
 */
export function createOutboundFetch({
  allowedOrigins,
  allowedHosts = [],
  log,
  clock,
  onCall,
}: Options): OutboundFetch {
  const allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
  const isAllowed = ({ origin, hostname }: URL) =>
    allowed.has(origin) ||
    (origin === `https://${hostname}` && allowedHosts.some((host) => host.test(hostname)));
  return async (address, { timeoutMs, signal, ...request }) => {
    const url = new URL(address);
    if (!isAllowed(url)) throw new HostNotAllowed(url.origin);
    const startedAt = clock.now().getTime();
    const timeout = timeoutSignal(clock, timeoutMs);
    const line = { method: request.method ?? "GET", host: url.host, path: url.pathname };
    const took = () => clock.now().getTime() - startedAt;
    const count = (outcome: VendorCall["outcome"]) =>
      onCall?.({ outcome, at: clock.now(), seconds: took() / 1_000 });
    try {
      const response = await fetch(url, {
        ...request,
        headers: withTrace(request.headers),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      log.info({ ...line, status: response.status, ms: took() }, "Outbound call");
      count(statusClass(response.status));
      return response;
    } catch (error) {
      log.warn({ ...line, failure: failureName(error), ms: took() }, "Outbound call failed");
      count(timeout.aborted ? "timeout" : "failed");
      throw error;
    }
  };
}

/** Adds the trace of the work in progress, so that a vendor and a proxy can name the same call. */
function withTrace(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  const trace = currentTrace();
  if (trace) headers.set("traceparent", toTraceparent(trace, randomBytes(8).toString("hex")));
  return headers;
}

function statusClass(status: number): VendorCall["outcome"] {
  if (status === 429) return "429";
  return status < 300 ? "2xx" : status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx";
}

/**
 * The system's name of a failure, such as ECONNREFUSED or TimeoutError. Messages may quote addresses, so they
 * are omitted.
 */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;
  return typeof code === "string" ? code : error.name;
}
