import { setTimeout as wait } from "node:timers/promises";

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 1_000;

/**
 * Waits of somebody who looks until something has happened: each is a fifth of all that has passed, so that looking takes
 * little work from what is waited for and still sees its end soon.
 */
export function growingWaits(): () => Promise<void> {
  const startedAt = performance.now();
  return () => wait(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, (performance.now() - startedAt) / 5)));
}
