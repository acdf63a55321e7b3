import type { FastifyRequest } from "fastify";
import { readHealth, readStored, type HealthCtx } from "#features/health/read-health.ts";
import { mayReadMetrics } from "#features/health/rules.ts";
import { AppError } from "#platform/errors.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

type HealthRoutes = {
  ctx: HealthCtx;
  /** Secret of callers from other machines; null if there are none. */
  metricsToken: string | null;
};

/** Serves the health of this process to those who operate it. */
export function healthRoutes(serveRoute: ServeRoute, { ctx, metricsToken }: HealthRoutes): void {
  const mayRead = (request: FastifyRequest) =>
    mayReadMetrics({ address: request.socket.remoteAddress, headers: request.headers }, metricsToken);
  // Without the database, so that a platform does not restart a process because of another one.
  serveRoute({ method: "GET", path: "/healthz" }, async (_request, reply) => reply.send({ status: "ok" }));

  serveRoute({ method: "GET", path: "/readyz" }, async (request, reply) => {
    const { failing, ...facts } = await readHealth(ctx);
    const ready = failing.length === 0;
    return reply.code(ready ? 200 : 503).send({ ready, failing, ...(mayRead(request) ? facts : {}) });
  });

  serveRoute({ method: "GET", path: "/metrics" }, async (request, reply) => {
    if (!mayRead(request))
      throw new AppError({
        status: 401,
        code: "metrics_token_required",
        detail: "Metrics are for this machine only, or for callers with METRICS_TOKEN.",
      });
    const text = await ctx.metrics.print(await readStored(ctx));
    return reply.type(ctx.metrics.contentType).send(text);
  });
}
