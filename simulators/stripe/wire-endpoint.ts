import type { ServerResponse } from "node:http";
import { sleep } from "../kit/timer.ts";
import { json, send, sendHalf, type Reply, type WireRequest } from "../kit/http.ts";
import { apiEndpoint, keepFailure } from "./api-endpoint.ts";
import { StripeFault } from "./api-error.ts";
import type { FaultRule } from "./fault-rules.ts";
import { recordRequest } from "./journal.ts";
import { newId } from "./store.ts";
import { API_VERSION, type Simulator } from "./simulator.ts";

type Exchange = { sim: Simulator; request: WireRequest; response: ServerResponse };

const HANG_MS = 90_000;

/** Handles one API request, applying fault rules. */
export async function wireEndpoint({ sim, request, response }: Exchange): Promise<void> {
  const rule = sim.faults.take(request.method, request.url.pathname) ?? null;
  const reply = await replyOnce(sim, request, rule);
  recordRequest(sim, { request, status: reply?.status ?? 0, fault: rule?.fault ?? null });
  if (!reply) return void response.destroy();
  if (rule?.fault === "half_body") return sendHalf(response, reply);
  send(response, reply);
}

/** Refuses the second of two concurrent calls with one key. */
async function replyOnce(
  sim: Simulator,
  request: WireRequest,
  rule: FaultRule | null,
): Promise<Reply | null> {
  const key = request.method === "POST" ? String(request.headers["idempotency-key"] ?? "") : "";
  if (key === "") return replyWith({ sim, request, rule, key });
  if (sim.inFlight.has(key)) return inUse(key);
  sim.inFlight.add(key);
  try {
    return await replyWith({ sim, request, rule, key });
  } finally {
    sim.inFlight.delete(key);
  }
}

type WireCall = { sim: Simulator; request: WireRequest; rule: FaultRule | null; key: string };

/** @returns null for no answer: the connection is closed */
async function replyWith({ sim, request, rule, key }: WireCall): Promise<Reply | null> {
  if (!rule) return withCors(apiEndpoint(sim, request));
  if (rule.fault === "latency") await sleep(sim.clock.timer, rule.ms ?? 1000);
  if (rule.fault === "hang") await sleep(sim.clock.timer, rule.ms ?? HANG_MS);
  const instead = replyInstead(rule);
  if (instead !== undefined) return instead;
  const reply = withCors(apiEndpoint(sim, request));
  const after = replyAfter(sim, rule, key);
  return after === undefined ? reply : after;
}

/** Adds CORS headers: pages of the product call from another origin, with only a publishable key. */
const withCors = (reply: Reply): Reply => ({
  ...reply,
  headers: {
    ...reply.headers,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "request-id",
  },
});

/** Answers a browser's preflight request. */
export const preflight = (): Reply => ({
  status: 204,
  headers: {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, stripe-version",
  },
  body: "",
});

/** Returns an answer instead of doing the work; null for a closed connection, undefined to continue. */
function replyInstead({ fault, status }: FaultRule): Reply | null | undefined {
  if (fault === "drop" || fault === "hang") return null;
  if (fault === "rate_limit") return refusal(429, "rate_limit");
  if (fault === "server_error") return refusal(500, undefined);
  if (fault === "html_page") return htmlPage(status ?? 502);
  if (fault === "json_refusal") return gatewayRefusal(status ?? 403);
  if (fault === "empty_json") return json(status ?? 200, {});
  return undefined;
}

function replyAfter(sim: Simulator, { fault, status }: FaultRule, key: string): Reply | null | undefined {
  if (fault === "drop_after") return null;
  if (fault === "html_page_after") return htmlPage(status ?? 502);
  if (fault === "json_refusal_after") return gatewayRefusal(status ?? 403);
  if (fault !== "server_error_after") return undefined;
  // Stripe stores the first answer for a key, even a 500.
  const fault500 = serverError();
  keepFailure(sim, key, fault500.body());
  return refusal(500, undefined);
}

const serverError = () =>
  new StripeFault({
    status: 500,
    type: "api_error",
    message: "An unknown error occurred.",
  });

function refusal(status: number, code: string | undefined): Reply {
  const fault =
    status === 429
      ? new StripeFault({
          status,
          type: "invalid_request_error",
          message:
            "Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.",
          ...(code ? { code } : {}),
        })
      : serverError();
  return json(status, fault.body(), { "request-id": newId("req_", 14), "stripe-version": API_VERSION });
}

function inUse(key: string): Reply {
  const fault = new StripeFault({
    status: 409,
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  });
  return json(409, fault.body(), { "request-id": newId("req_", 14), "idempotency-key": key });
}

/** Answer of a proxy in place of Stripe's. */
const htmlPage = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status} Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>`,
});

/** Answer of a gateway in place of Stripe's. It looks like Stripe's own, but has no request id. */
const gatewayRefusal = (status: number): Reply =>
  json(status, { error: { type: "invalid_request_error", message: "The request was refused." } });
