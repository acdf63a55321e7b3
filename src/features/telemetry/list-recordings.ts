import type { Recording } from "#features/telemetry/contract.ts";
import { unpackEvents } from "#features/telemetry/receive-recording.ts";
import { findEvents, findRecordings, type FoundRecording } from "#features/telemetry/store-recordings.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";

const LISTED = 200;

/** Lists recordings, the latest first. */
export async function listRecordings({ db }: Ctx): Promise<Recording[]> {
  return (await findRecordings(db, { limit: LISTED })).map(toRecording);
}

/** Reads a recording with its events. @throws AppError 404 when it is not there, or no longer */
export async function readRecording(ctx: Ctx, id: string) {
  const events = await readRecordedEvents(ctx, id);
  const [found] = await findRecordings(ctx.db, { limit: 1, id });
  if (!found) throw notThere();
  return { recording: toRecording(found), events };
}

const toRecording = (found: FoundRecording): Recording => ({
  id: found.id,
  page: found.page,
  release: found.release,
  user: found.userEmail,
  started_at: found.startedAt.toISOString(),
  ended_at: found.endedAt.toISOString(),
  events: found.eventCount,
  error: found.title,
});

/** Reads the events of a recording. @throws AppError 404 when it is not there, or no longer */
export async function readRecordedEvents({ db }: Ctx, id: string) {
  const events = await findEvents(db, id);
  if (!events) throw notThere();
  return unpackEvents(events);
}

const notThere = () => notFound("This recording isn't there. Recordings are removed after 14 days.");
