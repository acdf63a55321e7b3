import * as z from "zod";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { wasNotSent } from "#platform/outbound/was-not-sent.ts";
import type { Ids } from "#platform/ids.ts";
import { UpsError, type UpsErrorKind, type UpsFault } from "#integrations/ups/errors.ts";

export type UpsPlace = { baseUrl: string; fetch: OutboundFetch; ids: Ids };

/** A call of UPS's OAuth, whose body is a form, or of its API, whose body is JSON. */
export type UpsCall = {
  path: string;
  authorization: string;
  body: URLSearchParams | object;
  timeoutMs: number;
};

/** UPS's name for a client in its own logs. */
const SOURCE = "dockside";

/**
 * One request, one answer, no retry.
 * @throws UpsError for everything but a success that fits the schema
 */
export async function exchange<S extends z.ZodType>(
  { baseUrl, fetch, ids }: UpsPlace,
  { path, authorization, body, timeoutMs }: UpsCall,
  schema: S,
): Promise<z.output<S>> {
  const isForm = body instanceof URLSearchParams;
  let http: number;
  let text: string;
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method: "POST",
      headers: {
        authorization,
        accept: "application/json",
        "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        transid: ids.uuid().replaceAll("-", ""),
        transactionsrc: SOURCE,
      },
      body: isForm ? body.toString() : JSON.stringify(body),
      timeoutMs,
    });
    http = response.status;
    text = await response.text();
  } catch (error) {
    if (error instanceof HostNotAllowed) throw error;
    const kind = wasNotSent(error) ? "network" : "uncertain";
    throw new UpsError({ kind, message: "No answer from UPS", cause: error });
  }
  const answer = parseJson(text);
  const faults = readFaults(answer);
  if (faults && http >= 400) throw new UpsError({ kind: classify(http), http, faults });
  const parsed = http >= 200 && http < 300 ? schema.safeParse(answer) : null;
  if (parsed?.success) return parsed.data;
  // A proxy's page, a gateway's refusal, or an answer that is cut: not UPS's word, whatever the status says.
  throw new UpsError({ kind: "uncertain", http, message: "an answer that is not UPS's" });
}

/** Only a refusal in UPS's own shape is believed; a failure of its own leaves open what was done. */
function classify(http: number): UpsErrorKind {
  if (http === 401) return "auth";
  if (http === 429) return "throttled";
  return http < 500 ? "refused" : "uncertain";
}

/** UPS's one shape of errors. Codes were seen with stray carriage returns inside. */
const refusal = z.object({
  response: z.object({
    errors: z.array(z.object({ code: z.coerce.string(), message: z.string() })).min(1),
  }),
});

function readFaults(answer: unknown): UpsFault[] | null {
  const { success, data } = refusal.safeParse(answer);
  if (!success) return null;
  return data.response.errors.map(({ code, message }) => ({ code: clean(code), message: clean(message) }));
}

const clean = (text: string) => text.replaceAll(/&#x[dD];|[\r\n]+/g, " ").trim();

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
