/** Labels of one upload; a printer needs half a day for as many. */
export const MAX_LABELS = 50_000;

/** Problem lines in one refusal; the review lists all of them. */
export const MAX_LINES = 20;

/** Errors that the review lists with a field to correct each; a request may correct as many. */
export const MAX_LISTED_ERRORS = 1_000;

/** Uploads made at once in a process; those of one company are made one at a time in all processes. */
export const LABEL_SLOTS = 4;

/** Queued uploads of one company: more than one session can send in a minute. */
export const MAX_QUEUED = 65;

/** Failures in a row on our side, or dead workers, after which an upload is refused. */
export const MAX_TRIES = 3;

/** Labels that one statement stores or reads. */
export const LABELS_AT_ONCE = 1_000;

/** Labels of a document that is written without a thread: about 20 ms, less than starting one. */
export const INLINE_LABELS = 100;

/** Documents written at once: one of each company, so that a large one delays no other company. */
export const DOCUMENT_TURNS = { places: 2, placesPerOwner: 1, waitingPerOwner: 64 };

/** Bounds of a thread that writes a document of `MAX_LABELS` on a slow machine. */
export const DOCUMENT_BOUNDS = { cpuMs: 120_000, timeoutMs: 600_000, memoryMb: 512 };

/** A caller waits this long for labels; proxies wait a minute, and the document must be written too. */
export const ANSWER_MS = 45_000;

/** Interval at which a waiting caller reads the state, in case a change notice was lost. */
export const LOOK_EVERY_MS = 1_000;

/** Refused uploads and finished runs are removed after this time. */
export const KEEP_ENDED_MS = 24 * 3_600_000;

/** Share of used serials of a prefix from which on the company is warned. */
export const WARN_SHARE = 0.8;

/** Earlier uploads that the page lists. */
export const LISTED_UPLOADS = 20;
