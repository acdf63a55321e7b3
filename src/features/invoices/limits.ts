const DAY_MS = 24 * 3_600_000;

/** A check that was neither posted nor dropped is kept this long: its file is a company's business. */
export const CHECK_KEPT_MS = 30 * DAY_MS;
/** A file without an upload is one of a failed request, unless the request is still under way. */
export const ORPHAN_AFTER_MS = DAY_MS;
/** Stored files that are looked at in one query. */
export const FILES_AT_ONCE = 500;
