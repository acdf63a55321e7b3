import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBillingTurns } from "#features/billing/take-turns.ts";
import { systemClock } from "#platform/clock.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

test("a company's payments stay locked as long as the process holding them lives, however long Stripe takes", async () => {
  const { db } = await createTestDatabase();
  const ctx = { db, clock: systemClock };
  const idleMs = 500;
  const [turns, others] = [createBillingTurns(ctx, idleMs), createBillingTurns(ctx, idleMs)];
  let isAtWork = true;
  const slow = turns.holdPayments("1", async () => {
    await wait(4 * idleMs);
    isAtWork = false;
    return "done";
  });
  await wait(idleMs / 5);
  expect(await others.holdPayments("1", () => Promise.resolve(isAtWork))).toBe(false);
  expect(await slow).toBe("done");
});
