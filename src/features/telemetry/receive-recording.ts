import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as z from "zod";
import {
  MAX_RECORDINGS,
  RECORDED_EVENTS,
  RECORDING_DAYS,
  UNPACKED_BYTES,
} from "#features/telemetry/limits.ts";
import type { TelemetryCtx } from "#features/telemetry/ctx.ts";
import { addRecording, removeRecordings } from "#features/telemetry/store-recordings.ts";
import { badRequest } from "#platform/errors.ts";
import { hideSecretTexts } from "#contract/secret-texts.ts";

const unpack = promisify(gunzip);
const pack = promisify(gzip);

const recording = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  user: z.object({ email: z.string().max(200) }).nullable(),
  page: z.string().max(300).regex(/^\//),
  release: z.string().max(100),
  events: z
    .array(z.object({ type: z.int(), timestamp: z.number(), data: z.unknown() }))
    .min(1)
    .max(RECORDED_EVENTS),
});

/**
 * Keeps what a page did before an error that it reported. The page has already left out what it says; secrets
 * in what is left, such as addresses, are replaced here once more.
 * @param bytes JSON, compressed with gzip
 * @throws AppError 400 for anything else, or for more than a page's window of events
 */
export async function receiveRecording({ db, clock }: TelemetryCtx, bytes: Buffer): Promise<void> {
  const { id, user, page, release, events } = await readRecording(bytes);
  const times = events.map(({ timestamp }) => timestamp);
  const at = (ms: number) => new Date(Math.max(0, Math.min(ms, clock.now().getTime())));
  await addRecording(db, {
    id,
    page: page.replace(/[?#].*$/s, ""),
    release,
    userEmail: user?.email ?? null,
    receivedAt: clock.now(),
    startedAt: at(Math.min(...times)),
    endedAt: at(Math.max(...times)),
    eventCount: events.length,
    events: await pack(hideSecretTexts(JSON.stringify(events))),
  });
}

async function readRecording(bytes: Buffer): Promise<z.output<typeof recording>> {
  try {
    const text = await unpack(bytes, { maxOutputLength: UNPACKED_BYTES });
    return recording.parse(JSON.parse(text.toString("utf8")));
  } catch {
    throw badRequest("invalid_recording", "The recording couldn't be read.");
  }
}

/** Unpacks the events of a stored recording. */
export async function unpackEvents(
  events: Buffer,
): Promise<{ type: number; timestamp: number; data: unknown }[]> {
  const text = await unpack(events, { maxOutputLength: UNPACKED_BYTES });
  return JSON.parse(text.toString("utf8")) as { type: number; timestamp: number; data: unknown }[];
}

const DAY_MS = 24 * 3_600_000;

/** Removes recordings that are older than their retention or too many. */
export async function removeOldRecordings({ db, clock, log }: TelemetryCtx): Promise<void> {
  const before = new Date(clock.now().getTime() - RECORDING_DAYS * DAY_MS);
  const removed = await removeRecordings(db, { before, keep: MAX_RECORDINGS });
  if (removed > 0) log.info({ removed }, "Old recordings were removed");
}
