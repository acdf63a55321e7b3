import { DAY_MS } from "#platform/time.ts";

/** Time that a check is kept if neither posted nor dropped: its file is confidential. */
export const CHECK_KEPT_MS = 30 * DAY_MS;
/** Age from which a file without an upload belongs to a failed request and not to one in progress. */
export const ORPHAN_AFTER_MS = DAY_MS;
/** Stored files examined per query. */
export const FILES_AT_ONCE = 500;
