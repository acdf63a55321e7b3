import { expect, test } from "vitest";
import { buildXlsx, type CellSpec, type MadeSheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { sheetNames } from "#formats/table/places.ts";
import { rowText } from "#formats/text/sheet-rows.ts";
import { ACME, planInvoices, refusalText } from "#features/invoices/fixtures/plan-rows.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate"];
const line = (number: string, more: Partial<Record<string, CellSpec>> = {}): CellSpec[] => {
  const cells: Record<string, CellSpec> = {
    "Invoice No": number,
    Customer: "Beta LLC",
    "Invoice Date": "2026-03-09",
    Item: "Widget 9",
    Qty: 2,
    Rate: 9,
    ...more,
  };
  return HEADERS.map((header) => cells[header]);
};
const month = (name: string, ...rows: CellSpec[][]): MadeSheet => ({ name, rows: [HEADERS, ...rows] });

const readSheets = (sheets: MadeSheet[], chosen?: ColumnChoices) =>
  findTable(readWorkbook(buildXlsx({ sheets })), chosen);

function planSheets(sheets: MadeSheet[], chosen?: ColumnChoices) {
  const plan = planInvoices(readSheets(sheets, chosen), ACME);
  const names = sheetNames(plan.notes);
  return {
    invoices: plan.invoices.map(({ docNumber, amountCents, rows, problems }) => ({
      number: docNumber,
      cents: amountCents,
      rows: rows.map((row) => rowText(row, names)),
      problems: problems.map((problem) => problemText(problem, { sheets: names })),
    })),
    notes: plan.notes.map((note) => problemText(note, { sheets: names })),
  };
}

test("all sheets whose headers agree are read, and each row is named with its sheet", () => {
  const { invoices, notes } = planSheets([
    month("March", line("M-1"), line("M-2", { Customer: "Nobody Ltd" })),
    month("April"),
    month("May", line("M-3"), line("M-3", { Item: "Freight", Qty: 1, Rate: "many" })),
  ]);
  expect(invoices.map(({ number, cents, rows }) => [number, cents, rows])).toEqual([
    ["M-1", 1800, ["March!2"]],
    ["M-2", 1800, ["March!3"]],
    ["M-3", null, ["May!2", "May!3"]],
  ]);
  expect(invoices[1]?.problems.join()).toMatch(/^March!B3: "Nobody Ltd" isn't a customer/);
  expect(invoices[2]?.problems).toEqual(["May!F3: Enter a number."]);
  expect(notes).toEqual(['Sheets "March" and "May" were read.']);
});

test("a month with its columns in another order is read, and its cells are named as they are there", () => {
  const order = ["Item", "Rate", "Remark", "Qty", "Invoice Date", "Customer", "Invoice No"];
  const turned = (cells: Record<string, CellSpec>) => order.map((header) => cells[header]);
  const { invoices, notes } = planSheets([
    month("March", line("M-1")),
    {
      name: "April",
      rows: [
        ["April sales"],
        order,
        turned({
          Item: "Freight",
          Rate: 12.5,
          Qty: 2,
          "Invoice Date": "2026-04-02",
          Customer: "Beta LLC",
          "Invoice No": "A-1",
          Remark: "call first",
        }),
        turned({
          Item: "Freight",
          Rate: "1.2k",
          Qty: 2,
          "Invoice Date": "2026-04-02",
          Customer: "Beta LLC",
          "Invoice No": "A-2",
        }),
      ],
    },
  ]);
  expect(invoices.map(({ number, cents }) => [number, cents])).toEqual([
    ["M-1", 1800],
    ["A-1", 2500],
    ["A-2", null],
  ]);
  expect(invoices[2]?.problems.join()).toMatch(/^April!B4: /);
  expect(notes).toEqual([
    'Sheets "March" and "April" were read.',
    'On sheet "April": Row 1 is above the headers in row 2 and not read as an invoice.',
    'April!C2: Column "Remark" isn\'t used.',
  ]);
});

test("a row keeps its number whichever sheets are read", () => {
  const sheets = [month("March", line("M-1")), month("April", line("M-2"))];
  const both = readSheets(sheets).rows.map(({ number }) => number);
  const without = readSheets(sheets, new Map([["sheet!march", "ignore"]])).rows.map(({ number }) => number);
  expect([both.length, without]).toEqual([2, both.slice(1)]);
});

test("an invoice without a number ends with its sheet", () => {
  const { invoices } = planSheets([
    month("March", line("", { "Invoice Date": "2026-03-09" })),
    month("April", line("", { "Invoice Date": "2026-03-09", Item: "Freight" })),
  ]);
  expect(invoices.map(({ rows, cents }) => [rows, cents])).toEqual([
    [["March!2"], 1800],
    [["April!2"], 1800],
  ]);
});

test("a sheet of the whole year among its months raises a question: nothing is billed twice", () => {
  const [march, april] = [line("M-1"), line("M-2")];
  const sheets = [month("Year", march, april), month("March", march), month("April", april)];
  expect(refusalText(() => readSheets(sheets))).toBe(
    'Invoice No M-1 is on sheets "Year" and "March". Choose the sheets to read so that it\'s billed once, or keep it on only one of them.',
  );
  const { invoices, notes } = planSheets(sheets, new Map([["sheet!year", "ignore"]]));
  expect(invoices.map(({ number, rows }) => [number, rows])).toEqual([
    ["M-1", ["March!2"]],
    ["M-2", ["April!2"]],
  ]);
  expect(notes).toContain('Sheet "Year" was left out, as chosen for this company.');
  const unnumbered = [month("Year", line("")), month("March", line(""))];
  expect(refusalText(() => readSheets(unnumbered))).toMatch(
    /^The invoice of row 2 is on sheets "Year" and "March"\./,
  );
});

test("a sheet that was left out is read if no other sheet is left", () => {
  const { invoices } = planSheets([month("Year", line("M-1"))], new Map([["sheet!year", "ignore"]]));
  expect(invoices).toHaveLength(1);
});

test("sheets whose headers do not agree are named, with what to do; those about something else are not", () => {
  const shipped = {
    name: "May",
    rows: [
      [...HEADERS, "Shipping"],
      [...line("M-5"), 4],
    ],
  };
  const broken = {
    name: "June",
    rows: [["Invoice No", "Custommer Ref No", "Invoice Date", "Item", "Qty", "Rate"], line("M-6")],
  };
  const bare = { name: "July", rows: [line("M-7", { Qty: 3 })] };
  const summary = {
    name: "Summary",
    rows: [
      ["Month", "Sales"],
      ["March", 18],
      ["April", 18],
    ],
  };
  const { invoices, notes } = planSheets([
    summary,
    month("March", line("M-1")),
    month("April", line("M-2")),
    shipped,
    broken,
    bare,
    {
      name: "Customers",
      rows: [
        ["Customer", "Email", "Terms"],
        ["Beta LLC", "a@b.example", "Net 30"],
      ],
    },
  ]);
  expect(invoices.map(({ number }) => number)).toEqual(["M-1", "M-2"]);
  expect(notes).toEqual([
    'Sheets "March" and "April" were read.',
    'Sheet "May" wasn\'t read, because its columns aren\'t those of sheet "March": it also has "Shipping". Give it the same headers, or upload it as a file of its own.',
    'Sheet "June" wasn\'t read, because its columns aren\'t those of sheet "March": it has no "Customer". Give it the same headers, or upload it as a file of its own.',
    'Sheet "July" seems to hold invoices, but has no row of headers, so it wasn\'t read. Copy the headers of sheet "March" to its first row and upload the file again.',
  ]);
});

test("the question about a column is asked of each sheet that has it", () => {
  const priced = (name: string, number: string, sum: number) => ({
    name,
    rows: [
      [...HEADERS, "Discount"],
      [...line(number), sum],
    ],
  });
  const sheets = [priced("March", "M-1", 0), priced("April", "M-2", 3)];
  expect(refusalText(() => readSheets(sheets))).toBe(
    'Column "Discount" (G1, sum 3.00) may change what you bill. Match it, or ignore it.',
  );
  const ignored = planSheets(
    [priced("March", "M-1", 2), priced("April", "M-2", 3)],
    new Map([["discount", "ignore"]]),
  );
  expect(ignored.notes).toContain(
    'March!G1: Column "Discount" (sum 5.00) was left out, as chosen for this company.',
  );
});
