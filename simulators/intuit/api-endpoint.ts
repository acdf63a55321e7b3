import type { Reply, WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import { authorize, readBearer, Forbidden, Unauthenticated, type ApiCall } from "./api-call.ts";
import { ApiFault, fault } from "./api-fault.ts";
import {
  apiReply,
  faultAnswer,
  forbiddenReply,
  throttledReply,
  unauthorizedReply,
  type ApiAnswer,
} from "./api-replies.ts";
import { dispatch } from "./api-routes.ts";
import type { FaultRule } from "./fault-rules.ts";
import type { Tally } from "./journal.ts";
import { firstAnswer, keepAnswer, singleKey } from "./request-replay.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

export type ApiRequest = {
  sim: Simulator;
  request: WireRequest;
  realmId: string;
  receivedAt: Date;
  tally: Tally;
  /** Waits while the request counts as running, before it is executed; false if it must never be executed. */
  whileRunning: () => Promise<boolean>;
  /** The matching fault rule. */
  rule?: FaultRule | undefined;
};

/** Answers one call of the Accounting API; undefined if it is never executed. */
export async function apiEndpoint(api: ApiRequest): Promise<Reply | undefined> {
  const { sim, request, receivedAt } = api;
  const accept = readAccept(request);
  try {
    const admitted = authorize(sim, request, api.realmId);
    const caller = { company: admitted.company, clientId: admitted.grant.clientId };
    const isBatch = request.url.pathname.endsWith("/batch");
    const now = sim.clock.now().getTime();
    const waitMs = sim.throttle.admit({ ...caller, isBatch, now });
    if (waitMs > 0) {
      const { answer, retryAfter } = caller.company.limits;
      const after = retryAfter && { seconds: Math.ceil(waitMs / 1000), as: retryAfter };
      return throttledReply({ format: answer, after }, receivedAt);
    }
    try {
      const { tally, rule } = api;
      return await runOnce(api, { ...admitted, sim, request, receivedAt, tally, hiddenS: rule?.hiddenS });
    } finally {
      sim.throttle.leave(caller);
    }
  } catch (error) {
    if (error instanceof Unauthenticated) return unauthorizedReply(readBearer(request), receivedAt);
    if (error instanceof Forbidden) return forbiddenReply(receivedAt);
    if (error instanceof ApiFault) return apiReply(faultAnswer(error, receivedAt), accept);
    throw error;
  }
}

/**
 * Holds the request id during the call: another call with it is refused with 600 until the first has been
 * answered.
 */
async function runOnce(api: ApiRequest, call: ApiCall): Promise<Reply | undefined> {
  const { sim } = api;
  const requestId = readRequestId(call);
  const key = requestId === null ? null : `${api.realmId}/${requestId}`;
  if (key !== null && sim.inFlight.has(key)) {
    throw fault("600", `Duplicate Request ID : the request with id ${requestId} is still being processed.`);
  }
  if (key !== null) sim.inFlight.add(key);
  try {
    if (!(await api.whileRunning())) return undefined;
    return act(call, requestId);
  } finally {
    if (key !== null) sim.inFlight.delete(key);
  }
}

function act(call: ApiCall, requestId: string | null): Reply {
  const { sim } = call;
  try {
    return transaction(sim.db, () => {
      const outcome = replayOrDispatch(call, requestId);
      return "body" in outcome && "headers" in outcome
        ? outcome
        : apiReply(outcome, readAccept(call.request));
    });
  } catch (error) {
    sim.books.forget();
    throw error;
  }
}

function replayOrDispatch(call: ApiCall, requestId: string | null): ApiAnswer | Reply {
  const { sim, company, receivedAt } = call;
  const isBatch = call.request.url.pathname.endsWith("/batch");
  const replays = requestId !== null && !isBatch && honorsRequestId(call);
  const kept = replays ? firstAnswer(sim, company.realmId, singleKey(requestId)) : undefined;
  if (kept) {
    call.tally.replayed += 1;
    return kept;
  }
  const answer = dispatchCaught(call, receivedAt);
  const keeps = replays && "body" in answer && !("headers" in answer);
  if (keeps && (answer.status < 400 || readSettings(sim).replayErrors)) {
    keepAnswer(sim, company.realmId, { key: singleKey(requestId), answer });
  }
  return answer;
}

function dispatchCaught(call: ApiCall, receivedAt: Date): ApiAnswer | Reply {
  try {
    return dispatch(call);
  } catch (error) {
    if (error instanceof ApiFault) return faultAnswer(error, receivedAt);
    throw error;
  }
}

/** @throws ApiFault 2050 if it is too long */
function readRequestId({ request }: ApiCall): string | null {
  const requestId = request.url.searchParams.get("requestid");
  if (request.method !== "POST" || requestId === null || requestId === "") return null;
  const max = request.url.pathname.endsWith("/batch") ? 36 : 50;
  if (requestId.length > max) {
    throw fault(
      "2050",
      `String length specified does not match the supported length. Min:1 Max:${max} supported. Supplied length:${requestId.length}`,
      "requestid",
    );
  }
  return requestId;
}

function honorsRequestId(call: ApiCall): boolean {
  const { pathname } = call.request.url;
  if (pathname.endsWith("/send") || pathname.endsWith("/query")) return false;
  return !pathname.endsWith("/upload") || readSettings(call.sim).uploadHonorsRequestId;
}

function readAccept(request: WireRequest): string | undefined {
  return request.url.searchParams.get("format") === "json" ? "application/json" : request.headers.accept;
}
