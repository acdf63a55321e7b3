import type { Recording } from "#features/telemetry/contract.ts";
import { unpackEvents } from "#features/telemetry/receive-recording.ts";
import { findEvents, findRecordings } from "#features/telemetry/store-recordings.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";

const LISTED = 200;

/** Lists recordings, the latest first. */
export async function listRecordings({ db }: Ctx): Promise<Recording[]> {
  const found = await findRecordings(db, LISTED);
  return found.map(({ id, page, release, userEmail, startedAt, endedAt, eventCount, title }) => ({
    id,
    page,
    release,
    user: userEmail,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    events: eventCount,
    error: title,
  }));
}

/** Reads the events of a recording. @throws AppError 404 when it is not there, or no longer */
export async function readRecordedEvents({ db }: Ctx, id: string) {
  const events = await findEvents(db, id);
  if (!events) throw notFound("This recording isn't there. Recordings are removed after 14 days.");
  return unpackEvents(events);
}
