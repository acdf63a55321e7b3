import type { FastifyRequest } from "fastify";
import type { Gate } from "#contract/endpoint.ts";
import * as contract from "#features/telemetry/contract.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import type { ReportingUser } from "#features/telemetry/rules-event.ts";
import { drawPlayer, PLAYER_POLICY } from "#features/telemetry/draw-player.ts";
import { ENVELOPE_BYTES, LOGROCKET_BYTES, RECORDING_BYTES } from "#features/telemetry/limits.ts";
import { logRocketSilent, passToLogRocket } from "#features/telemetry/pass-to-logrocket.ts";
import { readRecordedEvents, readRecording } from "#features/telemetry/read-recording.ts";
import { receiveRecording } from "#features/telemetry/receive-recording.ts";
import { receiveReport } from "#features/telemetry/receive-report.ts";
import { notFound } from "#platform/errors.ts";
import type { Mount } from "#platform/http/mount.ts";
import { sendProblem } from "#platform/http/problem.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

type TelemetryRoutes<Caller> = {
  ctx: TelemetryCtx;
  mount: Mount<Caller>;
  serveRoute: ServeRoute;
  /** Finds the user of a page by its session, and not by what the page says; null for guests. */
  findUser(request: FastifyRequest): Promise<ReportingUser | null>;
};

/**
 * Error reports, taken from our own pages, whose SDK of Sentry has this address as its tunnel; and recordings, taken and
 * played. Admin lists both.
 */
export function telemetryRoutes<Caller>({ ctx, mount, serveRoute, findUser }: TelemetryRoutes<Caller>): void {
  const reports: Gate = { of: "pages", maxBytes: ENVELOPE_BYTES, large: "in a thread" };
  serveRoute({ method: "POST", path: "/telemetry/errors", gate: reports }, async (request, reply) => {
    const id = await receiveReport(ctx, request.body as Buffer, await findUser(request));
    return reply.send(id === null ? {} : { id });
  });

  const recordings: Gate = { of: "pages", maxBytes: RECORDING_BYTES, large: "in a thread" };
  serveRoute({ method: "POST", path: "/telemetry/recordings", gate: recordings }, async (request, reply) => {
    await receiveRecording(ctx, request.body as Buffer, await findUser(request));
    return reply.send({});
  });

  mount(contract.readRecording, async ({ params }) => ({
    events: await readRecordedEvents(ctx, params.recording_id),
  }));

  mount(contract.playRecording, async ({ params }, { reply }) => {
    const played = await readRecording(ctx, params.recording_id);
    return reply
      .type("text/html; charset=utf-8")
      .header("Content-Security-Policy", PLAYER_POLICY)
      .send(drawPlayer({ ...played, product: ctx.product }));
  });

  logRocketRoutes({ ctx, serveRoute });
}

/** Browsers ask only us: what LogRocket's package asks for is asked for here, and passed on. */
function logRocketRoutes({ ctx, serveRoute }: Pick<TelemetryRoutes<never>, "ctx" | "serveRoute">): void {
  const open = () => {
    if (!ctx.logRocket) throw notFound("Pages aren't recorded at LogRocket here.");
    return ctx.logRocket;
  };

  serveRoute({ method: "GET", path: `${contract.LOGROCKET_PATH}/logger.min.js` }, async (request, reply) => {
    const script = await open().readScript();
    if (!script) return sendProblem(reply, request, logRocketSilent());
    return reply
      .type("text/javascript; charset=utf-8")
      .header("Cache-Control", "public, max-age=3600")
      .send(script);
  });

  const gate: Gate = { of: "recorders", maxBytes: LOGROCKET_BYTES, large: "passed on" };
  for (const to of ["i", "s"] as const)
    serveRoute({ method: "POST", path: `${contract.LOGROCKET_PATH}/${to}`, gate }, async (request, reply) => {
      const { url, headers } = request;
      const sent = { to, url, headers, body: request.body as Buffer };
      const answer = await passToLogRocket(open(), sent);
      if (!answer) return sendProblem(reply, request, logRocketSilent());
      return reply.code(answer.status).type("application/json").send(answer.body);
    });
}
