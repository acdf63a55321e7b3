import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Gate } from "#contract/endpoint.ts";
import type { Clock } from "#platform/clock.ts";
import { type HttpLimits, HEAVY_SHARE, NETWORK_SESSIONS } from "#platform/http/limits.ts";
import { MAX_READ_AT_ONCE } from "#platform/threads/read-foreign.ts";
import { AppError } from "#platform/errors.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import { MINUTE_MS } from "#platform/time.ts";
import { isIPv6 } from "node:net";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Limits of input from callers that are not known; `known` if no body of theirs is read. */
    gate?: Gate | "known";
  }
}

/** Sessions and keys remembered as known; beyond them, those that became known first are looked up once more. */
const MAX_KNOWN = 10_000;

export type CallerGate = ReturnType<typeof createGate>;

/**
 * The gate of every call: counts it before anything of it is read or looked up. The network is always counted. A session or
 * key has a count of its own only while it is known to exist, because a caller can make up a new one for each call.
 */
export function createGate(clock: Pick<Clock, "now">, limits: HttpLimits) {
  const counts = createRateLimits(clock, limits);
  const known = new Set<string>();
  const isKnown = (claim: string | null): claim is string => claim !== null && known.has(claim);
  return {
    counts,
    isKnown,
    /** Names who is counted: the session or key if it is known, else the network. */
    nameCaller: ({ ip }: Pick<FastifyRequest, "ip">, claim: string | null): string =>
      isKnown(claim) ? claim : callerNetwork(ip),
    /**
     * Counts a call.
     * @param claim session or key that it claims; null for none
     * @throws AppError 429 over a limit
     */
    enter({ ip }: Pick<FastifyRequest, "ip">, claim: string | null, of: Gate["of"] = "guests"): void {
      const network = callerNetwork(ip);
      counts.network(network);
      if (isKnown(claim)) counts.call(claim);
      // Apart, so that a flood without sessions keeps no user out whose session was not used here yet.
      else counts[claim === null ? of : "claims"](network);
    },
    /** Notes that a claim is of a session or key that exists, and counts its first call. @throws AppError 429 */
    admit(claim: string): void {
      if (known.has(claim)) return;
      known.add(claim);
      const [first] = known;
      if (known.size > MAX_KNOWN && first !== undefined) known.delete(first);
      counts.call(claim);
    },
    forget: (claim: string): void => void known.delete(claim),
  };
}

/**
 * Refuses every route that takes input of callers who are not known, and declares no gate, or one for more than is read at
 * once. Call it before anything is mounted.
 * @throws Error that names the route, at its registration
 */
export function requireGates(app: FastifyInstance): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    const takes = [method].flat().filter((name) => !["GET", "HEAD", "OPTIONS"].includes(name));
    const gate = config?.gate;
    if (takes.length === 0 || gate === "known") return;
    const route = `${takes.join(", ")} ${url}`;
    if (!gate) throw new Error(`${route} takes input from callers who are not known. Declare its gate.`);
    if (gate.maxBytes > MAX_READ_AT_ONCE && !gate.large)
      throw new Error(`${route} takes more than ${MAX_READ_AT_ONCE} bytes. Declare how its gate reads them.`);
  });
}

/** Counts a request of a known caller, or of a network. @throws AppError 429 over the limit */
type RateLimit = (key: string) => void;

/** Creates the limits of one server, counted in memory: a restarted process forgets them, which is harmless. */
function createRateLimits(clock: Pick<Clock, "now">, limits: HttpLimits) {
  const perMinute = (max: number, sentence: string): RateLimit => {
    const count = createLimiter(clock, { max, withinMs: MINUTE_MS });
    return (key) => {
      const waitMs = count(key);
      if (waitMs === null) return;
      const seconds = Math.ceil(waitMs / 1_000);
      throw new AppError({
        status: 429,
        code: "too_many_requests",
        detail: `${sentence} Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
        retryAfterSeconds: seconds,
      });
    };
  };
  return {
    /** A limit for one step of signing in: each step counts for itself. */
    newSignIn: () => perMinute(limits.signInsPerMinute, "Too many sign-ins came from your network."),
    network: perMinute(
      limits.callsPerMinute * NETWORK_SESSIONS,
      "Your network has sent too many requests in the last minute.",
    ),
    call: perMinute(limits.callsPerMinute, "You've sent too many requests in the last minute."),
    heavyCall: perMinute(
      limits.callsPerMinute * HEAVY_SHARE,
      "You've asked for too many documents and lists in the last minute.",
    ),
    upload: perMinute(limits.uploadsPerMinute, "You've sent too many files in the last minute."),
    guests: perMinute(limits.callsPerMinute, "You've sent too many requests in the last minute."),
    claims: perMinute(
      limits.callsPerMinute,
      "Your network has sent too many requests with unknown sessions or keys in the last minute.",
    ),
    pages: perMinute(
      limits.reportsPerMinute,
      "Your browser has reported too many errors in the last minute.",
    ),
    recorders: perMinute(
      limits.steadyReportsPerMinute,
      "Your network has sent too many recordings in the last minute.",
    ),
    vendors: perMinute(
      limits.vendorCallsPerMinute,
      "Your network has sent too many events in the last minute.",
    ),
  };
}

/**
 * Groups addresses by caller: an IPv4 address, or the /64 network of an IPv6 address, because one customer
 * owns a whole network.
 */
export function callerNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = address.replace(/%.*$/s, "");
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? address;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":").length + Number(tail.includes(".")) : 0;
  const zeros = tail === undefined ? 0 : 8 - groups.length - after;
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...(tail ? tail.split(":") : [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
