import { expect, test } from "vitest";
import { planProof } from "#features/tracking/rules-proofs.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const hoursFrom = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test("TK-11 an empty proof is requested again after 1, 6, 24 and 72 hours", () => {
  const times = [1, 2, 3, 4, 5].map((requests) => planProof(requests, NOW));
  expect(times).toEqual([hoursFrom(1), hoursFrom(6), hoursFrom(24), hoursFrom(72), null]);
});
