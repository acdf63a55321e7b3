import { setImmediate as yieldTurn, setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#platform/clock.ts";

export type TestClock = Clock & { advance(ms: number): void };

/** A clock that runs `speed` times as fast as the wall, so that waits of minutes are tested in seconds. */
export function fastClock(speed: number): TestClock {
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

/**
 * A clock that moves only by what is slept or advanced, and counts how long was slept (ms). However busy the machine is,
 * nothing grows old and no wait ends before the test lets it.
 */
export function swiftClock(): TestClock & { slept: number[] } {
  let nowMs = Date.now();
  const slept: number[] = [];
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return {
    slept,
    now: () => new Date(nowMs),
    advance,
    sleep: async (ms, signal) => {
      if (signal?.aborted) return;
      advance(ms);
      slept.push(ms);
      // A caller that polls must let others run.
      await yieldTurn();
    },
  };
}
