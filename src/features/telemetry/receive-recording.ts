import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { CheckedRecording } from "#features/telemetry/check-recording.ts";
import {
  MAX_RECORDINGS,
  MAX_RECORDINGS_PER_USER,
  RECORDING_DAYS,
  RECORDING_THREAD,
  UNPACKED_BYTES,
} from "#features/telemetry/limits.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import type { ReportingUser } from "#features/telemetry/rules-event.ts";
import { telemetryBusy } from "#features/telemetry/receive-report.ts";
import { addRecording, removeRecordings } from "#features/telemetry/store-recordings.ts";
import { badRequest } from "#platform/errors.ts";
import { ThreadOverLimit, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";
import { DAY_MS } from "#platform/time.ts";

const CHECK = new URL("./check-recording.ts", import.meta.url);
/** All recordings together wait in one line, so that a flood of them takes no thread from a company's files. */
const OWNER = "recordings";

const unpack = promisify(gunzip);

/**
 * Keeps what a page did before an error that it reported. The page has already left out what it says; secrets
 * in what is left, such as addresses, are replaced here once more.
 * @param bytes JSON, compressed with gzip
 * @param user of the page's session, whatever the recording says; null for guests
 * @throws AppError 400 for anything else, or for more than a page's window of events; 503 while too many are waiting
 */
export async function receiveRecording(
  { db, clock }: TelemetryCtx,
  bytes: Buffer,
  user: ReportingUser | null,
): Promise<void> {
  const { id, page, release, ...checked } = await checkRecording(bytes);
  const at = (ms: number) => new Date(Math.max(0, Math.min(ms, clock.now().getTime())));
  const recording = {
    id,
    page: page.replace(/[?#].*$/s, ""),
    release,
    userEmail: user?.email ?? null,
    receivedAt: clock.now(),
    startedAt: at(checked.startedMs),
    endedAt: at(checked.endedMs),
    eventCount: checked.eventCount,
    events: Buffer.from(checked.events),
  };
  await addRecording(db, recording, MAX_RECORDINGS_PER_USER);
}

async function checkRecording(bytes: Buffer): Promise<CheckedRecording> {
  const task = { bytes, input: null, owner: OWNER };
  try {
    const checked = await runInThread<CheckedRecording | null>(CHECK, task, RECORDING_THREAD);
    if (checked) return checked;
  } catch (error) {
    if (error instanceof ThreadsBusy) throw telemetryBusy(error);
    if (!(error instanceof ThreadOverLimit)) throw error;
  }
  throw badRequest("invalid_recording", "The recording couldn't be read.");
}

/** Unpacks the events of a stored recording. */
export async function unpackEvents(
  events: Buffer,
): Promise<{ type: number; timestamp: number; data: unknown }[]> {
  const text = await unpack(events, { maxOutputLength: UNPACKED_BYTES });
  return JSON.parse(text.toString("utf8")) as { type: number; timestamp: number; data: unknown }[];
}

/** Removes recordings that are older than their retention or too many. */
export async function removeOldRecordings({ db, clock, log }: TelemetryCtx): Promise<void> {
  const before = new Date(clock.now().getTime() - RECORDING_DAYS * DAY_MS);
  const removed = await removeRecordings(db, { of: "all", before, limits: MAX_RECORDINGS });
  if (removed > 0) log.info({ removed }, "Old recordings were removed");
}
