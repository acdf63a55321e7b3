import { groupResults } from "#features/invoices/web/results/rules-groups.ts";
import { expect, test } from "vitest";

test("equal causes are one entry with all their rows, problems come first, and remarks stand apart", () => {
  const unknown = 'Fix: "X" isn\'t an item in QuickBooks.';
  const { groups, notes } = groupResults([
    { status: 7, rows: "1", message: 'Column "Rep" isn\'t used.', remark: true },
    {
      status: 0,
      rows: "2-3",
      message: "2 invoices posted.",
      posted: [{ number: "1", link: "https://x.example" }],
    },
    { status: 2, rows: "4", message: "D4: X", cause: unknown },
    { status: 7, rows: "5", message: "Skipped: already uploaded." },
    {
      status: 0,
      rows: "6",
      message: "1 invoice posted.",
      posted: [{ number: "3", link: "https://x.example" }],
    },
    { status: 2, rows: "8-9", message: "D8-D9: X", cause: unknown },
    {
      status: 0,
      rows: "10",
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
