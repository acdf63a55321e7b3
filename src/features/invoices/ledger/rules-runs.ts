import type { Cause } from "#platform/runs/types.ts";

/** Causes that end once a company is connected again, or QuickBooks answers. */
export const OUTAGES = ["reconnect", "no_answer"];

/** Causes for which a run waits for others, however long that lasts; all else goes on by itself soon. */
export const PAUSES: readonly string[] = [...OUTAGES, "behind_undo"];

/** How a waiting run is shown. */
export const waitingState = (cause: Cause | null) =>
  cause && PAUSES.includes(cause.code) ? "paused" : "queued";
