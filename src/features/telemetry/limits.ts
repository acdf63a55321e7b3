import type { JsonBounds } from "#platform/json-bounds.ts";
import type { ThreadBounds } from "#platform/threads/run-in-thread.ts";

/** Size limit of one envelope. An SDK's event has a few kilobytes. */
export const ENVELOPE_BYTES = 1024 * 1024;

/** Items of one envelope; an SDK sends a few. */
export const ENVELOPE_ITEMS = 100;

/** Bounds of the JSON of one event: an SDK's has a depth of ten and a few hundred fields. */
export const EVENT_BOUNDS: JsonBounds = { depth: 50, values: 50_000, names: 20_000 };

/** Maximum events of one envelope that are kept; SDKs send one. */
export const MAX_EVENTS_PER_ENVELOPE = 10;

/** New causes that one mail to operators names; Admin has all of them. */
export const MAILED_CAUSES = 20;

/** Reports of the server's own failures that one process records a minute; the log has all of them. */
export const FAILURES_A_MINUTE = 60;

/** How long reports are kept: long enough for a fix and a look whether it helped. */
export const RETENTION_DAYS = 30;

/** Size of a store: the newest are kept. */
export type StoreLimits = { count: number; bytes: number };

const MB = 1024 * 1024;

/** All reports together. */
export const MAX_REPORTS: StoreLimits = { count: 100_000, bytes: 500 * MB };

/** Reports of one user, and of all guests together, so that none of them pushes out what others reported. */
export const MAX_REPORTS_PER_USER: StoreLimits = { count: 1_000, bytes: 10 * MB };

/** Share by which a store has to grow before it is measured again. */
export const MEASURE_SHARE = 0.1;

/** Bounds of the thread that reads a large envelope. */
export const REPORT_THREAD: ThreadBounds = { cpuMs: 5_000, timeoutMs: 60_000, memoryMb: 256 };

/** Time limit of a call of the configured server for error reports. */
export const FORWARD_MS = 10_000;

/** Size limit of one recording, compressed. A full window of events has some 20 kB. */
export const RECORDING_BYTES = 2 * 1024 * 1024;

/** Size limit of what LogRocket's script sends at a time. */
export const LOGROCKET_BYTES = 2 * 1024 * 1024;

/** Size limit of the events of one recording in JSON. */
export const UNPACKED_BYTES = 8 * 1024 * 1024;

/** Bounds of that JSON: an element of a page is two levels and a dozen members, a large page has 5,000 elements. */
export const RECORDING_BOUNDS: JsonBounds = { depth: 500, values: 400_000, names: 300_000 };

/** Bounds of the thread that reads one. */
export const RECORDING_THREAD: ThreadBounds = { cpuMs: 5_000, timeoutMs: 60_000, memoryMb: 256 };

/** Events of one recording: the window of a page. */
export const RECORDED_EVENTS = 1_000;

export const RECORDING_DAYS = 14;

/** All recordings together, compressed. */
export const MAX_RECORDINGS: StoreLimits = { count: 5_000, bytes: 1024 * MB };

/** Recordings of one user, and of all guests together. */
export const MAX_RECORDINGS_PER_USER: StoreLimits = { count: 100, bytes: 20 * MB };
