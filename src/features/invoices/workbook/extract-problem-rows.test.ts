import { expect, test } from "vitest";
import { buildXlsx, type MadeCell } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { run as extractRows } from "#features/invoices/workbook/extract-problem-rows.ts";
import { ACME, refusalText, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { openFile } from "#features/sheets/reading.ts";
import { findTable } from "#features/invoices/workbook/rules-table.ts";

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
  "UP-42 a corrected %s whose table fills all 256 columns takes its reasons in one more, again and again",
  async (_, make) => {
    const source = make(wide([good("A-1"), good("A-2")], 256));
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

test("UP-24 a column more than the 256 allowed is reported with its cell, whether it is the first or the twentieth", () => {
  const refused = (bytes: Uint8Array) => refusalText(() => findTable(openFile(bytes)));
  const beyond = (cell: string) =>
    `Sheet "Invoices" has a value in ${cell}, beyond the last column allowed (IV). Delete the columns that are not needed and upload the file again.`;
  expect(refused(workbook(wide([good("A-1")], 257)))).toBe(beyond("IW1"));
  expect(refused(workbook(wide([good("A-1")], 280)))).toBe(beyond("IX1"));
});

test("a corrected workbook of thousands of rows with one and the same reason is taken again", async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => good(`A-${index}`));
  const reason = "QuickBooks did not answer. ".repeat(40);
  const source = buildXlsx({ sheets: [{ name: "Invoices", rows: [HEADERS, ...rows] }] });
  const corrected = await extractRows(source, { reasons: { all: reason }, chosen: new Map() });
  expect(findTable(openFile(corrected)).rows).toHaveLength(10_000);
});

const NO_NUMBERS = HEADERS.slice(1);
const numberless = (customer: string, date = "2026-03-01"): MadeCell[] => [customer, date, "Freight", 10];
const invoicesOf = (bytes: Uint8Array) =>
  planInvoices(findTable(openFile(bytes)), ACME).invoices.map(({ rows, customerName, draft }) => [
    customerName,
    rows.length,
    draft?.TxnDate,
  ]);
const KINDS = [
  ["workbook", workbook],
  ["CSV file", csv],
] as const;

test.each(KINDS)(
  "UP-42 in a corrected %s invoices without numbers stay apart where the row between them is gone",
  async (_, make) => {
    const rows = ["Maple Ltd", "Beta LLC", "Maple Ltd", "Ann’s Café", "Maple Ltd", "Maple Ltd"];
    const source = make([NO_NUMBERS, ...rows.map((customer) => numberless(customer))]);
    const before = [1, 1, 1, 1, 2];
    expect(invoicesOf(source).map(([, lines]) => lines)).toEqual(before);
    const reasons = [2, 4, 6, 7].map((row) => ({ row, reason: "unknown" }));
    const corrected = await extractRows(source, { reasons, chosen: new Map() });
    const maple = (lines: number) => ["Maple Ltd", lines, "2026-03-01"];
    expect(invoicesOf(corrected)).toEqual([maple(1), maple(1), maple(2)]);
    expect(openFile(corrected).sheets[0]?.rows[0]?.cells).toEqual([...NO_NUMBERS, "Reason", "Group"]);
    const again = await extractRows(corrected, {
      reasons: [2, 3].map((row) => ({ row, reason: "still" })),
      chosen: new Map(),
    });
    expect(invoicesOf(again)).toEqual([maple(1), maple(1)]);
    expect(openFile(again).sheets[0]?.rows.map(({ cells }) => cells.slice(4))).toEqual([
      ["Reason", "Group"],
      ["still", "Row 2"],
      ["still", "Row 4"],
    ]);
  },
);

test("UP-42 a Group column that is there takes what keeps invoices apart", async () => {
  const rows = [
    ["Customer", "Group", "Invoice Date", "Item", "Amount"],
    ...["Maple Ltd", "Beta LLC", "Maple Ltd"].map((customer) => [
      customer,
      undefined,
      "2026-03-01",
      "Freight",
      10,
    ]),
    ["Maple Ltd", "g", "2026-03-01", "Freight", 10],
  ];
  const reasons = [2, 4, 5].map((row) => ({ row, reason: "unknown" }));
  const corrected = await extractRows(workbook(rows), { reasons, chosen: new Map() });
  expect(openFile(corrected).sheets[0]?.rows.map(({ cells }) => cells[1])).toEqual([
    "Group",
    "Row 2",
    "Row 4",
    "g",
  ]);
});

test.each(KINDS)(
  "UP-42 a date of a corrected %s means what it meant beside the rows that are gone",
  async (_, make) => {
    const dated = (number: string, date: string): MadeCell[] => [number, "Beta LLC", date, "Freight", 10];
    const source = make([
      HEADERS,
      dated("A-1", "25/03/2026"),
      dated("A-2", "03/04/2026"),
      dated("A-3", "26/03/2026"),
    ]);
    const reasons = [3, 4].map((row) => ({ row, reason: "why" }));
    const corrected = await extractRows(source, { reasons, chosen: new Map() });
    expect(openFile(corrected).sheets[0]?.rows.map(({ cells }) => cells[2])).toEqual([
      "Invoice Date",
      "2026-04-03",
      "26/03/2026",
    ]);
  },
);

test("UP-42 a corrected file whose rows meant nothing beside others gets a Reason and nothing else", async () => {
  const source = workbook([HEADERS, good("A-1"), good("A-2"), good("A-3")]);
  const corrected = await extractRows(source, { reasons: [{ row: 3, reason: "why" }], chosen: new Map() });
  expect(openFile(corrected).sheets[0]?.rows).toEqual([
    { number: 1, hidden: false, cells: [...HEADERS, "Reason"] },
    { number: 2, hidden: false, cells: [...good("A-2"), "why"] },
  ]);
});
