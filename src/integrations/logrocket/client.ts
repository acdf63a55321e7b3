import type { Clock } from "#platform/clock.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Our app at LogRocket, and where LogRocket is. */
export type LogRocketSettings = { appId: string; scriptOrigin: string; ingestOrigin: string };

/** A message of the script in a page: to `i` a part of a recording, to `s` facts about the script itself. */
export type LogRocketUpload = {
  to: "i" | "s";
  /** With its `?`, or empty. */
  query: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
};

type Answer = { status: number; body: Buffer };

/** Client of LogRocket. Null means no answer: pages work without it. */
export type LogRocket = {
  appId: string;
  /** Fetches the script that records a page, or returns the one of the last hour. */
  readScript(): Promise<Buffer | null>;
  /** Passes on what that script sends. Statuses of 500 and more, and redirects, don't count as an answer. */
  send(upload: LogRocketUpload): Promise<Answer | null>;
};

/** Path at LogRocket's CDN, by the package logrocket 12.4.0 (setup.js). */
const SCRIPT = "/logger-1.min.js";
/** The script has 0.9 MB. */
const SCRIPT_BYTES = 8 * 1024 * 1024;
const SCRIPT_MS = 10_000;
const KEEP_SCRIPT_MS = 3_600_000;
const SEND_MS = 5_000;
/** An answer is a short JSON. */
const ANSWER_BYTES = 64 * 1024;
/** Uploads under way at a time; more would wait for a slow LogRocket with their bodies in memory. */
const MAX_SENDING = 20;
/** After a call without an answer, no call is made for this long, so that pages don't wait for LogRocket. */
const PAUSE_MS = 30_000;

type Deps = { fetch: OutboundFetch; clock: Clock };

/** Creates the client of one app at LogRocket; callers choose neither host, path nor app. */
export function createLogRocket(
  { appId, scriptOrigin, ingestOrigin }: LogRocketSettings,
  deps: Deps,
): LogRocket {
  const getScript = createCall(deps, { maxBytes: SCRIPT_BYTES, timeoutMs: SCRIPT_MS });
  const post = createCall(deps, { maxBytes: ANSWER_BYTES, timeoutMs: SEND_MS });
  let sending = 0;
  return {
    appId,
    readScript: keepForAnHour(deps.clock, async () => {
      const answer = await getScript(`${scriptOrigin}${SCRIPT}`, { method: "GET" });
      return answer?.status === 200 ? answer.body : null;
    }),
    async send({ to, query, headers, body }) {
      if (sending >= MAX_SENDING) return null;
      sending += 1;
      try {
        return await post(`${ingestOrigin}/${to}${query}`, { method: "POST", headers, body });
      } finally {
        sending -= 1;
      }
    },
  };
}

type Call = { method: string; headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer> };

/** Creates a call that never fails, and that answers null at once for a while after it had no answer. */
function createCall(
  { fetch, clock }: Deps,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): (url: string, call: Call) => Promise<Answer | null> {
  let pausedUntil = 0;
  return async (url, call) => {
    if (clock.now().getTime() < pausedUntil) return null;
    const answer = await ask(() => fetch(url, { ...call, timeoutMs }), maxBytes);
    if (answer === null) pausedUntil = clock.now().getTime() + PAUSE_MS;
    return answer;
  };
}

/** The failure of a call is in the log already. */
async function ask(fetch: () => Promise<Response>, maxBytes: number): Promise<Answer | null> {
  try {
    const response = await fetch();
    const body = await readUpTo(maxBytes, response);
    const isAnswer = response.ok || (response.status >= 400 && response.status < 500);
    return isAnswer && body ? { status: response.status, body } : null;
  } catch {
    return null;
  }
}

/** Reads a body. @returns null if it is longer, without reading the rest */
async function readUpTo(maxBytes: number, { body }: Response): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Calls at most once at a time, and keeps what it got for an hour. */
function keepForAnHour<Kept>(clock: Clock, read: () => Promise<Kept | null>): () => Promise<Kept | null> {
  let kept: { value: Kept; until: number } | null = null;
  let reading: Promise<Kept | null> | null = null;
  const readAgain = async () => {
    const value = await read();
    if (value !== null) kept = { value, until: clock.now().getTime() + KEEP_SCRIPT_MS };
    reading = null;
    return value;
  };
  return () => {
    if (kept && clock.now().getTime() < kept.until) return Promise.resolve(kept.value);
    return (reading ??= readAgain());
  };
}
