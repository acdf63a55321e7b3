import { expect, test } from "vitest";
import { countMessage, SENDER_LIMIT, type Senders } from "#features/legal/rules.ts";

test("CT-02 a sender can send five messages in ten minutes, and is shown how long to wait for the sixth", () => {
  const senders: Senders = new Map();
  for (let index = 0; index < SENDER_LIMIT.messages; index += 1) {
    expect(countMessage(senders, "a", index * 1_000)).toBeNull();
  }
  expect(countMessage(senders, "a", 60_000)).toBe(SENDER_LIMIT.withinMs - 60_000);
  expect(countMessage(senders, "b", 60_000)).toBeNull();
  expect(countMessage(senders, "a", SENDER_LIMIT.withinMs + 1)).toBeNull();
});

test("CT-02 only the latest senders are remembered", () => {
  const senders: Senders = new Map();
  for (let index = 0; index <= SENDER_LIMIT.senders; index += 1) countMessage(senders, `s${index}`, index);
  expect(senders.size).toBe(SENDER_LIMIT.senders);
  expect(senders.has("s0")).toBe(false);
});
