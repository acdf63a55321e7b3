import { FAILURES_A_MINUTE } from "#features/telemetry/limits.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import { keepEvent } from "#features/telemetry/receive-report.ts";
import { BRANCH, ENVIRONMENT } from "#features/telemetry/rules.ts";
import { scrubEvent } from "#features/telemetry/rules-event.ts";
import { AppError } from "#platform/errors.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import { currentTrace } from "#platform/trace.ts";
import { MINUTE_MS } from "#platform/time.ts";

const MAX_CAUSES = 5;

/** Method and route, in place of a run's kind. */
const IS_CALL = /^[A-Z]+ \//;

/**
 * Creates the recorder of the server's own failures. It never fails and nothing waits for it: a failure is in
 * the log in any case. Outages that are reported to callers are not recorded.
 * @param place route of the call or kind of the run
 */
export function createFailureRecorder(ctx: TelemetryCtx): (error: unknown, place: string) => void {
  const count = createLimiter(ctx.clock, { max: FAILURES_A_MINUTE, withinMs: MINUTE_MS });
  return (error, place) => {
    if (error instanceof AppError || count("all") !== null) return;
    const event = scrubEvent(describe(ctx, error, place));
    if (!event) return;
    keepEvent(ctx, "server", event).catch((failure: unknown) =>
      ctx.log.warn({ err: failure }, "An error report could not be kept"),
    );
  };
}

function describe({ ids, clock, release }: TelemetryCtx, error: unknown, place: string): object {
  const trace = currentTrace();
  return {
    event_id: ids.uuid().replaceAll("-", ""),
    timestamp: clock.now().getTime() / 1_000,
    platform: "node",
    level: "error",
    release,
    environment: ENVIRONMENT,
    transaction: place,
    tags: {
      branch: BRANCH,
      ...(trace?.reqId && { request_id: trace.reqId }),
      ...(IS_CALL.test(place) && { call: place, status: "500" }),
    },
    ...(trace && { contexts: { trace: { trace_id: trace.traceId, span_id: trace.traceId.slice(0, 16) } } }),
    exception: { values: listCauses(error).map(describeError) },
  };
}

/** The first cause comes first, the thrown error last. */
function listCauses(error: unknown): unknown[] {
  const causes = [error];
  for (let cause = error; cause instanceof Error && cause.cause && causes.length < MAX_CAUSES;)
    causes.unshift((cause = cause.cause));
  return causes;
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: "Error", value: String(error) };
  const lines = (error.stack ?? "").matchAll(/^ +at (?:(.+?) \()?(?:file:\/\/)?(\S+?):(\d+):(\d+)\)?$/gm);
  const frames = [...lines].map(([, name, file = "", line, column]) => {
    // Paths of the machine say nothing; those of packages and of our sources do.
    const filename = /(?:^|\/)((?:src|node_modules)\/.*)$/s.exec(file)?.[1] ?? file.split("/").at(-1);
    const at = { filename, lineno: Number(line), colno: Number(column) };
    return { ...at, ...(name && { function: name }), in_app: filename?.startsWith("src/") };
  });
  return { type: error.name, value: error.message, stacktrace: { frames: frames.toReversed() } };
}
