import { expect, test } from "vitest";
import {
  BURST,
  isRead,
  refill,
  refillMs,
  whenRepeated,
  whenAllowed,
  whenDue,
  type Reads,
} from "#features/tracking/rules-reads.ts";

const MINUTE_MS = 60_000;
const MONTH_MS = 31 * 24 * 60 * MINUTE_MS;

/** Reads in a month in which a change is reported every minute. */
function countReads(month: { calls: number; limit: number } | null): number {
  const everyMs = refillMs(month);
  let budget: Reads = { left: BURST, at: new Date(0) };
  const known = { readUntil: new Date(0), changedAt: null as Date | null, repeatAt: null as Date | null };
  let reads = 0;
  for (let ms = 0; ms < MONTH_MS; ms += MINUTE_MS) {
    const now = new Date(ms);
    known.changedAt ??= new Date(ms - MINUTE_MS);
    budget = refill(budget, now, everyMs);
    if (whenDue(known, now) > now || whenAllowed(budget, everyMs) > now) continue;
    reads += 1;
    budget.left -= 1;
    Object.assign(known, {
      readUntil: now,
      changedAt: null,
      repeatAt: whenRepeated(known, budget.left, now),
    });
  }
  return reads;
}

test("a company whose invoices change every minute is read at most 300 times a month, half as often when the app's reads run out", () => {
  expect(countReads(null)).toBeLessThanOrEqual(300);
  expect(countReads(null)).toBeGreaterThan(200);
  expect(countReads({ calls: 400_000, limit: 500_000 })).toBeLessThanOrEqual(150);
  // While the app has used little of its month, changes are noticed within half an hour.
  expect(countReads({ calls: 99_000, limit: 500_000 })).toBeGreaterThan(1_400);
  expect(countReads({ calls: 100_000, limit: 500_000 })).toBeLessThanOrEqual(300);
});

test("reported changes are read within seconds, and once more when all of them are visible", () => {
  const now = new Date(1_000_000_000);
  const readUntil = new Date(now.getTime() - MINUTE_MS);
  const due = whenDue({ readUntil, changedAt: now, repeatAt: null }, now).getTime() - now.getTime();
  expect(due).toBeLessThanOrEqual(10_000);
  expect(whenRepeated({ changedAt: now }, BURST - 1, now)).toEqual(new Date(now.getTime() + 3 * MINUTE_MS));
  expect(whenRepeated({ changedAt: now }, 1, now)).toBeNull();
});

test("a change that was reported before is not read again, unless the read of it may not have shown it", () => {
  const readUntil = new Date(1_000_000_000);
  const before = (ms: number) => new Date(readUntil.getTime() - ms);
  const repeatAt = new Date(readUntil.getTime() + MINUTE_MS);
  expect(isRead(before(999), { readUntil, repeatAt })).toBe(false);
  expect(isRead(before(1_000), { readUntil, repeatAt })).toBe(true);
  expect(isRead(before(3 * MINUTE_MS - 1), { readUntil, repeatAt: null })).toBe(false);
  expect(isRead(before(3 * MINUTE_MS), { readUntil, repeatAt: null })).toBe(true);
  expect(isRead(before(3 * MINUTE_MS), { readUntil: null, repeatAt: null })).toBe(false);
});
