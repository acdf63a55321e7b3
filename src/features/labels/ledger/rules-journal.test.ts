import { expect, test } from "vitest";
import { lineOf, nextIn } from "#features/labels/ledger/rules-journal.ts";

const RANGE = { realmId: "1", prefix: "0614141", extension: 0 };
const took = (first: number, next: number) => lineOf(RANGE, first, next);
const unused = (first: number, next: number) => ({ ...took(first, next), unused: true });

test.each([
  ["numbers go on behind the last block", [took(0, 3), took(3, 10)], 10],
  ["a block that was not used is given again", [took(0, 3), took(3, 10), unused(3, 10)], 3],
  ["again, and used then", [took(0, 3), unused(0, 3), took(0, 3)], 3],
  ["it is a gap where others took numbers behind it", [took(0, 3), took(3, 10), unused(0, 3)], 10],
  [
    "and stays given where another work took it too, after the lock of the first was lost with its connection",
    [took(0, 3), took(0, 3), unused(0, 3)],
    3,
  ],
  [
    "also when what was taken behind it was given back first",
    [took(0, 3), took(0, 3), took(3, 10), unused(3, 10), unused(0, 3)],
    3,
  ],
  ["or some of it", [took(0, 5), took(0, 3), unused(0, 5)], 5],
  ["blocks of other ranges don't count", [lineOf({ ...RANGE, extension: 1 }, 0, 50), took(0, 3)], 3],
])("%s", (_name, lines, next) => {
  expect(nextIn(lines, RANGE)).toBe(next);
});
