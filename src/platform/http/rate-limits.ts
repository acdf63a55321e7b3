import type { FastifyRequest } from "fastify";
import type { Clock } from "#platform/clock.ts";
import { AppError } from "#platform/errors.ts";
import { callerNetwork } from "#platform/http/caller-network.ts";
import { limitForgeries } from "#platform/http/limit-forgeries.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import { HEAVY_SHARE, type HttpLimits } from "#platform/http/limits.ts";

const MINUTE_MS = 60_000;

/** Counts a request of a session, or of its address when it has none. @throws AppError 429 over the limit */
type RateLimit = (request: FastifyRequest, session: string | null) => void;

/** Creates the limits of one server, counted in memory: a restarted process forgets them, which is harmless. */
export function createRateLimits(clock: Clock, limits: HttpLimits) {
  const perMinute = (max: number, sentence: string): RateLimit => {
    const count = createLimiter(clock, { max, withinMs: MINUTE_MS });
    return (request, session) => {
      const waitMs = count(session ?? callerNetwork(request.ip));
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
    /** A limit for forged events of one vendor. */
    newVendor: () => limitForgeries(clock, limits.forgeriesPerMinute),
    /** A limit for one step of signing in: each step counts for itself. */
    newSignIn: () => perMinute(limits.signInsPerMinute, "Too many sign-ins came from your network."),
    call: perMinute(limits.callsPerMinute, "You have sent many requests in the last minute."),
    heavyCall: perMinute(
      limits.callsPerMinute * HEAVY_SHARE,
      "You have asked for many documents and lists in the last minute.",
    ),
    report: perMinute(limits.reportsPerMinute, "Your browser has reported many errors in the last minute."),
    steadyReport: perMinute(
      limits.steadyReportsPerMinute,
      "Your network has sent many recordings in the last minute.",
    ),
    upload: perMinute(limits.uploadsPerMinute, "You have sent many files in the last minute."),
  };
}

export type RateLimits = ReturnType<typeof createRateLimits>;
