import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { readXml } from "#integrations/objects/read-xml.ts";
import type { Clock } from "#platform/clock.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Bucket of an S3-compatible store, reached with path-style addresses. */
export type S3Config = {
  /** Origin of the store. */
  endpoint: string;
  bucket: string;
  region: string;
  keyId: string;
  secret: string;
  /** Time limit of one call, with its document. */
  timeoutMs: number;
};

export type S3Place = S3Config & { fetch: OutboundFetch; clock: Clock };

export type S3Call = {
  method: "GET" | "PUT" | "DELETE";
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer<ArrayBuffer>;
};

export type S3Answer = { status: number; headers: Headers; body: Buffer };

/**
 * A call that S3 refused, or that was not answered by S3 in any of its attempts.
 * `code`: S3's own, such as NoSuchKey; `foreign` if something else answers; else the system's, such as ECONNREFUSED.
 */
export class S3Failure extends Error {
  readonly code: string;
  /** Whether the next attempt would end the same way. */
  readonly isFinal: boolean;
  readonly call: S3Call;

  constructor(call: S3Call, code: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(`${call.method} ${call.key || "of the bucket"}: ${code}`, { cause });
    this.name = "S3Failure";
    this.code = code;
    this.isFinal = isFinal;
    this.call = call;
  }
}

/** Waits between attempts. S3 asks for backoff when it slows callers down. */
const WAITS_MS: readonly number[] = [250, 1_000, 4_000];

/** Refusals that say nothing about the next attempt; so does any other with a status from 500. */
const PASSING: ReadonlySet<string> = new Set([
  "BadDigest",
  "ConditionalRequestConflict",
  "IncompleteBody",
  "OperationAborted",
  "RequestTimeout",
  "SlowDown",
  "XAmzContentSHA256Mismatch",
]);

/**
 * Makes a signed call, repeated while no answer of S3's own comes: all calls may be repeated, because a document is written as
 * a whole. A refusal is believed only in S3's XML; a page of a proxy counts as no answer.
 * @param accept returns what a good answer says; null for an answer that isn't S3's, or is damaged
 * @throws S3Failure
 */
export async function callS3<T>(
  place: S3Place,
  call: S3Call,
  accept: (answer: S3Answer) => T | null,
  waitsMs: readonly number[] = WAITS_MS,
): Promise<T> {
  for (const waitMs of [...waitsMs, null]) {
    try {
      const answer = await send(place, call);
      const accepted = accept(answer);
      if (accepted !== null) return accepted;
      throw toFailure(call, answer);
    } catch (error) {
      const failure =
        error instanceof S3Failure
          ? error
          : new S3Failure(call, systemCode(error), { isFinal: false, cause: error });
      if (waitMs === null || failure.isFinal) throw failure;
      await place.clock.sleep(waitMs);
    }
  }
  throw new Error("No attempt was made.");
}

async function send(
  place: S3Place,
  { method, key, query = {}, headers = {}, body }: S3Call,
): Promise<S3Answer> {
  const url = new URL(`${place.endpoint}/${place.bucket}${key && `/${key}`}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const signed = await new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, "x-amz-content-sha256": sha256(body ?? "") },
    accessKeyId: place.keyId,
    secretAccessKey: place.secret,
    service: "s3",
    region: place.region,
    datetime: place.clock
      .now()
      .toISOString()
      .replaceAll(/[:-]|\.\d+/g, ""),
  }).sign();
  const response = await place.fetch(signed.url, {
    method,
    headers: signed.headers,
    ...(body ? { body } : {}),
    timeoutMs: place.timeoutMs,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

export const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

function toFailure(call: S3Call, { status, body }: S3Answer): S3Failure {
  const code = status < 300 ? undefined : readXml(body)?.get("Error/Code")?.[0];
  if (!code) return new S3Failure(call, "foreign", { isFinal: false, cause: { status } });
  return new S3Failure(call, code, { isFinal: status < 500 && status !== 429 && !PASSING.has(code) });
}

function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
