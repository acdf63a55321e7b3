import { expect, test } from "vitest";
import { createHolders } from "#features/invoices/ledger/rules-holders.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 2, hour));
const clock = { now: () => at(12) };
const run = (needsReconcile: "first" | "taken_over" | null, hour: number) => ({
  id: "0199f000-0000-7000-8000-000000000001",
  needsReconcile,
  requestedAt: at(hour),
});

test.each([
  { what: "added while this process had the ledger open", needs: "first", hour: 10, may: false },
  { what: "added before, maybe in a restored ledger", needs: "first", hour: 8, may: true },
  { what: "added later than now: a clock was set", needs: "first", hour: 13, may: true },
  { what: "that another process had", needs: "taken_over", hour: 10, may: true },
  { what: "that was searched for, in a ledger put back since", needs: null, hour: 8, may: true },
] as const)("a run $what may have had other holders: $may", async ({ needs, hour, may }) => {
  const holders = createHolders(() => Promise.resolve(at(9)), clock);
  expect(await holders.mayHave(run(needs, hour))).toBe(may);
});

test("a run that was searched for needs no search until the ledger is put back", async () => {
  let openedAt = at(9);
  const holders = createHolders(() => Promise.resolve(openedAt), clock);
  const holder = run("first", 8);
  await holders.noteFound(holder);
  expect(await holders.mayHave(holder)).toBe(false);
  openedAt = at(11);
  expect(await holders.mayHave(holder)).toBe(true);
});
