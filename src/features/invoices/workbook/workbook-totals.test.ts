import { expect, test } from "vitest";
import type { CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { sheetIndex } from "#formats/text/sheet-rows.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { ACME, planInvoices, refusalText, sentences } from "#features/invoices/fixtures/plan-rows.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns } from "#features/sheets/reading.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Description", "Amount"];
const line = (number: string, amount: number): CellSpec[] => [
  number,
  "Beta LLC",
  "2026-03-09",
  "Widget 9",
  "Blue",
  amount,
];
const sum = (amount: CellSpec): CellSpec[] => [null, null, null, null, null, amount];

const read = (rows: readonly (readonly CellSpec[])[], chosen?: ColumnChoices) =>
  findTable(readWorkbook(buildXlsx({ sheets: [{ name: "S", rows }] })), chosen);

function plan(rows: readonly (readonly CellSpec[])[], chosen?: ColumnChoices) {
  const made = planInvoices(read(rows, chosen), { ...ACME, ...(chosen ? { columnChoices: chosen } : {}) });
  return {
    cents: made.invoices.map(({ docNumber, amountCents }) => [docNumber, amountCents]),
    problems: sentences(made),
    notes: made.notes.map((note) => problemText(note)),
    totals: made.notes.find(({ code }) => code === "file_totals")?.params,
  };
}

test("a row with only the sum of the rows above is a total, with or without a word", () => {
  const made = plan([
    HEADERS,
    line("T-1", 10),
    line("T-2", 5),
    sum(15),
    line("T-3", 7),
    ["Total", null, null, null, null, 7],
    sum(22),
  ]);
  expect(made.cents).toEqual([
    ["T-1", 1000],
    ["T-2", 500],
    ["T-3", 700],
  ]);
  expect(made.problems).toEqual([]);
  expect(made.notes).toEqual([
    "Rows 4 and 6-7 look like totals, so we skipped them.",
    "All totals in the file match its rows.",
  ]);
  expect(made.totals).toEqual({ rows: [4, 6, 7], amounts: ["15.00", "7.00", "22.00"], differing: [] });
});

const merged = (rows: readonly (readonly CellSpec[])[], ...merges: string[]) => {
  const table = findTable(readWorkbook(buildXlsx({ sheets: [{ name: "S", rows, merges }] })));
  const made = planInvoices(table, ACME);
  return {
    cents: made.invoices.map(({ amountCents, draft }) => draft && amountCents),
    problems: sentences(made),
    notes: made.notes.map((note) => problemText(note)),
  };
};

test("an amount kept under a merged cell, which Excel doesn't show, isn't billed, and its row is held back", () => {
  const made = merged([HEADERS, line("T-1", 100), line("T-1", 50), line("T-2", 7)], "F2:F3");
  expect(made.cents).toEqual([null, 700]);
  expect(made.problems).toEqual([expect.stringMatching(/^F3: /)]);
  expect(made.notes).toEqual([
    "Range F2:F3 is merged: we read only the value of the first cell, as Excel shows it.",
  ]);
});

test("an amount beside texts that are merged over its row is a line, not a total of the one above", () => {
  const rows = [HEADERS, line("T-1", 50), sum(50), line("T-2", 7), sum(57)];
  const whole = merged(rows, "A2:A3", "B2:B3", "C2:C3", "D2:D3", "E2:E3");
  expect(whole.cents).toEqual([null, 700]);
  expect(whole.notes.join()).not.toContain("Row 3");
  // The item alone is enough, and the same amount without one is a total.
  expect(merged(rows, "D2:D3").cents).toEqual([null, 700]);
  expect(merged(rows.toSpliced(4, 1), "F2:G2").cents).toEqual([5000, 700]);
});

test("a lone amount that is not a sum holds back its invoice and says what it may be", () => {
  const made = plan([HEADERS, line("T-1", 10), sum(11)]);
  expect(made.problems).toEqual([
    "D3: This row has an amount and nothing else, and it isn't the sum of the rows above. Fill in Item, or delete the row if it's a total.",
  ]);
});

test("a labeled total that is not the sum of the rows above is reported", () => {
  const made = plan([HEADERS, line("T-1", 10), ["Grand Total", null, null, null, null, 12]]);
  expect(made.cents).toEqual([["T-1", 1000]]);
  expect(made.notes).toContain(
    "Row 3 says 12.00; its rows add up to 10.00 (2.00 less). A row may be in the file twice, or was added after the total was made.",
  );
});

const planSheets = (sheets: { name: string; rows: CellSpec[][] }[]) =>
  planInvoices(findTable(readWorkbook(buildXlsx({ sheets }))), ACME).notes;

test("a total on another sheet that is not the sum of its rows is named with its sheet", () => {
  const notes = planSheets([
    { name: "March", rows: [HEADERS, line("T-1", 10)] },
    { name: "April", rows: [HEADERS, line("T-2", 5), ["Grand Total", null, null, null, null, 12]] },
  ]);
  expect(notes.map((note) => problemText(note))).toContain(
    'On sheet "April": Row 3 says 12.00; its rows add up to 5.00 (7.00 less). A row may be in the file twice, or was added after the total was made.',
  );
});

test("equal totals in the same rows of several sheets are kept, each with its sheet", () => {
  const month = (name: string, number: string) => ({ name, rows: [HEADERS, line(number, 10), sum(10)] });
  const notes = planSheets([month("March", "T-1"), month("April", "T-2"), month("May", "T-3")]);
  const totals = notes.filter(({ code }) => code === "file_totals");
  expect(totals.map(({ row, params }) => [sheetIndex(row), params["amounts"]])).toEqual([
    [0, ["10.00"]],
    [1, ["10.00"]],
    [2, ["10.00"]],
  ]);
});

test.each([
  "Page 1 of 3",
  "- 2 -",
  "Printed on 11/24/2026 by Ann",
  "Generated 2026-11-24",
  "Exported Nov 24, 2026",
  "Report run at 9:05 PM",
  "Accrual basis  Tuesday, November 24, 2026",
  "Continued…",
])("a footer between rows is not an invoice: %s", (footer) => {
  const made = plan([HEADERS, line("T-1", 10), [footer], line("T-2", 5), sum(15)]);
  expect(made.cents).toEqual([
    ["T-1", 1000],
    ["T-2", 500],
  ]);
  expect(made.notes[0]).toBe("Row 3 skipped: page numbers and footers.");
});

test("a line of text about printing without a day is no footer", () => {
  const text = (description: string): CellSpec[] => ["T-1", null, null, null, description, null];
  const lone = (description: string): CellSpec[] => [null, null, null, null, description, null];
  const made = plan([HEADERS, line("T-1", 10), lone("Printed on 80 lb stock"), text("Exported as 4 files")]);
  expect([made.cents, made.problems, made.notes]).toEqual([[["T-1", 1000]], [], []]);
  const workbook = buildXlsx({
    sheets: [{ name: "S", rows: [HEADERS, line("T-1", 10), lone("Printed on 80 lb stock")] }],
  });
  const [invoice] = planInvoices(findTable(readWorkbook(workbook)), ACME).invoices;
  expect(invoice?.draft?.Line.map(({ Description }) => Description)).toEqual([
    "Blue",
    "Printed on 80 lb stock",
  ]);
});

const SHIPPED = [...HEADERS, "Shipping"];
const shipped = (number: string, amount: number, shipping: CellSpec) => [...line(number, amount), shipping];
const TWO = [SHIPPED, shipped("T-1", 10, 7), shipped("T-1", 5, 7), shipped("T-2", 5, 4)];

test("shipping on several rows of an invoice is asked about once; both answers are billed as chosen", () => {
  expect(refusalText(() => read(TWO))).toBe(
    'Column "Shipping" has money on several rows of one invoice (G2 and G3). Is it billed once per invoice, or once per row?',
  );
  const once = plan(TWO, new Map([["shipping", "shipping"]]));
  expect([once.cents, once.notes]).toEqual([
    [
      ["T-1", 2200],
      ["T-2", 900],
    ],
    [],
  ]);
  const each = plan(TWO, new Map([["shipping", "lineShipping"]]));
  expect([each.cents, each.notes]).toEqual([
    [
      ["T-1", 2900],
      ["T-2", 900],
    ],
    [],
  ]);
});

test("other amounts on an invoice's rows are the same question; an amount on one row is not", () => {
  const differing = [SHIPPED, shipped("T-1", 10, 7), shipped("T-1", 5, 3)];
  expect(refusalText(() => read(differing))).toContain("once per invoice, or once per row?");
  expect(plan(differing, new Map([["shipping", "lineShipping"]])).cents).toEqual([["T-1", 2500]]);
  expect(plan([SHIPPED, shipped("T-1", 10, 7), shipped("T-1", 5, 0)]).cents).toEqual([["T-1", 2200]]);
});

test("a total of the invoice in the file proves that shipping is billed once, and no question is asked", () => {
  const headers = [...SHIPPED, "Invoice Total"];
  const rows = [headers, [...shipped("T-1", 10, 7), 22], [...shipped("T-1", 5, 7), 22]];
  expect(plan(rows).cents).toEqual([["T-1", 2200]]);
  const blank = [
    headers,
    [...shipped("T-1", 10, 7), 22],
    shipped("T-1", 5, 7),
    shipped("T-2", 5, 4),
    shipped("T-2", 5, 4),
  ];
  expect(refusalText(() => read(blank))).toContain("(G4 and G5)");
});

const REPORT = [null, "Date", "Transaction Type", "Num", "Amount"];
const ITEM_FOR_ALL = new Map([["value!item", "Widget 9"]]);
const listed = (number: string, amount: CellSpec): CellSpec[] => [
  null,
  "2026-03-09",
  "Invoice",
  number,
  amount,
];

test("in a report by customer, a sum without a word is not a line of the invoice above", () => {
  const made = plan(
    [
      REPORT,
      ["Beta LLC"],
      listed("T-1", 10),
      listed("T-2", 5),
      [null, null, null, null, 15],
      ["Gamma Inc:East"],
      listed("T-3", 7),
      [null, null, null, null, 7],
      [null, null, null, null, 22],
    ],
    ITEM_FOR_ALL,
  );
  expect(made.cents).toEqual([
    ["T-1", 1000],
    ["T-2", 500],
    ["T-3", 700],
  ]);
  expect(made.totals).toMatchObject({ amounts: ["15.00", "7.00", "22.00"], differing: [] });
});

test("totals that end with the word, and footers, are not headings in a report by customer", () => {
  const total = ["Beta LLC Total", null, null, null, 10];
  const footer = ["Thursday, Nov 26, 2026 09:12:44 AM GMT-8 - Accrual Basis"];
  const made = plan([REPORT, ["Beta LLC"], listed("T-1", 10), total, footer], ITEM_FOR_ALL);
  expect(made.cents).toEqual([["T-1", 1000]]);
  expect(made.problems).toEqual([]);
});

test("a sheet without rows is never named in place of one that lacks columns", () => {
  const full = { name: "May", rows: [HEADERS.toSpliced(1, 1), line("T-1", 10).toSpliced(1, 1)] };
  const empty = { name: "June", rows: [HEADERS] };
  expect(refusalText(() => planSheets([full, empty]))).toContain('Sheet "May" has its headers in row 1');
});

test("a sum with only a customer beside it is held back in a report, never billed as a second line", () => {
  const headers = ["Date", "Num", "Customer", "Amount"];
  const made = plan(
    [headers, ["2026-03-09", "T-1", "Beta LLC", 10], [null, null, "Beta LLC", 10]],
    ITEM_FOR_ALL,
  );
  expect(made.problems).toEqual(["E3: Item is missing."]);
});

test("rows of formulas that evaluate to nothing are skipped", () => {
  const made = plan([HEADERS, line("T-1", 10), sum(0), sum(0), sum(10)]);
  expect(made.cents).toEqual([["T-1", 1000]]);
  expect(made.problems).toEqual([]);
  expect(made.totals).toEqual({ rows: [5], amounts: ["10.00"], differing: [] });
});

test("SH-12 a total that differs names both sums and the difference, of the rows since the total before", () => {
  const total = (name: string, cents: number): CellSpec[] => [null, `${name} Total`, null, null, null, cents];
  const made = plan([
    HEADERS,
    line("T-1", 10),
    line("T-2", 20),
    total("Beta", 30),
    line("T-3", 7.5),
    total("Gamma", 7),
  ]);
  expect(made.notes).toContain(
    "Row 6 says 7.00; its rows add up to 7.50 (0.50 more). A row may be in the file twice, or was added after the total was made.",
  );
});

test("SH-12 the sum of a column that no field matches is without the file's total, also where that differs", () => {
  const headers = ["Invoice No", "Customer", "Invoice Date", "Item", "Charged sum"];
  const rows: CellSpec[][] = [
    headers,
    ["T-1", "Beta LLC", "2026-03-09", "Widget 9", 300],
    ["T-2", "Beta LLC", "2026-03-09", "Widget 9", 88.25],
    ["Total", null, null, null, 372.75],
  ];
  const bytes = buildXlsx({ sheets: [{ name: "S", rows }] });
  const seen = inspectColumns(invoiceSheet, bytes, { fileName: "s.xlsx", chosen: new Map() });
  expect(seen.columns.at(-1)).toMatchObject({ header: "Charged sum", sum: "388.25" });
});
