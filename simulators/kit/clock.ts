import type { DatabaseSync } from "node:sqlite";
import { readSetting, writeSetting } from "./sqlite.ts";

/** Simulated clock: a given time, the machine's or a test's, plus an offset that survives a restart. */
export type SimulatedClock = { now(): Date; set(now: Date): void; advance(ms: number): void; reset(): void };

export function simulatedClock(db: DatabaseSync, time: () => number): SimulatedClock {
  let offset = readSetting<number>(db, "clock_offset_ms") ?? 0;
  const move = (next: number) => {
    offset = next;
    writeSetting(db, "clock_offset_ms", offset);
  };
  return {
    now: () => new Date(time() + offset),
    set: (now) => move(now.getTime() - time()),
    advance: (ms) => move(offset + ms),
    reset: () => move(0),
  };
}
