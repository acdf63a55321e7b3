import type * as z from "zod";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { kindOfFaults, kindOfForeign, wasNotSent } from "#integrations/intuit/classify.ts";
import { MINOR_VERSION } from "#integrations/intuit/config.ts";
import { IntuitError, type IntuitErrorKind, type IntuitFault } from "#integrations/intuit/errors.ts";
import { readJsonFaults, readXmlFaults } from "#integrations/intuit/read-faults.ts";

/** What an operation wants from the Accounting API. */
export type Call = {
  method: "GET" | "POST";
  /** Below the company's root, e.g. `/invoice`. */
  path: string;
  query?: Record<string, string>;
  body?: { type: "application/json" | "application/text"; text: string };
  /** A write changes the books; its outcome may be unknown after a failure. */
  write: boolean;
  requestId?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/** What came back, and Intuit's id of the exchange. */
export type Answer<T> = { data: T; tid: string | null };

type Exchange = { fetch: OutboundFetch; apiBaseUrl: string; realmId: string; accessToken: string };

/**
 * One request, one answer, no retry.
 * @throws IntuitError for everything but a success that fits the schema; the signal's reason when a read was aborted
 */
export async function exchange<S extends z.ZodType>(
  { fetch, apiBaseUrl, realmId, accessToken }: Exchange,
  call: Call,
  schema: S,
): Promise<Answer<z.output<S>>> {
  const reply = await send({ fetch, apiBaseUrl, realmId, accessToken }, call);
  const body = parseJson(reply.text);
  // Words of people may look like XML; only an answer that is no JSON can be a fault in XML.
  const faults =
    body === undefined ? readXmlFaults(reply.text, [accessToken]) : readJsonFaults(body, [accessToken]);
  if (faults) throw refused(call, reply, faults);
  if (reply.status < 200 || reply.status > 299) throw refused(call, reply, []);
  if (body === undefined)
    throw unreadable(call, reply, { message: "the answer is cut or not JSON", kind: "network" });
  const parsed = schema.safeParse(body);
  if (parsed.success) return { data: parsed.data, tid: reply.tid };
  const fields = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw unreadable(call, reply, { message: `the answer has another shape at ${fields}`, kind: "bug" });
}

type Reply = { status: number; tid: string | null; text: string; retryAfterSeconds: number | undefined };

async function send({ fetch, apiBaseUrl, realmId, accessToken }: Exchange, call: Call): Promise<Reply> {
  const url = new URL(`/v3/company/${encodeURIComponent(realmId)}${call.path}`, apiBaseUrl);
  const query = {
    ...call.query,
    minorversion: MINOR_VERSION,
    ...(call.requestId ? { requestid: call.requestId } : {}),
  };
  url.search = new URLSearchParams(query).toString();
  let tid: string | null = null;
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: call.body ? { ...headers, "content-type": call.body.type } : headers,
      body: call.body?.text ?? null,
      timeoutMs: call.timeoutMs,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    tid = response.headers.get("intuit_tid");
    return {
      status: response.status,
      tid,
      retryAfterSeconds: readRetryAfter(response.headers),
      text: await response.text(),
    };
  } catch (error) {
    if (error instanceof HostNotAllowed) throw error;
    if (call.signal?.aborted && !call.write) throw call.signal.reason;
    throw unanswered(call, tid, error);
  }
}

/** @param tid of an answer whose body was cut */
function unanswered(call: Call, tid: string | null, cause: unknown): IntuitError {
  const kind = !call.write || wasNotSent(cause) ? "network" : "uncertain";
  const message =
    cause instanceof Error && cause.name === "TimeoutError"
      ? "No answer from Intuit in time"
      : "The connection to Intuit failed";
  return new IntuitError({ kind, message, tid, requestId: call.requestId, cause });
}

function refused(call: Call, reply: Reply, faults: readonly IntuitFault[]): IntuitError {
  return new IntuitError({
    kind: kindOfRefusal(call, reply.status, faults),
    http: reply.status,
    faults,
    tid: reply.tid,
    retryAfterSeconds: reply.retryAfterSeconds,
    requestId: call.requestId,
  });
}

/** Only Intuit's own words say that a write was not done, and not when it says that it failed. */
function kindOfRefusal(call: Call, http: number, faults: readonly IntuitFault[]): IntuitErrorKind {
  const kind = faults.length > 0 ? kindOfFaults(faults, http) : kindOfForeign(http);
  const isInDoubt = faults.length === 0 || kind === "system";
  return call.write && isInDoubt ? "uncertain" : kind;
}

type Unreadable = { message: string; kind: IntuitErrorKind };

function unreadable(call: Call, reply: Reply, { message, kind }: Unreadable): IntuitError {
  return new IntuitError({
    kind: call.write ? "uncertain" : kind,
    http: reply.status,
    tid: reply.tid,
    message,
    requestId: call.requestId,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Retry-After is promised by nobody, and comes as seconds or as a date; a date goes by the clock of the answer, which
 * need not be ours. Any other value is ignored: other texts would be parsed as dates long past.
 */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  if (!value.endsWith(" GMT")) return undefined;
  const seconds = Math.ceil((Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1000);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}
