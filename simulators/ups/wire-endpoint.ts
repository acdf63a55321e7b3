import type { ServerResponse } from "node:http";
import { apiEndpoint, findOperation } from "./api-endpoint.ts";
import { sleep } from "../kit/timer.ts";
import { json, send, sendHalf, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import type { FaultRule } from "./fault-rules.ts";
import { recordRequest } from "./journal.ts";
import { oauthEndpoint } from "./oauth.ts";
import { refusal, UpsFault } from "./replies.ts";
import type { Simulator } from "./simulator.ts";

type Exchange = { sim: Simulator; request: WireRequest; response: ServerResponse };

const HANG_MS = 180_000;

/** One request of OAuth or the API, with the requested misbehavior. */
export async function wireEndpoint({ sim, request, response }: Exchange): Promise<void> {
  const rule = sim.faults.take(request.method, request.url.pathname, findOperation(request)) ?? null;
  if (rule?.fault === "latency") await sleep(sim.clock.timer, rule.ms ?? 1000);
  const reply = replyWith(sim, request, rule);
  recordRequest(sim, { request, status: reply?.status ?? 0, fault: rule?.fault ?? null });
  if (rule?.fault === "hang" || rule?.fault === "hang_after")
    await sleep(sim.clock.timer, rule.ms ?? HANG_MS);
  if (!reply) return void response.destroy();
  if (rule?.fault === "half_body") return sendHalf(response, reply);
  send(response, reply);
}

/** @returns null for no answer: the connection is cut */
function replyWith(sim: Simulator, request: WireRequest, rule: FaultRule | null): Reply | null {
  const instead = rule && INSTEAD[rule.fault]?.(rule);
  if (instead !== undefined && instead !== null) return instead === "none" ? null : instead;
  if (rule?.fault === "twice") answer(sim, request);
  const reply = answer(sim, request);
  const after = rule && AFTERWARDS[rule.fault]?.(rule, reply);
  if (after === undefined || after === null) return reply;
  return after === "none" ? null : after;
}

const refuse = (status: number, code: string, message: string): Reply => refusal(status, [{ code, message }]);

const serverError = ({ status = 500 }: FaultRule): Reply =>
  refuse(status, "10004", "An internal server error occurred. Please try again later.");

/** Any refusal in UPS's shape. */
const chosenRefusal = ({ status = 400, code = "10002", message = "Refused on request" }: FaultRule): Reply =>
  refuse(status, code, message);

const htmlPage = ({ status = 502 }: FaultRule): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status}</title></head><body><h1>Bad Gateway</h1></body></html>`,
});

/** An answer from a gateway in UPS's place: JSON, but not in UPS's shape. */
const gatewayRefusal = ({ status = 403 }: FaultRule): Reply =>
  json(status, { error: "The request was refused." });

/** Answers in place of any work; "none" cuts the connection. */
const INSTEAD: Partial<Record<FaultRule["fault"], (rule: FaultRule) => Reply | "none">> = {
  drop: () => "none",
  hang: () => "none",
  rate_limit: () => refuse(429, "10429", "Too Many Requests"),
  invalid_credentials: () => refuse(401, "250002", "Invalid Authentication Information."),
  server_error: serverError,
  refusal: chosenRefusal,
  html_page: htmlPage,
  json_refusal: gatewayRefusal,
};

/** Answers that hide what was done. */
const AFTERWARDS: Partial<Record<FaultRule["fault"], (rule: FaultRule, reply: Reply) => Reply | "none">> = {
  drop_after: () => "none",
  hang_after: () => "none",
  html_page_after: htmlPage,
  json_refusal_after: gatewayRefusal,
  server_error_after: serverError,
  refusal_after: chosenRefusal,
  bare_refusal: (_rule, reply) =>
    reply.status === 400
      ? json(400, (JSON.parse(String(reply.body)) as { response: object }).response)
      : reply,
  no_label_after: (_rule, { body }) =>
    json(
      200,
      withLabels(body, () => ({})),
    ),
  bad_label_after: (_rule, { body }) =>
    json(
      200,
      withLabels(body, () => ({
        ShippingLabel: {
          ImageFormat: { Code: "GIF" },
          GraphicImage: Buffer.from("GIF89a, and no picture").toString("base64"),
        },
      })),
    ),
  summary_only_after: (_rule, reply) =>
    reply.status === 200 ? json(200, withoutPackages(reply.body)) : reply,
};

type Shipped = {
  ShipmentResponse: {
    Response: object;
    ShipmentResults: { ShipmentIdentificationNumber: string; PackageResults: { TrackingNumber: string }[] };
  };
};

/** A success of Ship with the numbers alone, in the shape that UPS published, and other labels. */
function withLabels(body: Reply["body"], label: () => object): object {
  const { ShipmentResponse: shipped } = JSON.parse(String(body)) as Shipped;
  const { ShipmentIdentificationNumber, PackageResults } = shipped.ShipmentResults;
  const packages = PackageResults.map(({ TrackingNumber }) => ({ TrackingNumber, ...label() }));
  const { Response } = shipped;
  return {
    ShipmentResponse: {
      Response,
      ShipmentResults: { ShipmentIdentificationNumber, PackageResults: packages },
    },
  };
}

/** A success of Void by its summary alone; in UPS's documents the list of packages is optional. */
function withoutPackages(body: Reply["body"]): object {
  type Voided = { VoidShipmentResponse: { Response: object; SummaryResult: object } };
  const { Response, SummaryResult } = (JSON.parse(String(body)) as Voided).VoidShipmentResponse;
  return { VoidShipmentResponse: { Response, SummaryResult } };
}

function answer(sim: Simulator, request: WireRequest): Reply {
  try {
    return transaction(sim.db, () =>
      request.url.pathname.startsWith("/security/") ? oauthEndpoint(sim, request) : apiEndpoint(sim, request),
    );
  } catch (error) {
    if (!(error instanceof UpsFault)) throw error;
    const reply = refusal(error.status, error.problems);
    // A browser that was sent to /authorize has no use for a body, so UPS reports it in headers as well.
    return {
      ...reply,
      headers: { ...reply.headers, errorcode: error.code, errordescription: error.message },
    };
  }
}
