import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "#platform/clock.ts";
import type { CallerGate } from "#platform/http/gate.ts";
import { createLimiter } from "#platform/http/limiter.ts";

/** Statuses that say that a caller may not do this; a vendor's forged call is answered with 400. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);
const FORGED = 400;
const EVERY_MS = 60_000;

type Options = {
  clock: Clock;
  gate: CallerGate;
  /** Names the session that a request says it is of; null for guests. */
  readSession(request: FastifyRequest): string | null;
};

/**
 * Logs refused calls, so that operators can see probing: one line a minute of each known session, or of each
 * network without one, so that a flood does not fill the log.
 */
export function logRefusals(app: FastifyInstance, { clock, gate, readSession }: Options): void {
  const mayLog = createLimiter(clock, { max: 1, withinMs: EVERY_MS });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode: status } = reply;
    const isForged = Boolean(request.routeOptions.config.fromProgram) && status === FORGED;
    if (REFUSALS.has(status) || isForged) {
      const session = readSession(request);
      if (mayLog(gate.nameCaller(request, session)) === null) {
        const [path] = request.url.split("?");
        const { method, ip } = request;
        request.log.warn({ method, path, status, ip, session: session?.slice(0, 8) }, "Refused a call");
      }
    }
    done();
  });
}
