import { setImmediate as yieldTurn } from "node:timers/promises";
import { systemClock, type Clock } from "#platform/clock.ts";

export type TestClock = Clock & { advance(ms: number): void };

/**
 * A clock that skips the time spent sleeping, counts how long that was (ms), and moves by nothing else: for tests of one
 * function, without the product around it.
 */
export function stillClock(): TestClock & { slept: number[] } {
  const startedAt = Date.now();
  let aheadMs = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(startedAt + aheadMs),
    advance: (ms) => {
      aheadMs += ms;
    },
    steadyMs: () => aheadMs,
    after: systemClock.after,
    sleep: async (ms, signal) => {
      if (signal?.aborted) return;
      aheadMs += ms;
      slept.push(ms);
      // A caller that polls must let others run.
      await yieldTurn();
    },
  };
}
