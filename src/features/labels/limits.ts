/** Labels of one upload: a printer needs half a day for as many. */
export const MAX_LABELS = 50_000;

/** Lines of problems in one refusal; the review has all of them. */
export const MAX_LINES = 20;

/** Errors that the review lists, each with a field to correct it; as many as are corrected at once. */
export const MAX_LISTED_ERRORS = 1_000;

/** Sheets of which labels are made at once in a process; of one company it is one in all processes. */
export const LABEL_SLOTS = 4;

/** Requests for labels of one company that may be open: more than a minute's uploads of one session. */
export const MAX_OPEN_REQUESTS = 65;

/** Failures in a row on our side, and processes that died of it, after which a request is given up. */
export const MAX_TRIES = 3;

/** Labels that one statement stores, or reads while a document is written: what is kept of them in memory. */
export const LABELS_AT_ONCE = 1_000;

/** Labels that are read before a document begins: about what is sent of it at once. */
export const FIRST_LABELS = 100;

/** After this long a caller is answered that labels are being made: proxies wait a minute for an answer. */
export const ANSWER_MS = 55_000;

/** How often whoever waits for labels looks what became of them, in case that a hint was lost. */
export const LOOK_EVERY_MS = 1_000;

/** How long it is known what became of a request. */
export const KEEP_ENDED_MS = 24 * 3_600_000;

/** Share of a prefix's numbers from which on its company is warned. */
export const WARN_SHARE = 0.8;

/** Earlier uploads that the page lists. */
export const LISTED_UPLOADS = 20;

/** Label profiles of one company: a retailer has one or two. */
export const MAX_PROFILES = 50;
