import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#platform/errors.ts";
import { HEAVY_SHARE, type HttpLimits } from "#platform/http/limits.ts";

const MINUTE_MS = 60_000;

/** Counts a request of a session, or of its address if it has none. @throws AppError 429 over the limit */
type RateLimit = (request: FastifyRequest, session: string | null) => Promise<void>;

/** Creates the limits of one server. They count in memory; a restart resets them, which is harmless. */
export async function createRateLimits(app: FastifyInstance, limits: HttpLimits) {
  await app.register(rateLimit, { global: false });
  return {
    /** Creates a limit for one step of signing in; each step counts separately. */
    newSignIn: () => perMinute(app, limits.signInsPerMinute, "Too many sign-ins came from your network."),
    call: perMinute(app, limits.callsPerMinute, "You have sent many requests in the last minute."),
    heavyCall: perMinute(
      app,
      limits.callsPerMinute * HEAVY_SHARE,
      "You have asked for many documents and lists in the last minute.",
    ),
    upload: perMinute(app, limits.uploadsPerMinute, "You have sent many files in the last minute."),
  };
}

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

function perMinute(app: FastifyInstance, max: number, sentence: string): RateLimit {
  const options = { max, timeWindow: MINUTE_MS };
  // Without a key the library uses the address, and for IPv6 the customer's whole network.
  const byAddress = app.createRateLimit(options);
  const sessions = new WeakMap<FastifyRequest, string>();
  const bySession = app.createRateLimit({
    ...options,
    keyGenerator: (request) => sessions.get(request) ?? "",
  });
  return async (request, session) => {
    if (session !== null) sessions.set(request, session);
    const counted = await (session === null ? byAddress(request) : bySession(request));
    if (counted.isAllowed || !counted.isExceeded) return;
    const seconds = counted.ttlInSeconds;
    throw new AppError({
      status: 429,
      code: "too_many_requests",
      detail: `${sentence} Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
      retryAfterSeconds: seconds,
    });
  };
}
