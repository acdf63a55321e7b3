import { machineTimer, type Timer } from "../kit/timer.ts";
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createFaultRules, type RuleMatch } from "../kit/fault-rules.ts";
import { send, sendHalf, type Reply, type WireRequest } from "../kit/http.ts";
import { serveLocally } from "../kit/serve.ts";
import { checkSignature, type Key, type Refusal } from "./signature.ts";

/**
 * Misbehavior of the next requests. `slow_down`, `internal_error`: refused with 503 or 500, not done. `cut_before`, `cut_after`:
 * the connection ends without an answer, the request not done or done. `half`: the body ends in the middle. `shortened`,
 * `damaged`: half of the body, or one with another byte, as if it were all. `page_200`, `page_404`, `page_502`: the page of a
 * proxy, not done. `silent`: no answer.
 */
export type S3Fault =
  | "slow_down"
  | "internal_error"
  | "cut_before"
  | "cut_after"
  | "half"
  | "shortened"
  | "damaged"
  | "page_200"
  | "page_404"
  | "page_502"
  | "silent";

/** Rights of the key, as S3 names them. */
export type Right = "s3:ListBucket" | "s3:GetObject" | "s3:PutObject" | "s3:DeleteObject";

type Stored = { body: Buffer; modifiedAt: Date; headers: Record<string, string> };

type Options = {
  /** 0 for any free port. */
  port: number;
  bucket: string;
  key: Key;
  region?: string;
  /** Most keys of one page of a list; S3 has 1,000. */
  pageSize?: number;
  timer?: Timer;
};

const MAX_BYTES = 64 * 1024 * 1024;

/** Starts a store of objects that speaks S3's protocol: one bucket, path-style addresses, signatures checked. */
export async function startS3({
  port,
  bucket,
  key,
  region = "us-east-1",
  pageSize = 1_000,
  timer = machineTimer,
}: Options) {
  const objects = new Map<string, Stored>();
  const denied = new Set<Right>();
  const faults = createFaultRules<RuleMatch & { fault: S3Fault }>();
  const calls: string[] = [];
  let hasBucket = true;
  const now = () => timer.now();

  const answer = (request: WireRequest): Reply => {
    const unsigned = checkSignature(request, { key, region, now: now() });
    if (unsigned) return refusal(unsigned);
    const [, ofBucket = "", ...rest] = request.url.pathname.split("/");
    if (!hasBucket || ofBucket !== bucket)
      return refusal({ status: 404, code: "NoSuchBucket", message: "The specified bucket does not exist" });
    const name = rest.map(decodeURIComponent).join("/");
    const right = neededRight(request.method, name);
    if (denied.has(right)) return refusal({ status: 403, code: "AccessDenied", message: "Access Denied" });
    if (right === "s3:ListBucket")
      return list(objects, { bucket, pageSize, query: request.url.searchParams });
    if (right === "s3:PutObject") return put(objects, name, { request, at: now() });
    if (right === "s3:GetObject") return get(objects.get(name));
    objects.delete(name);
    return { status: 204, headers: {}, body: "" };
  };
  const server = await serveLocally({
    port,
    limit: MAX_BYTES,
    failure: (status, reason) => refusal({ status, code: "InternalError", message: reason }),
    answer: (request, response) => {
      const { pathname } = request.url;
      calls.push(`${request.method} ${pathname}`);
      const fault = faults.take(request.method, pathname)?.fault;
      const reply = () => withoutBody(request, answer(request));
      if (fault) return misbehave(response, fault, reply);
      return send(response, reply());
    },
  });
  return {
    url: server.url,
    close: () => server.close(),
    /** Makes the requests that match misbehave; the next one unless `times` says otherwise. */
    fail: (fault: S3Fault, match: RuleMatch = {}) => faults.add([{ times: 1, ...match, fault }]),
    /** Ends all misbehavior. */
    recover: () => faults.clear(),
    /** Takes a right from the key, or gives it back. */
    deny: (right: Right) => void denied.add(right),
    allow: (right: Right) => void denied.delete(right),
    setBucket: (exists: boolean) => void (hasBucket = exists),
    /** Stored objects by key. */
    objects,
    /** Requests that arrived: method and path. */
    calls,
  };
}

export type S3Simulator = Awaited<ReturnType<typeof startS3>>;

function neededRight(method: string, name: string): Right {
  if (name === "") return "s3:ListBucket";
  if (method === "PUT") return "s3:PutObject";
  return method === "DELETE" ? "s3:DeleteObject" : "s3:GetObject";
}

/** Every answer of S3 has these. */
const ids = () => ({ "x-amz-request-id": randomBytes(8).toString("hex").toUpperCase(), server: "AmazonS3" });

const xml = (status: number, body: string): Reply => ({
  status,
  headers: { "content-type": "application/xml", ...ids() },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
});

const refusal = ({ status, code, message }: Refusal): Reply =>
  xml(status, `<Error><Code>${code}</Code><Message>${escape(message)}</Message></Error>`);

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type Put = { request: WireRequest; at: Date };

function put(objects: Map<string, Stored>, name: string, { request, at }: Put): Reply {
  if (request.headers["if-none-match"] === "*" && objects.has(name))
    return refusal({
      status: 412,
      code: "PreconditionFailed",
      message: "At least one of the pre-conditions you specified did not hold",
    });
  const meta = Object.entries(request.headers).filter(([header]) => header.startsWith("x-amz-meta-"));
  const headers = Object.fromEntries(meta.map(([header, value]) => [header, String(value)]));
  objects.set(name, { body: request.body, modifiedAt: at, headers });
  return { status: 200, headers: { etag: etag(request.body), ...ids() }, body: "" };
}

const etag = (body: Buffer): string => `"${createHash("md5").update(body).digest("hex")}"`;

function get(found: Stored | undefined): Reply {
  if (!found)
    return refusal({ status: 404, code: "NoSuchKey", message: "The specified key does not exist." });
  const headers = {
    "content-type": "binary/octet-stream",
    "last-modified": found.modifiedAt.toUTCString(),
    etag: etag(found.body),
    ...found.headers,
    ...ids(),
  };
  return { status: 200, headers, body: found.body };
}

type List = { bucket: string; pageSize: number; query: URLSearchParams };

/** Answers ListObjectsV2: keys in order, the rest by a token that says nothing to others. */
function list(objects: Map<string, Stored>, { bucket, pageSize, query }: List): Reply {
  if (query.get("list-type") !== "2")
    return refusal({ status: 501, code: "NotImplemented", message: "Only ListObjectsV2 is simulated" });
  const prefix = query.get("prefix") ?? "";
  const token = query.get("continuation-token");
  const after = token === null ? "" : Buffer.from(token, "base64").toString();
  const asked = Number(query.get("max-keys") ?? pageSize);
  const keys = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
  const page = keys.slice(0, Math.min(asked, pageSize));
  const isCut = page.length < keys.length;
  const next = Buffer.from(page.at(-1) ?? "").toString("base64");
  const entries = page.map((name) => {
    const { body, modifiedAt } = objects.get(name) ?? { body: Buffer.alloc(0), modifiedAt: new Date(0) };
    return `<Contents><Key>${escape(name)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etag(body)}</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  });
  return xml(
    200,
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${escape(
      prefix,
    )}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${asked}</MaxKeys><IsTruncated>${isCut}</IsTruncated>${
      isCut ? `<NextContinuationToken>${next}</NextContinuationToken>` : ""
    }${entries.join("")}</ListBucketResult>`,
  );
}

const withoutBody = ({ method }: WireRequest, reply: Reply): Reply =>
  method === "HEAD" ? { ...reply, body: "" } : reply;

/** @param reply does the request and answers it */
function misbehave(response: ServerResponse, fault: S3Fault, reply: () => Reply): void {
  const cut = () => void response.socket?.destroy();
  const page = (status: number) =>
    send(response, {
      status,
      headers: { "content-type": "text/html" },
      body: `<!doctype html><title>${status}</title><p>Another server answers here.`,
    });
  const reshaped = (change: (body: Buffer) => Buffer) => {
    const made = reply();
    send(response, { ...made, body: change(Buffer.from(made.body)) });
  };
  const acts: Record<S3Fault, () => void> = {
    slow_down: () =>
      send(response, refusal({ status: 503, code: "SlowDown", message: "Please reduce your request rate." })),
    internal_error: () =>
      send(
        response,
        refusal({ status: 500, code: "InternalError", message: "We encountered an internal error." }),
      ),
    cut_before: cut,
    cut_after: () => {
      reply();
      cut();
    },
    half: () => sendHalf(response, reply()),
    shortened: () => reshaped((body) => body.subarray(0, Math.floor(body.length / 2))),
    damaged: () => reshaped((body) => Buffer.from(body.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))),
    page_200: () => page(200),
    page_404: () => page(404),
    page_502: () => page(502),
    silent: () => undefined,
  };
  acts[fault]();
}
