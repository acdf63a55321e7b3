import type { Clock } from "#platform/clock.ts";

/** Callers remembered at most; beyond them the ones silent longest are forgotten. */
const MAX_KEYS = 10_000;

/** Counts one call of a caller. @returns null if it is allowed, else the ms until the next one is */
export type Limiter = (key: string) => number | null;

/** Makes a limit of calls within a time that begins with a caller's first one. Each process counts for itself. */
export function createLimiter(
  clock: Pick<Clock, "now">,
  { max, withinMs }: { max: number; withinMs: number },
): Limiter {
  const callers = new Map<string, { since: number; count: number }>();
  return (key) => {
    const now = clock.now().getTime();
    const known = callers.get(key);
    // A clock that was set back begins a new time too, instead of one that ends days later.
    const isOpen = known !== undefined && now >= known.since && now < known.since + withinMs;
    const { since, count } = isOpen ? known : { since: now, count: 0 };
    // Removed and added again, so that the map stays in the order of the last call.
    callers.delete(key);
    callers.set(key, { since, count: count + 1 });
    const [first] = callers.keys();
    if (callers.size > MAX_KEYS && first !== undefined) callers.delete(first);
    return count < max ? null : since + withinMs - now;
  };
}
