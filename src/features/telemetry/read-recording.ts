import { unpackEvents } from "#features/telemetry/receive-recording.ts";
import { findEvents, findRecording, type FoundRecording } from "#features/telemetry/store-recordings.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";

/** Reads a recording with its events. @throws AppError 404 when it is not there, or no longer */
export async function readRecording(
  ctx: Ctx,
  id: string,
): Promise<{ recording: FoundRecording; events: readonly object[] }> {
  const events = await readRecordedEvents(ctx, id);
  const recording = await findRecording(ctx.db, id);
  if (!recording) throw notThere();
  return { recording, events };
}

/** Reads the events of a recording. @throws AppError 404 when it is not there, or no longer */
export async function readRecordedEvents({ db }: Ctx, id: string) {
  const events = await findEvents(db, id);
  if (!events) throw notThere();
  return unpackEvents(events);
}

const notThere = () => notFound("This recording isn't there. Recordings are removed after 14 days.");
