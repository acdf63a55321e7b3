import { expect, test } from "vitest";
import { findThreadFaults, sumThreads } from "./check-thread.ts";

/** Orders behind those that `npm test` plays. */
const FIRST = 300;
const COUNT = 10_000;

test("TD-22 of 10,000 random orders the same pieces and cents are ordered, packed, announced, billed and sent as 810, in all", () => {
  const found = Array.from({ length: COUNT }, (_, at) => findThreadFaults(FIRST + at));
  expect(found.flatMap(({ faults }) => faults)).toEqual([]);
  const { notices, invoices, sent, waiting } = sumThreads(found);
  console.info({ orders: COUNT, notices, invoices, sent, waiting });
  expect(sent + waiting).toBe(invoices);
}, 900_000);
