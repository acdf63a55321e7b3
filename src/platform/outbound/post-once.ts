import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6 } from "node:net";
import { timeoutSignal, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { readRetryAfter } from "#platform/outbound/retry-after.ts";
import { findAddress, type Reach, type Resolve } from "#platform/outbound/public-address.ts";

/**
 * `retryAfterSeconds`: of the header Retry-After; undefined if the answer names no time.
 * `private`: the host has an address that may not be called; `unknown`: it has none; `timeout`: no answer in time;
 * `stopped`: the caller stopped it. Any other fault is the system's name of it, such as ECONNREFUSED.
 */
export type PostAnswer = { status: number; retryAfterSeconds?: number | undefined } | { fault: string };

type Post = {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Time limit of the whole call: look-up, connection, and the head of the answer. */
  timeoutMs: number;
  stop: AbortSignal;
};

type Options = { reach: Reach; resolve: Resolve; log: Log; clock: Clock };

/**
 * Posts to an address that a user typed. The host is looked up once, and the connection goes to the address that was
 * checked. Redirects are not followed. Only the head of the answer is read: its body is never received.
 * Logs the host, without the path, which may contain a secret of the receiver.
 */
export async function postOnce(
  { reach, resolve, log, clock }: Options,
  url: URL,
  { timeoutMs, stop, ...post }: Post,
): Promise<PostAnswer> {
  const startedAt = clock.now().getTime();
  const timeout = timeoutSignal(clock, timeoutMs);
  const signal = AbortSignal.any([timeout, stop]);
  const find = async (): Promise<PostAnswer> => {
    const found = await findAddress(url.hostname.replaceAll(/[[\]]/g, ""), reach, resolve);
    return "fault" in found ? found : send(url, { ...post, address: found.address, signal });
  };
  const answer = await Promise.race([find(), aborted(signal)]).catch((error: unknown) => ({
    fault: timeout.aborted ? "timeout" : stop.aborted ? "stopped" : failureName(error),
  }));
  log.info(
    { host: url.host, ...answer, ms: clock.now().getTime() - startedAt },
    "Posted to a user's address",
  );
  return answer;
}

type Sending = Pick<Post, "headers" | "body"> & { address: string; signal: AbortSignal };

function send(url: URL, { address, signal, headers, body }: Sending): Promise<PostAnswer> {
  const family = isIPv6(address) ? 6 : 4;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup: (_host, { all }, found) =>
        all ? found(null, [{ address, family }]) : found(null, address, family),
    });
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers: head } = response;
      resolve({ status, retryAfterSeconds: readRetryAfter(head["retry-after"], head.date) });
      response.destroy();
    });
    sent.on("error", reject);
    sent.on("close", () => reject(new Error("The connection was closed without an answer.")));
    sent.end(body);
  });
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

const failureName = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no_answer";
