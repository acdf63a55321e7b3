import { expect, test } from "vitest";
import { buildXlsx, type MadeCell } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { run as extractRows } from "#features/invoices/workbook/extract-rows.ts";
import { ACME } from "#features/invoices/fixtures/plan-rows.ts";
import { openFile } from "#features/invoices/workbook/open-file.ts";
import { findTable } from "#features/invoices/workbook/rules-columns.ts";
import { planInvoices } from "#features/invoices/plan/rules-plan.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
const good = (number: string): MadeCell[] => [number, "Beta LLC", "2026-03-01", "Freight", 10];

const wide = (rows: MadeCell[][], width: number): MadeCell[][] =>
  [HEADERS, ...rows].map((cells, index) => [
    ...cells,
    ...Array.from({ length: width - cells.length }, (_, extra) =>
      index === 0 ? `Extra ${extra}` : `x${extra}`,
    ),
  ]);
const workbook = (rows: MadeCell[][]) => buildXlsx({ sheets: [{ name: "Invoices", rows }] });
const csv = (rows: MadeCell[][]) => Buffer.from(rows.map((cells) => cells.join(",")).join("\n"));

const reasonsOf = (bytes: Uint8Array) => {
  const { sheets } = openFile(bytes);
  return sheets[0]?.rows.map(({ cells }) => cells.at(-1));
};

test.each([
  ["workbook", workbook],
  ["CSV file", csv],
])(
  "UP-42 a corrected %s whose table fills all 60 columns takes its reasons in one more, again and again",
  async (_, make) => {
    const source = make(wide([good("A-1"), good("A-2")], 60));
    const first = await extractRows(source, {
      reasons: [{ row: 3, reason: "B3: why" }],
      chosen: new Map(),
    });
    expect(reasonsOf(first)).toEqual(["Reason", "B3: why"]);
    const table = findTable(openFile(first));
    expect(planInvoices(table, ACME).invoices.map(({ docNumber, draft }) => [docNumber, !!draft])).toEqual([
      ["A-2", true],
    ]);
    const second = await extractRows(first, { reasons: [{ row: 2, reason: "other" }], chosen: new Map() });
    expect(reasonsOf(second)).toEqual(["Reason", "other"]);
  },
);

test("UP-24 a column more than the 60 allowed is told by its cell, whether it is the first or the twentieth", () => {
  const told = (bytes: Uint8Array) => () => findTable(openFile(bytes));
  const beyond = (cell: string) =>
    `Sheet "Invoices" has a value in ${cell}, beyond the last column allowed (BH). Delete the columns that are not needed and upload the file again.`;
  expect(told(workbook(wide([good("A-1")], 61)))).toThrow(beyond("BI1"));
  expect(told(workbook(wide([good("A-1")], 80)))).toThrow(beyond("BJ1"));
});

test("a corrected workbook of thousands of rows with one and the same reason is taken again", async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => good(`A-${index}`));
  const reason = "QuickBooks did not answer. ".repeat(40);
  const source = buildXlsx({ sheets: [{ name: "Invoices", rows: [HEADERS, ...rows] }] });
  const corrected = await extractRows(source, { reasons: { all: reason }, chosen: new Map() });
  expect(findTable(openFile(corrected)).rows).toHaveLength(10_000);
});
