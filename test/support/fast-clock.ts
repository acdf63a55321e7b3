import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#platform/clock.ts";

/** A clock that runs `speed` times as fast as the wall, so that waits of minutes are tested in seconds. */
export function fastClock(speed: number): Clock & { advance(ms: number): void } {
  const startedAt = Date.now();
  let aheadMs = 0;
  return {
    now: () => new Date(startedAt + (Date.now() - startedAt) * speed + aheadMs),
    advance: (ms) => {
      aheadMs += ms;
    },
    sleep: async (ms, signal) => {
      await wait(ms / speed, undefined, { signal: signal ?? new AbortController().signal }).catch(
        () => undefined,
      );
    },
  };
}
