import { expect, test } from "vitest";
import { findThreadFaults, sumThreads } from "../corpus/check-thread.ts";
import { battery, printCounts } from "./support/battery.ts";

const run = battery({ short: 10_000, long: 50_000 });

test(
  `TD-22 by the rules alone, in memory: of ${run.times} random orders the same pieces and cents are ordered, packed, announced, billed and sent as 810, in all`,
  { timeout: run.timeout },
  () => {
    const found = Array.from({ length: run.times }, (_, at) => findThreadFaults(run.seed * 1_000 + at));
    expect(found.flatMap(({ faults }) => faults)).toEqual([]);
    const counts = sumThreads(found);
    printCounts(run, "threads", { orders: run.times, ...counts });
    expect(counts.sent).toBeGreaterThan(0);
    expect(counts.waiting).toBeGreaterThan(0);
  },
);
