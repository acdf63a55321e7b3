import type { FastifyInstance } from "fastify";
import type { Metrics } from "#platform/metrics.ts";

/** Counts every answer under the declared path of its route, so that no id and no unknown path becomes a label. */
export function countAnswers(app: FastifyInstance, count: Metrics["request"]): void {
  app.addHook("onResponse", ({ method, routeOptions, is404 }, reply, done) => {
    const route = is404 ? "unknown" : (routeOptions.url ?? "unknown");
    count({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
    done();
  });
}
