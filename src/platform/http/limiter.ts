import type { Clock } from "#platform/clock.ts";

/** Callers remembered at most; beyond them the ones silent longest are forgotten. */
const MAX_KEYS = 10_000;

/** Counts one call of a caller. @returns null if it is allowed, else the ms until the next one is */
export type Limiter = (key: string) => number | null;

/**
 * Makes a limit of calls within a time that begins with a caller's first one. Each process counts for itself. A caller over
 * the limit is remembered apart, so that many others can't make it forgotten.
 */
export function createLimiter(
  clock: Pick<Clock, "now">,
  { max, withinMs }: { max: number; withinMs: number },
): Limiter {
  const within = new Map<string, Count>();
  const over = new Map<string, Count>();
  return (key) => {
    const now = clock.now().getTime();
    const known = over.get(key) ?? within.get(key);
    // A clock that was set back begins a new time too, instead of one that ends days later.
    const isOpen = known !== undefined && now >= known.since && now < known.since + withinMs;
    const { since, count } = isOpen ? known : { since: now, count: 0 };
    within.delete(key);
    over.delete(key);
    remember(count < max ? within : over, key, { since, count: count + 1 });
    return count < max ? null : since + withinMs - now;
  };
}

type Count = { since: number; count: number };

/** Added at the end, so that a map stays in the order of the last call. */
function remember(callers: Map<string, Count>, key: string, count: Count): void {
  callers.set(key, count);
  const [first] = callers.keys();
  if (callers.size > MAX_KEYS && first !== undefined) callers.delete(first);
}
