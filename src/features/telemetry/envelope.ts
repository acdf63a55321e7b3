import { ENVELOPE_ITEMS, EVENT_BOUNDS } from "#features/telemetry/limits.ts";
import { isWithinBounds } from "#platform/json-bounds.ts";

const NEWLINE = 0x0a;

export type Envelope = {
  /** Address of the project that the sender names; null if it names none. */
  dsn: string | null;
  /** Contents of the items of type `event`; others are skipped. */
  events: readonly unknown[];
};

/**
 * Reads an envelope: a line of JSON, then items, each a line of JSON with an optional length and its content.
 * @returns null if the bytes aren't an envelope, or have more or deeper contents than an SDK sends
 * @see https://develop.sentry.dev/sdk/data-model/envelopes/
 */
export function parseEnvelope(bytes: Buffer): Envelope | null {
  const lines = createReader(bytes);
  const header = parseObject(lines.line());
  if (!header) return null;
  const events: unknown[] = [];
  for (let items = 0; !lines.isAtEnd();) {
    const line = lines.line();
    if (line.length === 0) continue;
    items += 1;
    if (items > ENVELOPE_ITEMS) return null;
    const item = parseObject(line);
    if (!item) return null;
    const content = typeof item["length"] === "number" ? lines.take(item["length"]) : lines.line();
    if (content === null) return null;
    if (item["type"] !== "event") continue;
    const event = parseObject(content);
    if (!event) return null;
    events.push(event);
  }
  return { dsn: typeof header["dsn"] === "string" ? header["dsn"] : null, events };
}

/** Serializes an envelope with one event. */
export function serializeEnvelope(dsn: string, event: { event_id: string }, sentAt: Date): string {
  const header = { event_id: event.event_id, sent_at: sentAt.toISOString(), dsn };
  return [header, { type: "event" }, event].map((part) => `${JSON.stringify(part)}\n`).join("");
}

function createReader(bytes: Buffer) {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    line: (): Buffer => {
      const found = bytes.indexOf(NEWLINE, at);
      const end = found < 0 ? bytes.length : found;
      const line = bytes.subarray(at, end);
      at = end + 1;
      return line;
    },
    take: (length: number): Buffer | null => {
      if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.length) return null;
      const content = bytes.subarray(at, at + length);
      at += length;
      if (bytes[at] === NEWLINE) at += 1;
      return content;
    },
  };
}

function parseObject(text: Buffer): Record<string, unknown> | null {
  if (!isWithinBounds(text, EVENT_BOUNDS)) return null;
  try {
    const value: unknown = JSON.parse(text.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
