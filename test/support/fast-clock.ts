import { setImmediate as yieldTurn } from "node:timers/promises";
import { systemClock, type Clock } from "#platform/clock.ts";

export type TestClock = Clock & { advance(ms: number): void };

/**
 * A clock that skips the time spent sleeping, and counts how long that was (ms). Else it runs as the wall does, so
 * that it is never behind the simulators' clock, nor behind the database's.
 */
export const swiftClock = (): TestClock & { slept: number[] } => skippingClock(Date.now);

/**
 * As `swiftClock`, but it moves by nothing else: for tests that compare its times. However busy the machine is, no wait
 * ends before the test lets it.
 */
export function stillClock(): TestClock & { slept: number[] } {
  const startedAt = Date.now();
  return skippingClock(() => startedAt);
}

function skippingClock(runs: () => number): TestClock & { slept: number[] } {
  let aheadMs = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(runs() + aheadMs),
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
