import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WireRequest } from "../kit/http.ts";

export type Key = { id: string; secret: string };

/** An error of S3's own: its code, and the status that S3 gives it. */
export type Refusal = { status: number; code: string; message: string };

type Place = { key: Key; region: string; now: Date };

const MAX_SKEW_MS = 15 * 60_000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 +Credential=([^/,\s]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, *SignedHeaders=([\w;-]+), *Signature=([0-9a-f]{64})$/;

/**
 * Checks the signature of a request, version 4, in its Authorization header.
 * @returns what S3 would refuse it for; null if it is signed by the key
 * @see AWS, "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)"
 */
export function checkSignature(request: WireRequest, { key, region, now }: Place): Refusal | null {
  const given = AUTHORIZATION.exec(request.headers.authorization ?? "");
  if (!given) return refuse(403, "AccessDenied", "Access Denied");
  const [, keyId, day = "", ofRegion, names = "", signature = ""] = given;
  if (keyId !== key.id)
    return refuse(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist.");
  if (ofRegion !== region)
    return refuse(
      400,
      "AuthorizationHeaderMalformed",
      `The region '${ofRegion}' is wrong; expecting '${region}'`,
    );
  const signed = names.split(";");
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"));
  if (!["host", ...mustBeSigned].every((name) => signed.includes(name)))
    return refuse(403, "AccessDenied", "There were headers present in the request which were not signed");
  const at = header(request, "x-amz-date");
  if (!at.startsWith(day) || Math.abs(readTime(at) - now.getTime()) > MAX_SKEW_MS)
    return refuse(
      403,
      "RequestTimeTooSkewed",
      "The difference between the request time and now is too large.",
    );
  const payload = header(request, "x-amz-content-sha256");
  const expected = sign(canonicalRequest(request, signed, payload), { secret: key.secret, at, day, region });
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature)))
    return refuse(403, "SignatureDoesNotMatch", "The request signature we calculated does not match.");
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(request.body))
    return refuse(
      400,
      "XAmzContentSHA256Mismatch",
      "The provided 'x-amz-content-sha256' header does not match.",
    );
  return null;
}

const refuse = (status: number, code: string, message: string): Refusal => ({ status, code, message });

const header = ({ headers }: WireRequest, name: string): string => String(headers[name] ?? "");

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Milliseconds of a time such as 20130524T000000Z. */
const readTime = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

function canonicalRequest(request: WireRequest, signed: readonly string[], payload: string): string {
  const path = request.url.pathname
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");
  const query = [...request.url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const headers = signed.map((name) => `${name}:${header(request, name).trim().replaceAll(/ +/g, " ")}\n`);
  return [request.method, path, query, headers.join(""), signed.join(";"), payload].join("\n");
}

/** All but letters, digits, dash, dot, underscore and tilde, as UTF-8. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

type Scope = { secret: string; at: string; day: string; region: string };

function sign(canonical: string, { secret, at, day, region }: Scope): string {
  const text = ["AWS4-HMAC-SHA256", at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer>(
    (last, part) => hmac(last, part),
    Buffer.from(`AWS4${secret}`),
  );
  return hmac(key, text).toString("hex");
}
