import type { FastifyRequest } from "fastify";
import { readHealth, readStored, type HealthCtx } from "#features/health/read-health.ts";
import { mayReadMetrics } from "#features/health/rules.ts";
import * as contract from "#features/health/contract.ts";
import { cancelOpen, readLog, retryWaiting } from "#features/health/steer-runs.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { AppError } from "#platform/errors.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

type HealthRoutes<Caller> = {
  ctx: Omit<HealthCtx, "asking" | "tried">;
  /** Secret of callers from other machines; null if there are none. */
  metricsToken: string | null;
  /** Whether a proxy on this machine passes on requests of others. */
  isBehindProxy: boolean;
  mount: Mount<Caller>;
  /** Context that records the caller's actions. */
  audited(call: Call<Caller>): Ctx & Audited;
  /** E-mail of the caller, for users who read that they canceled a run. */
  userName(call: Call<Caller>): string;
  /** Kinds of runs that can be canceled. */
  cancelable: readonly string[];
  serveRoute: ServeRoute;
};

/** Serves the health of this process to those who operate it, and lets them retry runs. */
export function healthRoutes<Caller>({
  ctx: given,
  metricsToken,
  isBehindProxy,
  mount,
  audited,
  userName,
  cancelable,
  serveRoute,
}: HealthRoutes<Caller>): void {
  const ctx: HealthCtx = { ...given, asking: { current: null }, tried: { at: 0, current: null } };
  mount(contract.showHealth, async () => {
    const { ready: _ready, failing: _failing, ...facts } = await readHealth(ctx);
    return facts;
  });
  mount(contract.retryRun, async ({ body }, call) => {
    await retryWaiting(audited(call), { realmId: body.realm_id, id: body.id, reason: body.reason });
  });

  mount(contract.cancelRun, async ({ body: { realm_id: realmId, id, reason } }, call) => {
    await cancelOpen(audited(call), { realmId, id, reason, by: userName(call), kinds: cancelable });
  });
  mount(contract.readRunLog, ({ params, query }) =>
    readLog(ctx, { realmId: query.realm_id, id: params.run }),
  );

  const mayRead = (request: FastifyRequest) =>
    mayReadMetrics(
      { address: request.socket.remoteAddress, headers: request.headers },
      { token: metricsToken, isBehindProxy },
    );
  // Without the database, so that a platform does not restart a process because of another one.
  serveRoute({ method: "GET", path: "/healthz" }, async (_request, reply) => reply.send({ status: "ok" }));

  serveRoute({ method: "GET", path: "/readyz" }, async (request, reply) => {
    const { ready, failing, ...facts } = await readHealth(ctx);
    return reply.code(ready ? 200 : 503).send({ ready, failing, ...(mayRead(request) ? facts : {}) });
  });

  serveRoute({ method: "GET", path: "/metrics" }, async (request, reply) => {
    if (!mayRead(request))
      throw new AppError({
        status: 401,
        code: "metrics_token_required",
        detail: "Metrics are for callers with METRICS_TOKEN, or for this machine if it has no proxy.",
      });
    const text = await ctx.metrics.print(await readStored(ctx));
    return reply.type(ctx.metrics.contentType).send(text);
  });
}
