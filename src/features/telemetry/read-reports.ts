import { parseEnvelope } from "#features/telemetry/envelope.ts";
import { MAX_EVENTS_PER_ENVELOPE } from "#features/telemetry/limits.ts";
import { scrubEvent, type ReportedEvent } from "#features/telemetry/rules-event.ts";

/** The kept parts of the events of an envelope, and the project that it names. */
export type Reports = { dsn: string | null; events: ReportedEvent[] };

/**
 * Reads an envelope. Runs in a thread if that is large.
 * @returns null for anything else
 */
export function run(bytes: Uint8Array): Reports | null {
  const envelope = parseEnvelope(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!envelope) return null;
  const events = envelope.events
    .slice(0, MAX_EVENTS_PER_ENVELOPE)
    .flatMap((event) => scrubEvent(event) ?? []);
  return { dsn: envelope.dsn, events };
}
