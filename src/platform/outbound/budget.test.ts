import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock, type Clock } from "#platform/clock.ts";
import { systemIds } from "#platform/ids.ts";
import { createBudget, type BudgetRules } from "#platform/outbound/budget.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

const RULES: BudgetRules = {
  requestsPerMinute: 450,
  requestsPerSecond: 8,
  inFlight: 8,
  batchesPerMinute: 36,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Time that moves only during a sleep. */
function sleepingClock(startMs = Date.parse("2026-11-21T08:00:00Z")): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => new Date(nowMs),
    steadyMs: () => nowMs,
    after: () => () => undefined,
    sleep: async (ms, signal) => {
      if (!signal?.aborted) nowMs += ms;
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

const makeBudget = (clock: Clock, rules = RULES) =>
  createBudget({ db: database.db, clock, ids: systemIds, rules, holder: systemIds.uuid() });

/** The maximum number of instants in any window of this length, including its start but not its end. */
function mostWithin(instants: readonly number[], windowMs: number): number {
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + windowMs).length),
  );
}

test("at most 8 calls start per second, at most 450 per minute, and the budget is used up", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock);
  const key = randomUUID();
  const starts: number[] = [];
  for (let call = 0; call < 1000; call++) {
    const lease = await budget.acquire(key, "request");
    starts.push(clock.now().getTime());
    await budget.release(lease);
  }
  expect(mostWithin(starts, 1_000)).toBe(8);
  expect(mostWithin(starts, 60_000)).toBe(450);
  const seconds = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThan(135);
});

test("calls that take long cannot pile up in one second at the vendor: the next ones wait for them to end", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock, { ...RULES, inFlight: 20 });
  const key = randomUUID();
  const startedAt = clock.now().getTime();
  const slow = await Promise.all(Array.from({ length: 8 }, () => budget.acquire(key, "request")));
  expect(clock.now().getTime() - startedAt).toBe(0);
  clock.advance(900);
  for (const lease of slow) await budget.release(lease);
  await budget.acquire(key, "request");
  expect(clock.now().getTime() - startedAt).toBe(1900);
});

test("at most 36 batches start per minute, and single calls may go meanwhile", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock);
  const key = randomUUID();
  const starts: number[] = [];
  for (let call = 0; call < 80; call++) {
    const lease = await budget.acquire(key, "batch");
    starts.push(clock.now().getTime());
    await budget.release(lease);
  }
  expect(mostWithin(starts, 60_000)).toBe(36);
  const before = clock.now().getTime();
  await budget.release(await budget.acquire(key, "request"));
  expect(clock.now().getTime() - before).toBeLessThanOrEqual(1_000);
});

test("batches that take long cannot pile up in one minute at the vendor: each counts until a minute after its end", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock, { ...RULES, batchesPerMinute: 2 });
  const key = randomUUID();
  const startedAt = clock.now().getTime();
  const [slow, quick] = [await budget.acquire(key, "batch"), await budget.acquire(key, "batch")];
  await budget.release(quick);
  clock.advance(20_000);
  await budget.release(slow);
  await budget.release(await budget.acquire(key, "batch"));
  expect(clock.now().getTime() - startedAt).toBe(60_000);
  await budget.release(await budget.acquire(key, "batch"));
  expect(clock.now().getTime() - startedAt).toBe(80_000);
});

test("at most 8 calls run at once, and one that ends lets the next in", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock, { ...RULES, requestsPerSecond: 100 });
  const key = randomUUID();
  const leases = await Promise.all(Array.from({ length: 8 }, () => budget.acquire(key, "request")));
  const waiting = new AbortController();
  await expect(
    makeBudget(stopAfter(clock, { sleeps: 3, stop: waiting })).acquire(key, "request", waiting.signal),
  ).rejects.toThrow("stopped");
  const [first] = leases;
  if (first) await budget.release(first);
  await expect(budget.acquire(key, "request")).resolves.toMatchObject({ key });
});

function stopAfter(clock: Clock, { sleeps, stop }: { sleeps: number; stop: AbortController }): Clock {
  let left = sleeps;
  return {
    ...clock,
    sleep: async (ms, signal) => {
      await clock.sleep(ms, signal);
      if (--left <= 0) stop.abort(new Error("stopped"));
    },
  };
}

test("the lease of a process that died is free again after 130 s", async () => {
  const clock = sleepingClock();
  const dead = makeBudget(clock, { ...RULES, inFlight: 1 });
  const key = randomUUID();
  await dead.acquire(key, "request");
  const startedAt = clock.now().getTime();
  await makeBudget(clock, { ...RULES, inFlight: 1 }).acquire(key, "request");
  const waitedMs = clock.now().getTime() - startedAt;
  expect(waitedMs).toBeGreaterThanOrEqual(130_000);
  expect(waitedMs).toBeLessThan(131_000);
});

test("a pause holds all processes until its end, and a shorter one does not shorten it", async () => {
  const clock = sleepingClock();
  const key = randomUUID();
  const startedAt = clock.now().getTime();
  await makeBudget(clock).pause(key, startedAt + 60_000);
  await makeBudget(clock).pause(key, startedAt + 5_000);
  await makeBudget(clock).acquire(key, "request");
  expect(clock.now().getTime() - startedAt).toBe(60_000);
});

test("the budgets of two companies are independent", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock);
  const paused = randomUUID();
  await budget.pause(paused, clock.now().getTime() + 60_000);
  const startedAt = clock.now().getTime();
  await budget.acquire(randomUUID(), "request");
  expect(clock.now().getTime()).toBe(startedAt);
});

test("callers in one process are served in the order they asked", async () => {
  const budget = makeBudget(sleepingClock());
  const key = randomUUID();
  const served: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const lease = await budget.acquire(key, "request");
      served.push(index);
      await budget.release(lease);
    }),
  );
  expect(served).toEqual(Array.from({ length: 30 }, (_, index) => index));
});

test("a caller that gives up while waiting is released at once and takes nothing", async () => {
  const budget = makeBudget(systemClock, { ...RULES, inFlight: 1 });
  const key = randomUUID();
  const running = await budget.acquire(key, "request");
  const first = new AbortController();
  const second = new AbortController();
  const refusals = [first, second].map((caller) =>
    budget.acquire(key, "request", caller.signal).catch((error: unknown) => error),
  );
  second.abort(new Error("second gave up"));
  expect(await refusals[1]).toMatchObject({ message: "second gave up" });
  first.abort(new Error("first gave up"));
  expect(await refusals[0]).toMatchObject({ message: "first gave up" });
  await budget.release(running);
  await expect(budget.acquire(key, "request")).resolves.toMatchObject({ key });
});

test("two processes together stay within the windows of one key, in real time", async () => {
  const rules = { ...RULES, requestsPerSecond: 20, inFlight: 4 };
  const budgets = [makeBudget(systemClock, rules), makeBudget(systemClock, rules)];
  const key = randomUUID();
  let running = 0;
  let mostRunning = 0;
  const calls = Array.from({ length: 50 }, async (_, index) => {
    const lease = await budgets[index % 2]?.acquire(key, "request");
    mostRunning = Math.max(mostRunning, ++running);
    await systemClock.sleep(20);
    running--;
    if (lease) await budgets[index % 2]?.release(lease);
  });
  await Promise.all(calls);
  const { rows } = await sql<{
    taken_at: Date;
  }>`select taken_at from outbound_lease where key = ${key}`.execute(database.db);
  const starts = rows.map((row) => row.taken_at.getTime());
  expect(starts).toHaveLength(50);
  expect(mostWithin(starts, 1_000)).toBeLessThanOrEqual(20);
  expect(mostRunning).toBeLessThanOrEqual(4);
});

test("a process whose clock is behind cannot slip under the window", async () => {
  const key = randomUUID();
  const ahead = makeBudget(sleepingClock(Date.parse("2026-11-21T08:00:02Z")));
  for (let call = 0; call < 8; call++) await ahead.release(await ahead.acquire(key, "request"));
  const behind = sleepingClock(Date.parse("2026-11-21T08:00:00Z"));
  await makeBudget(behind).acquire(key, "request");
  expect(behind.now().getTime()).toBeGreaterThanOrEqual(Date.parse("2026-11-21T08:00:03Z"));
});

test("a call recorded by a slow clock leaves the minute no sooner than by the clock that is ahead", async () => {
  const key = randomUUID();
  const rules = { ...RULES, requestsPerMinute: 2 };
  const clockAhead = sleepingClock(Date.parse("2026-11-21T08:00:02Z"));
  const ahead = makeBudget(clockAhead, rules);
  const behind = makeBudget(sleepingClock(Date.parse("2026-11-21T08:00:00Z")), rules);
  for (const budget of [ahead, behind]) await budget.release(await budget.acquire(key, "request"));
  clockAhead.advance(59_000);
  await ahead.acquire(key, "request");
  expect(clockAhead.now().toISOString()).toBe("2026-11-21T08:01:02.000Z");
});

test("a clock that was an hour ahead and is corrected blocks no call for that hour, and its calls still count", async () => {
  const key = randomUUID();
  const rules = { ...RULES, inFlight: 8 };
  const wrong = sleepingClock(Date.parse("2026-11-21T09:00:00Z"));
  const ahead = makeBudget(wrong, rules);
  const running = await ahead.acquire(key, "batch");
  for (let call = 0; call < 20; call++) await ahead.release(await ahead.acquire(key, "request"));
  await ahead.pause(key, wrong.now().getTime() + 30_000);
  const corrected = sleepingClock(Date.parse("2026-11-21T08:00:00Z"));
  const startedAt = corrected.now().getTime();
  const budget = makeBudget(corrected, rules);
  for (let call = 0; call < 7; call++) await budget.acquire(key, "request");
  expect(corrected.now().getTime() - startedAt).toBe(30_000);
  const eighth = new AbortController();
  await expect(
    makeBudget(stopAfter(corrected, { sleeps: 3, stop: eighth }), rules).acquire(
      key,
      "request",
      eighth.signal,
    ),
  ).rejects.toThrow("stopped");
  await budget.release(running);
  await expect(budget.acquire(key, "request")).resolves.toMatchObject({ key });
  expect(corrected.now().getTime() - startedAt).toBeLessThan(33_000);
});

test("a caller that gives up just as the lease is taken leaves none behind", async () => {
  const clock = sleepingClock();
  const budget = makeBudget(clock, { ...RULES, inFlight: 1 });
  for (let round = 0; round < 20; round++) {
    const key = randomUUID();
    const caller = new AbortController();
    const acquired = budget.acquire(key, "request", caller.signal).catch(() => null);
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new Error("gave up"));
    const lease = await acquired;
    if (lease) await budget.release(lease);
    const askedAt = clock.now().getTime();
    await budget.acquire(key, "request");
    expect(clock.now().getTime() - askedAt).toBeLessThan(1000);
  }
});

test("leases that no window counts any more are removed, including those of unused keys", async () => {
  const clock = sleepingClock(Date.parse("2027-01-01T00:00:00Z"));
  const budget = makeBudget(clock);
  const forgotten = randomUUID();
  await budget.release(await budget.acquire(forgotten, "request"));
  clock.advance(601_000);
  await budget.release(await budget.acquire(randomUUID(), "request"));
  const { rows } = await sql`select 1 from outbound_lease where key = ${forgotten}`.execute(database.db);
  expect(rows).toHaveLength(0);
});
