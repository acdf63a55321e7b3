import { DAY_MS } from "#platform/time.ts";

/** Maximum labels of one upload; printing that many takes half a day. */
export const MAX_LABELS = 50_000;

/** Problem lines in one refusal; the review lists all of them. */
export const MAX_PROBLEM_LINES = 20;

/** Errors that the review lists with an input each; a request can correct as many. */
export const MAX_LISTED_ERRORS = 1_000;

/**
 * Uploads processed concurrently in a process; those of one company run one at a time across all processes.
 */
export const LABEL_SLOTS = 4;

/** Maximum queued uploads of one company: more than one session can send in a minute. */
export const MAX_QUEUED = 65;

/** Consecutive failures on our side, or dead workers, after which an upload is refused. */
export const MAX_ATTEMPTS = 3;

/** Labels stored or read by one statement. */
export const LABELS_AT_ONCE = 1_000;

/** Maximum labels of a document written without a thread: about 20 ms, less than starting one. */
export const INLINE_LABELS = 100;

/** Documents of one company written at once; the threads themselves are shared fairly among companies. */
export const DOCUMENT_CONCURRENCY = { places: Infinity, placesPerOwner: 2, waitingPerOwner: 64 };

/** Cache of finished documents: room for about 25 with `MAX_LABELS` each. Reprints, if any, happen the same day. */
export const KEPT_DOCUMENTS = { maxBytes: 1_000_000_000, maxAgeMs: DAY_MS };

/** Maximum SSCCs that one thread writes as CSV: about 10 MB, so that its 50 ms start is worth it. */
export const MAX_SSCCS_PER_THREAD = 10_000;

/** Limits of a thread that writes a document with `MAX_LABELS` on a slow machine. */
export const DOCUMENT_THREAD_LIMITS = { cpuMs: 120_000, timeoutMs: 600_000, memoryMb: 512 };

/** Time after which refused uploads and finished runs are removed. */
export const KEEP_ENDED_MS = DAY_MS;

/** Share of a prefix's serials in use at which the company is warned. */
export const WARN_SHARE = 0.8;

/** Number of earlier uploads on the page. */
export const LISTED_UPLOADS = 20;
