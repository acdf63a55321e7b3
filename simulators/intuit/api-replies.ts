import { json, type Reply } from "../kit/http.ts";
import { ApiFault, fault } from "./api-fault.ts";
import { envelopeTime } from "./wire-time.ts";

/** A response from the Accounting API before it is written as JSON or XML. */
export type ApiAnswer = { status: number; body: Record<string, unknown> };

/** Headers of every Accounting API answer. */
const HEADERS = {
  "cache-control": "max-age=0, no-cache, no-store, must-revalidate, private",
  expires: "0",
  "qbo-version": "1995.131",
  "service-time": "total=42, db=11",
};

/** Writes an answer; without `Accept: application/json` the service speaks XML. */
export function apiReply(answer: ApiAnswer, accept: string | undefined): Reply {
  const isFault = "Fault" in answer.body;
  if (!(accept ?? "").includes("json")) {
    return {
      status: answer.status,
      headers: { ...HEADERS, "content-type": "application/xml" },
      body: toXml(answer.body),
    };
  }
  const type = isFault ? "application/json" : "application/json;charset=utf-8";
  return json(answer.status, answer.body, { ...HEADERS, "content-type": type });
}

export function faultBody(refusal: ApiFault): Record<string, unknown> {
  return { Fault: { Error: refusal.errors, type: refusal.type } };
}

/** Converts a refusal to an answer; for an invalid id it has no `time`, as recorded. */
export function faultAnswer(refusal: ApiFault, receivedAt: Date): ApiAnswer {
  const timeless = refusal.errors[0]?.code === "2030";
  return {
    status: refusal.status,
    body: { ...faultBody(refusal), ...(!timeless && { time: envelopeTime(receivedAt) }) },
  };
}

/** A refusal of the gateway in front of the API, in its own format. */
type GatewayRefusal = { status: number; message: string; code: string; detail: string | null; type: string };

function gatewayReply({ status, message, code, detail, type }: GatewayRefusal, receivedAt: Date): Reply {
  const body = {
    warnings: null,
    intuitObject: null,
    fault: { error: [{ message, detail, code, element: null }], type },
    report: null,
    queryResponse: null,
    batchItemResponse: [],
    attachableResponse: [],
    syncErrorResponse: null,
    requestId: null,
    time: receivedAt.getTime(),
    status: null,
    cdcresponse: [],
  };
  return json(status, body, HEADERS);
}

/** Builds the API host's 401, whose detail echoes the token. */
export function unauthorizedReply(token: string, receivedAt: Date): Reply {
  const refusal = {
    status: 401,
    message: "message=AuthenticationFailed; errorCode=003200; statusCode=401",
    code: "3200",
    detail: token === "" ? "AuthenticationFailed" : `Token expired: ${token}`,
    type: "AUTHENTICATION",
  };
  const reply = gatewayReply(refusal, receivedAt);
  reply.headers["www-authenticate"] = 'Bearer realm="Intuit", error="invalid_token"';
  return reply;
}

/** Builds the 403 for a company or scope that the token does not cover. */
export function forbiddenReply(receivedAt: Date): Reply {
  const message = "message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403";
  return gatewayReply({ status: 403, message, code: "3100", detail: null, type: "SERVICE" }, receivedAt);
}

/** Retry-After header in one of HTTP's two formats. */
export type RetryAfter = { seconds: number; as?: "seconds" | "date" };

type Throttling = {
  /** JSON, or XML, as it always was for years. */
  format: "json" | "xml";
  after?: RetryAfter | null | undefined;
  /** 403 in older answers. */
  status?: number | undefined;
  /** `3001`, or `003001` as in its own message. */
  code?: string | undefined;
};

/** Builds the answer to a throttled request. */
export function throttledReply(
  { format, after, status = 429, code = "3001" }: Throttling,
  receivedAt: Date,
): Reply {
  const detail = "The request limit was reached. Wait a minute before the next request.";
  const { errors, type } = fault("3001", detail, "");
  const refusal = new ApiFault({ status, type, errors: errors.map((error) => ({ ...error, code })) });
  const accept = format === "json" ? "application/json" : "application/xml";
  const reply = apiReply(faultAnswer(refusal, receivedAt), accept);
  return { ...reply, headers: { ...reply.headers, ...(after && retryAfterHeaders(after, receivedAt)) } };
}

/** A date uses the simulator's clock, like the answer's own Date header. */
function retryAfterHeaders(
  { seconds, as = "seconds" }: RetryAfter,
  receivedAt: Date,
): Record<string, string> {
  if (as === "seconds") return { "retry-after": String(seconds) };
  const until = new Date(receivedAt.getTime() + seconds * 1000);
  return { date: receivedAt.toUTCString(), "retry-after": until.toUTCString() };
}

const ATTRIBUTES = new Set([
  "domain",
  "sparse",
  "status",
  "time",
  "type",
  "code",
  "element",
  "name",
  "bId",
  "startPosition",
  "maxResults",
  "totalCount",
]);

/** Writes an answer as XML: the service's own element names, with an object's small values as attributes. */
export function toXml(body: Record<string, unknown>): string {
  const { time, ...rest } = body;
  const stamp = typeof time === "string" ? ` time="${escape(time)}"` : "";
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><IntuitResponse xmlns="http://schema.intuit.com/finance/v3"${stamp}>${children(rest)}</IntuitResponse>`;
}

function element(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((item: unknown) => element(name, item)).join("");
  if (typeof value !== "object") return `<${name}>${escape(String(value))}</${name}>`;
  const fields = Object.entries(value) as [string, unknown][];
  const attributes = fields.filter(([key, inner]) => ATTRIBUTES.has(key) && typeof inner !== "object");
  const text = fields.find(([key, inner]) => key === "value" && typeof inner !== "object");
  const inner = text
    ? escape(String(text[1]))
    : children(
        Object.fromEntries(
          fields.filter(([key, child]) => !ATTRIBUTES.has(key) || typeof child === "object"),
        ),
      );
  return `<${name}${attributes.map(([key, attribute]) => ` ${key}="${escape(String(attribute))}"`).join("")}>${inner}</${name}>`;
}

function children(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join("");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
