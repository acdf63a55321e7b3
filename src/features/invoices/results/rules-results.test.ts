import { expect, test } from "vitest";
import {
  countRows,
  filterResults,
  joinResults,
  type ResultEntry,
} from "#features/invoices/results/rules-results.ts";

const entry = (rows: number[], change: Partial<ResultEntry> = {}): ResultEntry => ({
  rows,
  state: "posted",
  docNumber: "A-1",
  message: "",
  problems: [],
  ...change,
});

test("AP-17 neighbouring rows with equal status and message are one range, and posted ones tell how many invoices", () => {
  const results = joinResults([entry([2, 3]), entry([4]), entry([6])]);
  expect(results).toEqual([
    { status: 0, rows: "2-4", message: "2 invoices created." },
    { status: 0, rows: "6", message: "1 invoice created." },
  ]);
});

test("SC-02 a faulty row tells its faults and the other rows of its invoice say which row holds them back", () => {
  const problems = [
    { row: 3, severity: "error" as const, text: "D3: no such item." },
    { row: 3, severity: "error" as const, text: "E3: not a number." },
  ];
  expect(joinResults([entry([2, 3], { state: "rejected", problems })])).toEqual([
    {
      status: 2,
      rows: "2",
      message: "Not posted: invoice A-1 is posted whole or not at all, and row 3 has an error.",
    },
    { status: 2, rows: "3", message: "D3: no such item.\nE3: not a number." },
  ]);
});

test("SC-02 of many faulty rows only the first are named to the row they hold back", () => {
  const faulty = Array.from({ length: 5_000 }, (_, index) => index * 2 + 3);
  const problems = faulty.map((row) => ({ row, severity: "error" as const, text: "no." }));
  const [held] = joinResults([entry([2, ...faulty], { state: "rejected", problems })]);
  expect(held?.message).toBe(
    "Not posted: invoice A-1 is posted whole or not at all, and rows 3, 5, 7, 9, 11 and more have errors.",
  );
});

test("SC-03 an invoice that QuickBooks refused shows its words as Failed-Continuing", () => {
  expect(joinResults([entry([2, 3], { state: "rejected", message: "No." })])).toEqual([
    { status: 3, rows: "2-3", message: "No." },
  ]);
});

test("SC-07 a warning stands beside the completed row as information", () => {
  const problems = [{ row: 2, severity: "warning" as const, text: "C2: due before the invoice date." }];
  expect(joinResults([entry([2], { problems })])).toEqual([
    { status: 0, rows: "2", message: "1 invoice created." },
    { status: 7, rows: "2", message: "C2: due before the invoice date." },
  ]);
});

test.each([
  ["ready", 100],
  ["sending", 101],
  ["unknown", 9],
  ["stopped", 4],
  ["skipped", 7],
] as const)("the state %s shows as status %d", (state, status) => {
  expect(joinResults([entry([2], { state, message: "" })])[0]?.status).toBe(status);
});

test("every data row is counted once, by the fate of its invoice", () => {
  const entries = [
    entry([2, 3]),
    entry([4], { state: "rejected" }),
    entry([5], { state: "ready" }),
    entry([6], { state: "skipped" }),
  ];
  expect(countRows(entries, 5)).toEqual({ total: 5, completed: 2, problems: 1, open: 1, skipped: 1 });
});

test("UP-42 the problems filter keeps what a person must look at", () => {
  const results = [0, 2, 3, 4, 7, 9, 100].map((status) => ({ status, rows: "2", message: "" }));
  expect(filterResults(results, "problems").map(({ status }) => status)).toEqual([2, 3, 4, 9]);
  expect(filterResults(results, "completed").map(({ status }) => status)).toEqual([0]);
});
