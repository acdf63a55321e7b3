import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#platform/clock.ts";
import { untilIdle } from "./in-flight.ts";

/** How a test lets time pass. */
export type Stepping = Pick<SteppedClock, "settle" | "during" | "stand">;

/** A stopped clock. Only its test moves it. */
export type SteppedClock = Clock & {
  isStepped: true;
  /** Moves at once, as for a process that slept meanwhile: all that is due then is late. */
  advance(ms: number): void;
  /**
   * Runs all that is due, step by step: waits until nothing happens by itself any more, moves to the next time at which
   * something sleeps, and so on for `ms` milliseconds.
   */
  settle(ms?: number): Promise<void>;
  /**
   * Moves from sleeper to sleeper until the promise is settled: for a call whose answer takes time. Takes a millisecond
   * at least.
   */
  during<Value>(work: Promise<Value>): Promise<Value>;
  /** Keeps calls from moving the clock until the returned function is called. */
  stand(): () => void;
  /** Ends all that keeps calls from moving it. */
  goOn(): void;
};

/** For a product in a process of its own, by the machine's time. */
export const MACHINE_TIME: Stepping = {
  settle: (ms = 100) => wait(Math.min(ms, 100)),
  during: (work) => work,
  stand: () => () => undefined,
};

/** Ahead of the database's clock, so that what a test dates by that one is past. */
const AHEAD_MS = 120_000;

/** The shortest waits of the product: polls, pauses between calls. */
const SETTLE_MS = 5_000;

export function steppedClock(startMs = Date.now() + AHEAD_MS): SteppedClock {
  let nowMs = startMs;
  let holds = 0;
  const sleepers = new Set<{ atMs: number; work: () => void }>();
  const after = (ms: number, work: () => void) => {
    const sleeper = { atMs: nowMs + Math.max(0, ms), work };
    sleepers.add(sleeper);
    return () => void sleepers.delete(sleeper);
  };
  const nextMs = () => {
    let earliest = Infinity;
    for (const { atMs } of sleepers) earliest = Math.min(earliest, atMs);
    return earliest;
  };
  /** Moves to a time, and wakes those that slept until then. */
  const moveTo = (ms: number) => {
    nowMs = Math.max(nowMs, ms);
    const due = [...sleepers].filter(({ atMs }) => atMs <= nowMs);
    for (const sleeper of due.toSorted((a, b) => a.atMs - b.atMs))
      if (sleepers.delete(sleeper)) sleeper.work();
  };
  const steps = { last: Promise.resolve() };
  /** One caller at a time moves the clock. */
  const alone = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const before = steps.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    steps.last = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  };
  const settle = (ms = SETTLE_MS) =>
    alone(async () => {
      const untilMs = nowMs + ms;
      for (await untilIdle(); nextMs() <= untilMs; await untilIdle()) moveTo(nextMs());
      moveTo(untilMs);
      await untilIdle();
    });
  const during = async <Value>(work: Promise<Value>): Promise<Value> => {
    // Else all that a test does would happen at one moment.
    moveTo(nowMs + 1);
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    const step = async () => {
      if (isOver) return;
      await untilIdle();
      if (!isOver && holds === 0 && nextMs() < Infinity) moveTo(nextMs());
    };
    // An answer is there before all else is idle.
    while (!isOver) await Promise.race([work, alone(step)]).catch(() => undefined);
    return work;
  };
  return {
    isStepped: true,
    now: () => new Date(nowMs),
    steadyMs: () => nowMs - startMs,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          cancel();
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const cancel = after(ms, end);
        signal?.addEventListener("abort", end, { once: true });
        return undefined;
      }),
    advance: (ms) => moveTo(nowMs + ms),
    settle,
    during,
    goOn: () => {
      holds = 0;
    },
    stand: () => {
      holds += 1;
      let isOver = false;
      return () => {
        if (!isOver) holds = Math.max(0, holds - 1);
        isOver = true;
      };
    },
  };
}
