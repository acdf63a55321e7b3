import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "#platform/clock.ts";
import { AppError } from "#platform/errors.ts";
import { callerNetwork } from "#platform/http/caller-network.ts";
import { createLimiter } from "#platform/http/limiter.ts";

const MINUTE_MS = 60_000;

/** Networks remembered at most; beyond them the one refused longest ago is forgotten. */
const MAX_REFUSED = 1_000;

/**
 * Limits events that a vendor did not send. Only refused ones count, so a vendor may send as many as it likes, and a network
 * over the limit is refused before its next event is read.
 */
export function limitForgeries(clock: Pick<Clock, "now">, max: number) {
  const count = createLimiter(clock, { max, withinMs: MINUTE_MS });
  const refusedUntil = new Map<string, number>();
  return {
    /** @throws AppError 429 over the limit */
    refuse: (request: FastifyRequest): void => {
      const waitMs = (refusedUntil.get(callerNetwork(request.ip)) ?? 0) - clock.now().getTime();
      // A clock that was set back must not refuse for days.
      if (waitMs <= 0 || waitMs > MINUTE_MS) return;
      const seconds = Math.ceil(waitMs / 1_000);
      throw new AppError({
        status: 429,
        code: "too_many_requests",
        detail: `Your network has sent many events that aren't a vendor's. Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
        retryAfterSeconds: seconds,
      });
    },
    /** Counts an answer that refused an event as forged. */
    countAnswer: (request: FastifyRequest, reply: FastifyReply): void => {
      if (reply.statusCode !== 400 && reply.statusCode !== 401) return;
      const network = callerNetwork(request.ip);
      const waitMs = count(network);
      if (waitMs === null) return;
      refusedUntil.delete(network);
      refusedUntil.set(network, clock.now().getTime() + waitMs);
      const [first] = refusedUntil.keys();
      if (refusedUntil.size > MAX_REFUSED && first !== undefined) refusedUntil.delete(first);
    },
  };
}
