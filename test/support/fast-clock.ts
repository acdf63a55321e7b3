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

/** A clock that only its test moves: a sleep by it ends when it has been advanced far enough. */
export function heldClock(): TestClock {
  let nowMs = Date.now();
  const sleepers = new Set<{ untilMs: number; wake: () => void }>();
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
      for (const { untilMs, wake } of sleepers) if (untilMs <= nowMs) wake();
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = {
          untilMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
        return undefined;
      }),
  };
}

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
    sleep: async (ms, signal) => {
      if (signal?.aborted) return;
      aheadMs += ms;
      slept.push(ms);
      // A caller that polls must let others run.
      await yieldTurn();
    },
  };
}
