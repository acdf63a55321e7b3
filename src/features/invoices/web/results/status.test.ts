import { describeStatus, isProblem } from "#features/invoices/web/results/status.ts";
import { toneIcons } from "#web/kit/icon.tsx";
import { expect, test } from "vitest";

const table: [code: number, word: string, tone: string][] = [
  [0, "Completed", "grey"],
  [1, "Reserved", "grey"],
  [2, "Template Data Error", "red"],
  [3, "Failed-Continuing", "amber"],
  [4, "Failed-Terminated", "red"],
  [5, "Reserved", "grey"],
  [6, "Reserved", "grey"],
  [7, "Information", "blue"],
  [8, "No Results", "amber"],
  [9, "Failed-Unknown", "red"],
  [100, "Queued", "green"],
  [101, "Working", "green"],
];

test.each(table)(
  "SC-00 SC-01 SC-02 SC-03 SC-04 SC-05 SC-06 SC-07 SC-08 SC-09 SC-100 SC-101 SC-200 status %i reads %s and is %s",
  (code, word, tone) => {
    expect(describeStatus(code)).toMatchObject({ word, tone });
  },
);

test("SC-201 an unknown code reads Status and its number, in amber", () => {
  expect(describeStatus(42)).toMatchObject({ word: "Status 42", tone: "amber" });
});

test("SC-202 each color has a mark of its own", () => {
  expect(new Set([0, 2, 3, 7, 100].map((code) => toneIcons[describeStatus(code).tone])).size).toBe(5);
});

test("UP-42 problems are the statuses a user must look at", () => {
  expect(table.map(([code]) => code).filter(isProblem)).toEqual([2, 3, 4, 9]);
});
