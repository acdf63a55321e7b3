import type * as z from "zod";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { classifyFaults, classifyForeign } from "#integrations/intuit/classify.ts";
import { readRetryAfter } from "#platform/outbound/retry-after.ts";
import { wasNotSent } from "#platform/outbound/was-not-sent.ts";
import { MINOR_VERSION } from "#integrations/intuit/config.ts";
import { IntuitError, type IntuitErrorKind, type IntuitFault } from "#integrations/intuit/errors.ts";
import { readJsonFaults, readXmlFaults } from "#integrations/intuit/read-faults.ts";
import { parseJson } from "#platform/parse-json.ts";

/** A call of the Accounting API. */
export type Call = {
  /** Path below the company's root, e.g. `/invoice`. */
  path: string;
  query?: Record<string, string>;
  /** Sent by POST: an object as JSON, text unchanged. */
  body?: object | string;
  /** Sent by POST instead of a body. */
  form?: { contentType: string; bytes: Uint8Array<ArrayBuffer> };
  /** Requests a PDF; the schema parses its bytes. */
  accept?: "application/pdf";
  /** Changes the books; its outcome may be unknown after a failure. */
  write?: true;
  requestId?: string;
  timeoutMs: number;
};

/** Parsed response with Intuit's id of the call. */
export type Answer<T> = { data: T; tid: string | null };

type Exchange = {
  fetch: OutboundFetch;
  apiBaseUrl: string;
  realmId: string;
  accessToken: string;
  /** Called with the Date header of each response that comes from Intuit itself. */
  onAnswer(date: string | null): void;
};

/**
 * Makes one request and reads one response, without retries.
 * @throws IntuitError unless the call succeeds and its response matches the schema
 */
export async function exchange<S extends z.ZodType>(
  connection: Exchange,
  call: Call,
  schema: S,
): Promise<Answer<z.output<S>>> {
  const { status: http, tid, retryAfterSeconds, bytes } = await send(connection, call);
  if (call.accept && http === 200 && isPdf(bytes)) return { data: schema.parse(bytes), tid };
  const text = new TextDecoder().decode(bytes);
  const body = parseJson(text);
  const secrets = [connection.accessToken];
  // User text may look like XML, so look for an XML fault only if the response is not JSON.
  const faults = body === undefined ? readXmlFaults(text, secrets) : readJsonFaults(body, secrets);
  if (faults || http < 200 || http > 299) {
    const kind = classifyRefusal(call, http, faults);
    throw new IntuitError({ kind, http, tid, retryAfterSeconds, faults: faults ?? [] });
  }
  const unreadable = (kind: IntuitErrorKind, message: string) =>
    new IntuitError({ kind: call.write ? "uncertain" : kind, http, tid, message });
  if (body === undefined) throw unreadable("network", "the response is truncated or not JSON");
  const parsed = schema.safeParse(body);
  if (parsed.success) return { data: parsed.data, tid };
  const fields = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw unreadable("bug", `the response doesn't match the schema at ${fields}`);
}

async function send({ fetch, apiBaseUrl, realmId, accessToken, onAnswer }: Exchange, call: Call) {
  const url = new URL(`/v3/company/${encodeURIComponent(realmId)}${call.path}`, apiBaseUrl);
  const query = {
    ...call.query,
    minorversion: MINOR_VERSION,
    ...(call.requestId ? { requestid: call.requestId } : {}),
  };
  url.search = new URLSearchParams(query).toString();
  let tid: string | null = null;
  const headers = { authorization: `Bearer ${accessToken}`, accept: call.accept ?? "application/json" };
  try {
    const response = await fetch(url, {
      ...toRequest(call, headers),
      timeoutMs: call.timeoutMs,
    });
    tid = response.headers.get("intuit_tid");
    if (tid !== null) onAnswer(response.headers.get("date"));
    const retryAfterSeconds = readRetryAfter(
      response.headers.get("retry-after") ?? "",
      response.headers.get("date") ?? "",
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, tid, retryAfterSeconds, bytes };
  } catch (error) {
    if (error instanceof HostNotAllowed) throw error;
    throw unanswered(call, tid, error);
  }
}

function toRequest({ body, form }: Call, headers: Record<string, string>) {
  if (form)
    return { method: "POST", headers: { ...headers, "content-type": form.contentType }, body: form.bytes };
  if (body === undefined) return { headers };
  const isText = typeof body === "string";
  return {
    method: "POST",
    headers: { ...headers, "content-type": isText ? "application/text" : "application/json" },
    body: isText ? body : JSON.stringify(body),
  };
}

/** @param tid Intuit's id of the call, if the response's headers arrived before it was cut off */
function unanswered(call: Call, tid: string | null, cause: unknown): IntuitError {
  const kind = !call.write || wasNotSent(cause) ? "network" : "uncertain";
  const message =
    cause instanceof Error && cause.name === "TimeoutError"
      ? "No answer from Intuit in time"
      : "The connection to Intuit failed";
  return new IntuitError({ kind, message, tid, cause });
}

/** Only an Intuit fault proves that a write was not done, unless the fault is an outage. */
function classifyRefusal(call: Call, http: number, faults: readonly IntuitFault[] | null): IntuitErrorKind {
  const kind = faults ? classifyFaults(faults, http) : classifyForeign(http);
  return call.write && (!faults || kind === "system") ? "uncertain" : kind;
}

const isPdf = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
