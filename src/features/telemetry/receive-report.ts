import { FORWARD_MS, MAX_REPORTS, REPORT_THREAD, RETENTION_DAYS } from "#features/telemetry/limits.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import { serializeEnvelope } from "#features/telemetry/envelope.ts";
import { run as readReports } from "#features/telemetry/read-reports.ts";
import {
  fingerprint,
  titleEvent,
  type ReportedEvent,
  type ReportingUser,
} from "#features/telemetry/rules-event.ts";
import { removeReports } from "#features/telemetry/store.ts";
import { AppError, badRequest, forbidden } from "#platform/errors.ts";
import { ThreadsBusy } from "#platform/threads/errors.ts";
import { readForeign } from "#platform/threads/read-foreign.ts";
import { DAY_MS } from "#platform/time.ts";

/** All reports together wait in one line, so that a flood of them takes no thread from a company's files. */
const READER = {
  module: new URL("./read-reports.ts", import.meta.url),
  read: readReports,
  owner: "reports",
  bounds: REPORT_THREAD,
};

/**
 * Keeps the error events of an envelope that a page sent. What else an SDK sends, such as sessions and
 * attachments, is accepted and dropped.
 * @param user of the page's session, whatever the events say; null for guests
 * @returns the id of the last event, null if there was none
 * @throws AppError 400 for anything but an envelope, 403 for one of another project, 503 while too many are waiting
 */
export async function receiveReport(
  ctx: TelemetryCtx,
  bytes: Buffer,
  user: ReportingUser | null,
): Promise<string | null> {
  const reports = await readForeign(bytes, READER).catch((error: unknown) => {
    throw error instanceof ThreadsBusy ? telemetryBusy(error) : error;
  });
  if (!reports) throw badRequest("invalid_envelope", "The report couldn't be read.");
  if (reports.dsn !== ctx.dsn.text)
    throw forbidden("other_project", "Reports of other projects aren't accepted here.");
  const events = reports.events.map((event) => (user ? { ...event, user } : event));
  await Promise.all(events.map((event) => keepEvent(ctx, "browser", event)));
  return events.at(-1)?.event_id ?? null;
}

export const telemetryBusy = (cause: Error) =>
  new AppError({
    status: 503,
    code: "busy",
    detail: "Many reports and recordings are being read at the moment. Try again in a minute.",
    retryAfterSeconds: 60,
    cause,
  });

/** Sends an event to the operator's own server for them, else stores it. */
export async function keepEvent(
  ctx: TelemetryCtx,
  source: "browser" | "server",
  event: ReportedEvent,
): Promise<void> {
  if (ctx.forward) return forwardEvent(ctx, event);
  await ctx.keepReport({
    source,
    fingerprint: fingerprint(event),
    title: titleEvent(event),
    place: event.transaction ?? "unknown",
    release: event.release ?? ctx.release,
    requestId: event.tags?.request_id ?? null,
    receivedAt: ctx.clock.now(),
    event,
  });
}

/** @throws whatever the call throws; AppError 400 if the server refuses the event */
async function forwardEvent({ forward, dsn, clock, log }: TelemetryCtx, event: ReportedEvent): Promise<void> {
  const answer = await forward?.(dsn.envelopeUrl, {
    method: "POST",
    headers: {
      "content-type": "application/x-sentry-envelope",
      "x-sentry-auth": `Sentry sentry_version=7, sentry_client=dockside/1, sentry_key=${dsn.publicKey}`,
    },
    body: serializeEnvelope(dsn.text, event, clock.now()),
    timeoutMs: FORWARD_MS,
  });
  await answer?.arrayBuffer();
  if (answer && !answer.ok) log.warn({ status: answer.status }, "An error report was refused by its server");
}

/** Removes reports that are older than their retention or too many. */
export async function removeOldReports({ db, clock, log }: TelemetryCtx): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MS);
  const removed = await removeReports(db, { of: "all", before, limits: MAX_REPORTS });
  if (removed > 0) log.info({ removed }, "Old error reports were removed");
}
