import { expect, test } from "vitest";
import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { planRetry } from "#integrations/intuit/plan-retry.ts";

const FRESH = { renew: 0, pause: 0, wait: 0 };
const READ = {};
const WRITE = { write: true };
const failed = (kind: IntuitErrorKind, http: number | null = 400) => new IntuitError({ kind, http });

test("a write is repeated only if it was certainly not executed", () => {
  expect(planRetry(failed("uncertain", 500), FRESH, WRITE)).toBeNull();
  expect(planRetry(failed("system", 400), FRESH, WRITE)).toBeNull();
  expect(planRetry(failed("network", null), FRESH, WRITE)).toMatchObject({ kind: "wait" });
  expect(planRetry(failed("throttled", 429), FRESH, WRITE)).toEqual({ kind: "pause", seconds: 60 });
  expect(planRetry(failed("auth", 401), FRESH, WRITE)).toEqual({ kind: "renew" });
});

test.each([
  "validation",
  "duplicateDoc",
  "stale",
  "notFound",
  "bug",
  "quota",
  "permission",
  "reconnect",
  "subscription",
] as const)("%s is final, for a read and a write", (kind) => {
  expect(planRetry(failed(kind), FRESH, READ)).toBeNull();
  expect(planRetry(failed(kind), FRESH, WRITE)).toBeNull();
});

test("every kind of retry ends", () => {
  expect(planRetry(failed("auth", 401), { ...FRESH, renew: 1 }, READ)).toBeNull();
  expect(planRetry(failed("throttled", 429), { ...FRESH, pause: 1 }, READ)).toBeNull();
  expect(planRetry(failed("throttled", 429), { ...FRESH, pause: 4 }, WRITE)).not.toBeNull();
  expect(planRetry(failed("throttled", 429), { ...FRESH, pause: 5 }, WRITE)).toBeNull();
  expect(planRetry(failed("system", 500), { ...FRESH, wait: 2 }, READ)).not.toBeNull();
  expect(planRetry(failed("system", 500), { ...FRESH, wait: 3 }, READ)).toBeNull();
});

test("the pause is as long as Intuit says, never zero and never more than ten minutes", () => {
  const after = (retryAfterSeconds: number) =>
    new IntuitError({ kind: "throttled", http: 429, retryAfterSeconds });
  expect(planRetry(after(7), FRESH, READ)).toEqual({ kind: "pause", seconds: 7 });
  expect(planRetry(after(0), FRESH, READ)).toEqual({ kind: "pause", seconds: 1 });
  expect(planRetry(after(600), FRESH, WRITE)).toEqual({ kind: "pause", seconds: 600 });
  expect(planRetry(after(1e21), FRESH, WRITE)).toEqual({ kind: "pause", seconds: 600 });
});
