import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { RECORDED_EVENTS, RECORDING_BOUNDS, UNPACKED_BYTES } from "#features/telemetry/limits.ts";
import { keepVisualAttributes } from "#contract/drawn-attributes.ts";
import { redactSecrets } from "#contract/secret-patterns.ts";
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
 * Unpacks and validates a recording, redacts secrets, and drops attributes that don't affect rendering. Runs in a thread: a few kilobytes
 * from an untrusted client may unpack to megabytes.
 * @returns null if the bytes are not a valid recording
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
    events: gzipSync(redactSecrets(JSON.stringify(events, dropAttributes))),
  };
}

/** Elements, and entries in a list of changed elements, keep their attributes under the key `attributes`. */
const dropAttributes = (name: string, value: unknown): unknown =>
  name === "attributes" && typeof value === "object" && value !== null && !Array.isArray(value)
    ? keepVisualAttributes(value)
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
