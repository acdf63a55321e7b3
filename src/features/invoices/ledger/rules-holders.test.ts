import { expect, test } from "vitest";
import { mayHaveHolders } from "#features/invoices/ledger/rules-holders.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 2, hour));
const openedAt = at(9);
const clock = { now: () => at(12), sleep: () => Promise.resolve() };

test.each([
  { what: "added while this process had the ledger open", needsReconcile: "first", hour: 10, may: false },
  { what: "added before, maybe in a restored ledger", needsReconcile: "first", hour: 8, may: true },
  { what: "added later than now: a clock was set", needsReconcile: "first", hour: 13, may: true },
  { what: "that another process had", needsReconcile: "taken_over", hour: 10, may: true },
  { what: "that was searched for", needsReconcile: null, hour: 8, may: false },
] as const)("a run $what may have had other holders: $may", ({ needsReconcile, hour, may }) => {
  expect(mayHaveHolders({ openedAt, clock }, { needsReconcile, requestedAt: at(hour) })).toBe(may);
});
