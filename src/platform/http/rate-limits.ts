import type { Clock } from "#platform/clock.ts";
import { AppError } from "#platform/errors.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import { HEAVY_SHARE, NETWORK_SESSIONS, type HttpLimits } from "#platform/http/limits.ts";
import { MINUTE_MS } from "#platform/time.ts";

/** Counts a request of a known caller, or of a network. @throws AppError 429 over the limit */
type RateLimit = (key: string) => void;

/** Creates the limits of one server, counted in memory: a restarted process forgets them, which is harmless. */
export function createRateLimits(clock: Pick<Clock, "now">, limits: HttpLimits) {
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
