import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { RECORDED_EVENTS, RECORDING_BOUNDS, UNPACKED_BYTES } from "#features/telemetry/limits.ts";
import { keepDrawn } from "#contract/drawn-attributes.ts";
import { hideSecretTexts } from "#contract/secret-texts.ts";
import { isWithinBounds } from "#platform/json-bounds.ts";

const recording = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  page: z.string().max(300).regex(/^\//),
  release: z.string().max(100),
  events: z
    .array(z.object({ type: z.int(), timestamp: z.number(), data: z.unknown() }))
    .min(1)
    .max(RECORDED_EVENTS),
});

export type CheckedRecording = Omit<z.output<typeof recording>, "events"> & {
  startedMs: number;
  endedMs: number;
  eventCount: number;
  /** JSON without secrets and addresses, compressed with gzip. */
  events: Uint8Array;
};

/**
 * Unpacks and checks a recording, replaces secrets, and drops attributes that draw nothing. Runs in a thread: the few kilobytes of a foreign recording may be
 * megabytes once they are unpacked.
 * @returns null for anything but a recording
 */
export function run(bytes: Uint8Array): CheckedRecording | null {
  const text = unpack(bytes);
  if (!text || !isWithinBounds(text, RECORDING_BOUNDS)) return null;
  const read = recording.safeParse(parse(text)).data;
  if (!read) return null;
  const { events, ...others } = read;
  const times = events.map(({ timestamp }) => timestamp);
  return {
    ...others,
    startedMs: Math.min(...times),
    endedMs: Math.max(...times),
    eventCount: events.length,
    events: gzipSync(hideSecretTexts(JSON.stringify(events, dropAttributes))),
  };
}

/** An element has its attributes under this name, and so has each entry of a list of changed elements. */
const dropAttributes = (name: string, value: unknown): unknown =>
  name === "attributes" && typeof value === "object" && value !== null && !Array.isArray(value)
    ? keepDrawn(value)
    : value;

function unpack(bytes: Uint8Array): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES });
  } catch {
    return null;
  }
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return null;
  }
}
