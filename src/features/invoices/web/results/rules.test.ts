import { uploadWords } from "#features/invoices/web/words.ts";
import type { ResultEntry } from "#features/invoices/results/rules-lines.ts";
import { countByOutcome, joinResults, toResult } from "#features/invoices/results/rules-results.ts";
import { toWireResult } from "#features/invoices/results/sentences-results.ts";
import { describeStatus, groupResults, isProblem } from "#features/invoices/web/results/rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";

test("equal causes are one entry with all their rows, problems come first, and remarks are separate", () => {
  const unknown = 'Fix: "X" isn\'t an item in QuickBooks.';
  const { groups, notes } = groupResults([
    { status: 7, rows: "1", message: 'Column "Rep" isn\'t used.', remark: true },
    {
      status: 0,
      rows: "2-3",
      invoices: 2,
      message: "2 invoices posted.",
      posted: [{ number: "1", link: "https://x.example" }],
    },
    { status: 2, rows: "4", message: "D4: X", cause: unknown },
    { status: 7, rows: "5", message: "Skipped: already uploaded." },
    {
      status: 0,
      rows: "6",
      invoices: 1,
      message: "1 invoice posted.",
      posted: [{ number: "3", link: "https://x.example" }],
    },
    { status: 2, rows: "8-9", message: "D8-D9: X", cause: unknown },
    {
      status: 0,
      rows: "10",
      invoices: 1,
      message: "1 invoice posted.",
      posted: [{ number: "4", link: "https://x.example" }],
    },
    { status: 101, rows: "11", message: "Being sent to QuickBooks." },
  ]);
  expect(groups.map(({ status, rows, message }) => [status, rows.join(", "), message])).toEqual([
    [2, "4, 8-9", unknown],
    [101, "11", "Being sent to QuickBooks."],
    [0, "2-3", "2 invoices posted."],
    [0, "6", "1 invoice posted."],
    [0, "10", "1 invoice posted."],
    [7, "5", "Skipped: already uploaded."],
  ]);
  expect(notes.map(({ message }) => message)).toEqual(['Column "Rep" isn\'t used.']);
});

/** Reads the count in a message: "2 invoices posted.", "Undone: invoice A-1 was voided …". */
function readCount(message: string, outcome: RegExp): number {
  const [, count] = outcome.exec(message) ?? [];
  return count === undefined ? 0 : Number.parseInt(count.replaceAll(",", ""), 10) || 1;
}

test("the posted and undone invoices of all lines sum to those of the upload, in every state", () => {
  const state = fc.constantFrom<ResultEntry["state"]>(
    "posted",
    "undone",
    "undone",
    "skipped",
    "rejected",
    "unresolved",
    "stopped",
    "sending",
    "undoing",
  );
  const owners = fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 24 });
  fc.assert(
    fc.property(
      owners,
      fc.array(state, { minLength: 12, maxLength: 12 }),
      fc.boolean(),
      (owned, states, hasNumbers) => {
        // Rows of one invoice may be apart.
        const rowsByInvoice = Map.groupBy(
          owned.map((invoice, index) => ({ invoice, row: index + 2 })),
          ({ invoice }) => invoice,
        );
        const entries = [...rowsByInvoice].map(([invoice, rows]): ResultEntry => ({
          rows: rows.map(({ row }) => row),
          state: states[invoice] ?? "posted",
          docNumber: null,
          number: hasNumbers ? `A-${invoice}` : null,
          cause: null,
          problems: [],
          undone: { action: "void", day: "2027-03-03" },
        }));
        const results = joinResults(entries, { stage: "posting", waitsFor: null, notes: [] }).map((each) =>
          toWireResult(toResult(each, new Map()), { uploadId: "u-1", findPage: () => "", sheets: [] }),
        );
        const { groups } = groupResults(results);
        const sum = (outcome: RegExp) =>
          groups.reduce((total, { message }) => total + readCount(message, outcome), 0);
        const { posted, undone } = countByOutcome(entries);
        expect([
          sum(/^([\d,]+) invoices? posted/),
          sum(/^Undone: (\d+ invoices|invoice|the invoice)/),
        ]).toEqual([posted, undone]);
        // No row is in two lines.
        const shown = groups.flatMap(({ rows }) => rows);
        expect(new Set(shown).size).toBe(shown.length);
      },
    ),
  );
});

const table: [code: number, word: string, tone: string][] = [
  [0, "Completed", "gray"],
  [1, "Reserved", "gray"],
  [2, "Template Data Error", "red"],
  [3, "Failed-Continuing", "amber"],
  [4, "Failed-Terminated", "red"],
  [5, "Reserved", "gray"],
  [6, "Reserved", "gray"],
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

test("UP-42 problems are the statuses that a user must look at", () => {
  expect(table.map(([code]) => code).filter(isProblem)).toEqual([2, 3, 4, 9]);
});

test("a cause is listed once, with how many invoices it holds back and all of their rows", () => {
  const fault = { status: 2, message: "B3: Enter a number.", cause: "Enter a number." };
  const results = [
    { status: 2, rows: "2", message: "Not posted: row 3 …", blocked: true as const, places: [0, 0] },
    { ...fault, rows: "3", places: [0, 0] },
    { ...fault, rows: "4-5", places: [1, 1] },
    { ...fault, rows: "9-11", places: [1, 3] },
    { status: 2, rows: "6", message: "C6: Item is missing.", cause: "Item is missing.", places: [1, 1] },
    { status: 2, rows: "7", message: "Not posted: row 6 …", blocked: true as const, places: [1, 1] },
  ];
  const { groups } = groupResults(results);
  expect(groups.map(({ message, rows, invoices }) => [message, rows.join(", "), invoices])).toEqual([
    ["Enter a number.", "2-5, 7, 9-11", 4],
    ["Item is missing.", "6", 1],
  ]);
});

test("for more than two posted invoices the first and last numbers are shown", () => {
  const { before } = uploadWords.results;
  const read = (invoices: number) =>
    ["S-3", "S-6"].map((name, at) => before(at, { invoices, shown: 2 }) + name).join("");
  expect([read(2), read(5)]).toEqual([" S-3 and S-6", " First S-3, last S-6"]);
});
