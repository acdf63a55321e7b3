import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { json, send, sendHalf, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import type { FaultRule } from "./fault-rules.ts";
import { recordRequest } from "./journal.ts";
import { oauthEndpoint } from "./oauth.ts";
import { rate } from "./rating.ts";
import { refusal, UpsFault } from "./replies.ts";
import type { Simulator } from "./simulator.ts";
import { findBearer } from "./tokens.ts";
import { findUser } from "./users.ts";

type Exchange = { sim: Simulator; request: WireRequest; response: ServerResponse };

const HANG_MS = 180_000;

/** One request of OAuth or the API, with the misbehavior that was asked for. */
export async function wireEndpoint({ sim, request, response }: Exchange): Promise<void> {
  const rule = sim.faults.take(request.method, request.url.pathname) ?? null;
  const reply = await replyWith(sim, request, rule);
  recordRequest(sim, { request, status: reply?.status ?? 0, fault: rule?.fault ?? null });
  if (!reply) return void response.destroy();
  if (rule?.fault === "half_body") return sendHalf(response, reply);
  send(response, reply);
}

/** @returns null for no answer: the connection is cut */
async function replyWith(
  sim: Simulator,
  request: WireRequest,
  rule: FaultRule | null,
): Promise<Reply | null> {
  if (rule?.fault === "latency") await wait(rule.ms ?? 1000);
  if (rule?.fault === "hang") await wait(rule.ms ?? HANG_MS, undefined, { ref: false });
  const instead = rule && INSTEAD[rule.fault]?.(rule);
  if (instead !== undefined && instead !== null) return instead === "none" ? null : instead;
  const reply = answer(sim, request);
  if (rule?.fault === "drop_after") return null;
  if (rule?.fault === "html_page_after") return htmlPage(rule);
  if (rule?.fault === "json_refusal_after") return gatewayRefusal(rule);
  return reply;
}

const htmlPage = ({ status = 502 }: FaultRule): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status}</title></head><body><h1>Bad Gateway</h1></body></html>`,
});

/** An answer of a gateway in UPS's place: JSON, and not UPS's shape. */
const gatewayRefusal = ({ status = 403 }: FaultRule): Reply =>
  json(status, { error: "The request was refused." });

/** Answers in place of any work; "none" cuts the connection. */
const INSTEAD: Partial<Record<FaultRule["fault"], (rule: FaultRule) => Reply | "none">> = {
  drop: () => "none",
  hang: () => "none",
  rate_limit: () => refusal(429, "10429", "Too Many Requests"),
  invalid_credentials: () => refusal(401, "250002", "Invalid Authentication Information."),
  server_error: () => refusal(500, "10004", "An internal server error occurred. Please try again later."),
  html_page: htmlPage,
  json_refusal: gatewayRefusal,
};

function answer(sim: Simulator, request: WireRequest): Reply {
  try {
    return transaction(sim.db, () =>
      request.url.pathname.startsWith("/security/") ? oauthEndpoint(sim, request) : api(sim, request),
    );
  } catch (error) {
    if (!(error instanceof UpsFault)) throw error;
    const reply = refusal(error.status, error.code, error.message);
    // A browser that was sent to /authorize has no use for a body: UPS says it in headers as well.
    return {
      ...reply,
      headers: { ...reply.headers, errorcode: error.code, errordescription: error.message },
    };
  }
}

const RATE = /^\/api\/rating\/(v\d+)\/Rate$/;

function api(sim: Simulator, request: WireRequest): Reply {
  const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  const bearer = findBearer(sim, token);
  if (!bearer) throw new UpsFault(401, "250002", "Invalid Authentication Information.");
  const user = bearer.user === null ? null : (findUser(bearer.user) ?? null);
  const [, version] = RATE.exec(request.url.pathname) ?? [];
  if (request.method === "POST" && version !== undefined) return rate(version, readBody(request), user);
  throw new UpsFault(404, "404", "The requested resource is not available");
}

function readBody({ body }: WireRequest): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new UpsFault(400, "10001", "The JSON document is not well formed");
  }
}
