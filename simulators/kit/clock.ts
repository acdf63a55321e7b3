import type { DatabaseSync } from "node:sqlite";
import type { Timer } from "./timer.ts";
import { readSetting, writeSetting } from "./sqlite.ts";

/** Simulated clock: time of a timer plus an offset that survives a restart. */
export type SimulatedClock = {
  timer: Timer;
  now(): Date;
  set(now: Date): void;
  advance(ms: number): void;
  reset(): void;
};

export function simulatedClock(db: DatabaseSync, timer: Timer): SimulatedClock {
  let offset = readSetting<number>(db, "clock_offset_ms") ?? 0;
  const move = (next: number) => {
    offset = next;
    writeSetting(db, "clock_offset_ms", offset);
  };
  const time = () => timer.now().getTime();
  return {
    timer,
    now: () => new Date(time() + offset),
    set: (now) => move(now.getTime() - time()),
    advance: (ms) => move(offset + ms),
    reset: () => move(0),
  };
}
