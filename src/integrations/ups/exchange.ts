import type * as z from "zod";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { wasNotSent } from "#platform/outbound/was-not-sent.ts";
import type { Ids } from "#platform/ids.ts";
import { classify, readFaults } from "#integrations/ups/classify.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { parseJson } from "#platform/parse-json.ts";

export type UpsPlace = {
  baseUrl: string;
  fetch: OutboundFetch;
  ids: Ids;
  /** Waits for the right to make one call. @returns what gives it back */
  acquire(): Promise<() => Promise<void>>;
};

export type UpsCall = {
  /** POST if absent. */
  method?: "GET" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  /** None where a form proves who we are. */
  authorization?: string;
  /** A form for UPS's OAuth, an object for its API, which takes JSON. */
  body?: URLSearchParams | object;
  timeoutMs: number;
};

/** UPS's name for a client in its own logs. */
const SOURCE = "dockside";

/**
 * One request, one answer, no retry.
 * @throws UpsError for everything but a success that fits the schema
 */
export async function exchange<S extends z.ZodType>(
  place: UpsPlace,
  call: UpsCall,
  schema: S,
): Promise<z.output<S>> {
  const { http, text } = await send(place, call);
  const answer = parseJson(text);
  const faults = readFaults(answer, http);
  if (faults && http >= 400) throw new UpsError({ kind: classify(http, faults), http, faults });
  const parsed = http >= 200 && http < 300 ? schema.safeParse(answer) : null;
  if (parsed?.success) return parsed.data;
  // A proxy's page, a gateway's refusal, or an answer that is cut: not UPS's word, whatever the status says.
  const fields = parsed?.error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw new UpsError({
    kind: "uncertain",
    http,
    numbers: findNumbers(text),
    message: `an answer that is not UPS's, at ${fields ?? "its status"}`,
  });
}

const NUMBER = /"(?:TrackingNumber|ShipmentIdentificationNumber)"\s*:\s*"(1Z[0-9A-Z]{16})"/g;

/** Numbers that UPS names in an answer, also in one that is cut or lacks its labels. */
const findNumbers = (text: string): string[] => [
  ...new Set([...text.matchAll(NUMBER)].map(([, number = ""]) => number)),
];

async function send(
  { baseUrl, fetch, ids, acquire }: UpsPlace,
  call: UpsCall,
): Promise<{ http: number; text: string }> {
  const { method = "POST", path, query = {}, authorization, body, timeoutMs } = call;
  const isForm = body instanceof URLSearchParams;
  const url = new URL(path, baseUrl);
  url.search = new URLSearchParams(query).toString();
  const headers = {
    ...(authorization ? { authorization } : {}),
    accept: "application/json",
    transid: ids.uuid().replaceAll("-", ""),
    transactionsrc: SOURCE,
  };
  const release = await acquire();
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  try {
    const response = await fetch(url, {
      method,
      ...(body
        ? {
            headers: { ...headers, "content-type": type },
            body: isForm ? body.toString() : JSON.stringify(body),
          }
        : { headers }),
      timeoutMs,
    });
    return { http: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof HostNotAllowed) throw error;
    const kind = wasNotSent(error) ? "network" : "uncertain";
    throw new UpsError({ kind, message: "No answer from UPS", cause: error });
  } finally {
    await release();
  }
}
