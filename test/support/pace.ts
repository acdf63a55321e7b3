import { setTimeout as wait } from "node:timers/promises";

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 1_000;

/**
 * Growing waits between two polls: each is a fifth of all the time that has passed, so that polling takes
 * little work from what is waited for and still sees its end soon.
 */
export function growingWaits(): () => Promise<void> {
  const startedAt = performance.now();
  return () => wait(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, (performance.now() - startedAt) / 5)));
}
