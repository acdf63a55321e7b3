import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { formFields, json, send, sendHalf, type Reply, type WireRequest } from "../kit/http.ts";
import { sleep } from "../kit/timer.ts";
import { readBearer } from "./api-call.ts";
import { apiEndpoint } from "./api-endpoint.ts";
import { discoveryDocument } from "./discovery.ts";
import { serveFile } from "./downloads.ts";
import { isForeign, replyOfRule, timedOutReply } from "./fault-replies.ts";
import type { FaultRule, HitRule } from "./fault-rules.ts";
import { expireAccessTokens, grantOfAnyToken, revokeGrant } from "./grants.ts";
import { emptyTally, noteRequest, type Tally } from "./journal.ts";
import { wasAnswered } from "./request-replay.ts";
import { revokeEndpoint, tokenEndpoint, userinfoEndpoint } from "./oauth-endpoints.ts";
import { readSettings } from "./settings.ts";
import { publicKeySet } from "./signing-key.ts";
import type { Simulator } from "./simulator.ts";
import { readOperation } from "./entity-write.ts";
import { kindNamed } from "./query-properties.ts";
import type { Fields } from "./write-context.ts";

type Exchange = { sim: Simulator; request: WireRequest; response: ServerResponse };

/**
 * Answers programs (OAuth, OpenID Connect, Accounting API, files), applies the fault rules, and journals the
 * request.
 */
export async function wireEndpoint({ sim, request, response }: Exchange): Promise<void> {
  const receivedAt = sim.clock.now();
  const tid = `1-${randomBytes(4).toString("hex")}-${randomBytes(12).toString("hex")}`;
  const [operation, realmId] = [operationName(request), readRealmId(request)];
  const tally = emptyTally();
  const rule = sim.faultRules.pick({
    path: request.url.pathname,
    method: request.method,
    realmId,
    operation,
    repeat: wasAnswered(sim, realmId, request.url.searchParams.get("requestid")),
  });
  const ask: Ask = { sim, request, response, rule, receivedAt, tally, realmId };
  const reply = await answer(ask);
  const withTid =
    reply &&
    (isForeign(rule)
      ? reply
      : {
          ...reply,
          headers: { date: sim.clock.now().toUTCString(), ...reply.headers, intuit_tid: tid },
        });
  const sent = withTid ? deliver(response, withTid, rule) : false;
  noteRequest(sim, {
    time: receivedAt.toISOString(),
    method: request.method,
    path: request.url.pathname,
    query: operation === "file" ? {} : Object.fromEntries(request.url.searchParams),
    operation,
    realm_id: realmId,
    status: reply && sent ? response.statusCode : 0,
    tid,
    requestid: request.url.searchParams.get("requestid"),
    fault: rule?.fault ?? null,
    ms: sim.clock.now().getTime() - receivedAt.getTime(),
    ...tally,
  });
}

type Ask = Exchange & { rule: HitRule | undefined; receivedAt: Date; tally: Tally; realmId: string | null };

async function answer(ask: Ask): Promise<Reply | undefined> {
  const { sim, request, rule, receivedAt, realmId } = ask;
  if (rule) killTokens(sim, request, rule);
  const instead = rule && replyOfRule(rule, { accept: request.headers.accept, receivedAt });
  if (instead && !isCommitted(rule)) return instead;
  if (rule?.fault === "reset") {
    ask.response.socket?.destroy();
    return undefined;
  }
  if (realmId === null) return (await waitByRule(ask)) ? accountReply(sim, request) : undefined;
  const own = await ownReply(ask, realmId);
  return own && (instead ?? own);
}

/** Returns the response from the Accounting API itself. @returns undefined if there is none */
async function ownReply(ask: Ask, realmId: string): Promise<Reply | undefined> {
  const { sim, rule } = ask;
  const own = await apiEndpoint({ ...ask, realmId, whileRunning: () => waitByRule(ask) });
  return own ?? (exceedsLimit(sim, rule) ? timedOutReply() : undefined);
}

const isCommitted = (rule: FaultRule | undefined) =>
  rule?.committed === true || rule?.fault === "committed_500";

function accountReply(sim: Simulator, request: WireRequest): Reply {
  const path = request.url.pathname.replace(/\/$/, "");
  if (path.startsWith("/.well-known/")) return discoveryDocument(sim);
  if (path === "/op/v1/jwks") return json(200, publicKeySet(sim));
  if (path === "/v1/openid_connect/userinfo") return userinfoEndpoint(sim, request);
  if (path.startsWith("/dl/")) return serveFile(sim, request);
  if (request.method === "POST" && path === "/oauth2/v1/tokens/bearer") return tokenEndpoint(sim, request);
  if (request.method === "POST" && path === "/v2/oauth2/tokens/revoke") return revokeEndpoint(sim, request);
  return json(404, { error: "not_found" });
}

/**
 * Waits for a latency, or until its rule is deleted, or hangs. @returns false if the request must not be
 * executed
 */
async function waitByRule({ sim, rule, response }: Ask): Promise<boolean> {
  if (rule?.fault === "latency") {
    const ms = Math.min(rule.ms ?? 1000, readSettings(sim).callLimitS * 1000);
    await sleep(sim.clock.timer, ms);
    return !exceedsLimit(sim, rule);
  }
  if (rule?.fault === "hold") {
    await rule.deleted;
    return true;
  }
  if (rule?.fault !== "hang") return true;
  if (response.destroyed) return false;
  await new Promise<void>((resolve) => {
    if (rule.ms !== undefined) sim.clock.timer.after(rule.ms, resolve);
    response.once("close", resolve);
  });
  response.socket?.destroy();
  return false;
}

/** Whether the request takes longer than Intuit's limit: Intuit then abandons it without executing it. */
function exceedsLimit(sim: Simulator, rule: FaultRule | undefined): boolean {
  return rule?.fault === "latency" && (rule.ms ?? 1000) > readSettings(sim).callLimitS * 1000;
}

function killTokens(sim: Simulator, request: WireRequest, rule: FaultRule): void {
  const token = readBearer(request) || (formFields(request.body).get("refresh_token") ?? "");
  if (rule.fault === "expired_token") expireAccessTokens(sim, { token });
  const grant = rule.fault === "revoked" ? grantOfAnyToken(sim, token) : undefined;
  if (grant) revokeGrant(sim, grant.id);
}

/** Sends the answer, or its faulty version. @returns false if the caller got none */
function deliver(response: ServerResponse, reply: Reply, rule: FaultRule | undefined): boolean {
  if (response.destroyed || rule?.fault === "committed_answer_lost") {
    response.socket?.destroy();
    return false;
  }
  if (rule?.fault === "half_body") sendHalf(response, reply);
  else send(response, reply);
  return true;
}

const OAUTH: Record<string, string> = {
  "/.well-known/openid_configuration": "discovery",
  "/.well-known/openid_sandbox_configuration": "discovery",
  "/v2/oauth2/tokens/revoke": "oauth.revoke",
  "/v1/openid_connect/userinfo": "oauth.userinfo",
  "/op/v1/jwks": "oauth.jwks",
};

/**
 * Name of a request's operation, for fault rules and the journal: `invoice.create`, `invoice.update`,
 * `invoice.read`, `query`, `batch`, `cdc`, `upload`, `download`, `companyinfo.read`, `oauth.refresh_token`
 * and so on.
 */
export function operationName(request: WireRequest): string {
  const path = request.url.pathname;
  if (path === "/oauth2/v1/tokens/bearer")
    return `oauth.${formFields(request.body).get("grant_type") ?? "unknown"}`;
  const oauth = OAUTH[path.replace(/\/$/, "")];
  if (oauth !== undefined) return oauth;
  if (path.startsWith("/dl/")) return "file";
  const [, , , , resource = "", , action] = path.split("/");
  if (["query", "batch", "cdc", "upload", "download"].includes(resource)) return resource;
  if (action !== undefined) return `${resource}.${action}`;
  if (request.method !== "POST" || !kindNamed(resource)) return `${resource}.read`;
  return `${resource}.${readOperation(request.url.searchParams, lenientBody(request))}`;
}

/** Reads the company of an API path, if it is one. */
export function readRealmId(request: WireRequest): string | null {
  return /^\/v3\/company\/([^/]+)/.exec(request.url.pathname)?.[1] ?? null;
}

function lenientBody(request: WireRequest): Fields {
  try {
    return (JSON.parse(request.body.toString("utf8")) ?? {}) as Fields;
  } catch {
    return {};
  }
}
