import * as contract from "#features/telemetry/contract.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import { drawPlayer, PLAYER_POLICY } from "#features/telemetry/draw-player.ts";
import { ENVELOPE_BYTES, RECORDING_BYTES } from "#features/telemetry/limits.ts";
import { readRecordedEvents, readRecording } from "#features/telemetry/read-recording.ts";
import { receiveRecording } from "#features/telemetry/receive-recording.ts";
import { receiveReport } from "#features/telemetry/receive-report.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

type TelemetryRoutes<Caller> = { ctx: TelemetryCtx; mount: Mount<Caller>; serveRoute: ServeRoute };

/**
 * Error reports, taken from our own pages, whose SDK of Sentry has this address as its tunnel; and recordings, taken and
 * played. Admin lists both.
 */
export function telemetryRoutes<Caller>({ ctx, mount, serveRoute }: TelemetryRoutes<Caller>): void {
  const fromPage = { maxBytes: ENVELOPE_BYTES };
  serveRoute({ method: "POST", path: "/telemetry/errors", fromPage }, async (request, reply) => {
    const id = await receiveReport(ctx, request.body as Buffer);
    return reply.send(id === null ? {} : { id });
  });

  const recorded = { maxBytes: RECORDING_BYTES };
  serveRoute(
    { method: "POST", path: "/telemetry/recordings", fromPage: recorded },
    async (request, reply) => {
      await receiveRecording(ctx, request.body as Buffer);
      return reply.send({});
    },
  );

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
}
