import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { expect, test } from "vitest";
import { planRows } from "#features/invoices/fixtures/plan-rows.ts";
import { droppedFields } from "#features/books/lists/read-lists.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Ship Via", "Class", "Location"];
const row = (number: string, more: readonly string[]) => [
  number,
  "Beta LLC",
  "2026-03-04",
  "Widget 9",
  9,
  ...more,
];
const OFF = droppedFields({
  AllowShipping: false,
  AllowServiceDate: false,
  ClassTrackingPerTxnLine: false,
  TrackDepartments: false,
});

test("each column that the company's preferences make QuickBooks drop is reported once, with the way to keep it", () => {
  const rows = [
    row("1", ["", "", ""]),
    row("2", ["UPS", "Retail", "Austin"]),
    row("3", ["UPS", "Retail", ""]),
  ];
  const plan = planRows(HEADERS, rows, { droppedFields: OFF });
  expect(plan.notes.map((note) => [note.code, note.severity, problemText(note)])).toEqual([
    [
      "not_kept",
      "warning",
      'F3: QuickBooks won\'t keep "Ship Via": shipping is turned off (Account and settings > Sales).',
    ],
    [
      "not_kept",
      "warning",
      'G3: QuickBooks won\'t keep "Class": classes on each row are turned off (Account and settings > Advanced).',
    ],
    [
      "not_kept",
      "warning",
      'H3: QuickBooks won\'t keep "Location": locations are turned off (Account and settings > Advanced).',
    ],
  ]);
});

test("a column without values, and a preference that the company never changed, are not reported", () => {
  expect(planRows(HEADERS, [row("1", ["", "", ""])], { droppedFields: OFF }).notes).toEqual([]);
  const kept = droppedFields({ AllowShipping: true });
  expect(planRows(HEADERS, [row("1", ["UPS", "Retail", "Austin"])], { droppedFields: kept }).notes).toEqual(
    [],
  );
});
