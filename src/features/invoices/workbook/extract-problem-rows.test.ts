import { expect, test } from "vitest";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { run } from "#features/invoices/workbook/extract-problem-rows.ts";
import { ACME, refusalText, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { openFile, type ProblemRows } from "#features/sheets/reading.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
const good = (number: string): CellSpec[] => [number, "Beta LLC", "2026-03-01", "Freight", 10];

const wide = (rows: CellSpec[][], width: number): CellSpec[][] =>
  [HEADERS, ...rows].map((cells, index) => [
    ...cells,
    ...Array.from({ length: width - cells.length }, (_, extra) =>
      index === 0 ? `Extra ${extra}` : `x${extra}`,
    ),
  ]);
const workbook = (rows: CellSpec[][]) => buildXlsx({ sheets: [{ name: "Invoices", rows }] });
const csv = (rows: CellSpec[][]) => Buffer.from(rows.map((cells) => cells.join(",")).join("\n"));

const extractRows = (bytes: Uint8Array, input: Partial<ProblemRows> & Pick<ProblemRows, "reasons">) =>
  run(bytes, { fileName: "march.xlsx", chosen: new Map(), ...input });

const readReasons = (bytes: Uint8Array) => {
  const { sheets } = openFile(bytes);
  return sheets[0]?.rows.map(({ cells }) => cells.at(-1));
};

test.each([
  ["workbook", workbook],
  ["CSV file", csv],
])(
  "UP-42 the problem rows of a %s that fills all 1,024 columns have two more, however often it is repeated",
  async (_, make) => {
    const source = make(wide([good("A-1"), good("A-2")], 1024));
    const first = await extractRows(source, { reasons: [{ row: 3, reason: "why" }] });
    expect(readReasons(first)).toEqual(["Reason", "why"]);
    const table = findTable(openFile(first));
    expect(planInvoices(table, ACME).invoices.map(({ docNumber, draft }) => [docNumber, !!draft])).toEqual([
      ["A-2", true],
    ]);
    const second = await extractRows(first, { reasons: [{ row: 2, reason: "other" }] });
    expect(readReasons(second)).toEqual(["Reason", "other"]);
    expect(openFile(second).sheets[0]?.rows[0]?.cells).toHaveLength(1026);
  },
);

test("UP-24 one column more than the 1,024 allowed is reported with its cell, whether it is the first or the twentieth", () => {
  const refused = (bytes: Uint8Array) => refusalText(() => findTable(openFile(bytes)));
  const beyond = (cell: string) =>
    `Sheet "Invoices" has a value in ${cell}, beyond the last column allowed (AMJ). Delete the columns you don't need and upload the file again.`;
  expect(refused(workbook(wide([good("A-1")], 1025)))).toBe(beyond("AMK1"));
  expect(refused(workbook(wide([good("A-1")], 1048)))).toBe(beyond("AMM1"));
});

test("a problem workbook of thousands of rows with the same reason is accepted again", async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => good(`A-${index}`));
  const reason = "QuickBooks did not answer. ".repeat(40);
  const source = buildXlsx({ sheets: [{ name: "Invoices", rows: [HEADERS, ...rows] }] });
  const corrected = await extractRows(source, { reasons: { all: reason } });
  expect(findTable(openFile(corrected)).rows).toHaveLength(10_000);
});

const NO_NUMBERS = HEADERS.slice(1);
const numberless = (customer: string, date = "2026-03-01"): CellSpec[] => [customer, date, "Freight", 10];
const listInvoices = (bytes: Uint8Array) =>
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
  "UP-42 among the problem rows of a %s, invoices without numbers stay separate where the row between them is gone",
  async (_, make) => {
    const rows = ["Maple Ltd", "Beta LLC", "Maple Ltd", "Ann’s Café", "Maple Ltd", "Maple Ltd"];
    const source = make([NO_NUMBERS, ...rows.map((customer) => numberless(customer))]);
    const before = [1, 1, 1, 1, 2];
    expect(listInvoices(source).map(([, lines]) => lines)).toEqual(before);
    const reasons = [2, 4, 6, 7].map((row) => ({ row, reason: "unknown" }));
    const corrected = await extractRows(source, { reasons });
    const maple = (lines: number) => ["Maple Ltd", lines, "2026-03-01"];
    expect(listInvoices(corrected)).toEqual([maple(1), maple(1), maple(2)]);
    expect(openFile(corrected).sheets[0]?.rows[0]?.cells).toEqual([
      ...NO_NUMBERS,
      "Group",
      "Row in march.xlsx",
      "Reason",
    ]);
    const again = await extractRows(corrected, {
      reasons: [2, 3].map((row) => ({ row, reason: "still" })),
      fileName: "again.xlsx",
    });
    expect(listInvoices(again)).toEqual([maple(1), maple(1)]);
    expect(openFile(again).sheets[0]?.rows.map(({ cells }) => cells.slice(4))).toEqual([
      ["Group", "Row in again.xlsx", "Reason"],
      ["Row 2", 2, "still"],
      ["Row 4", 3, "still"],
    ]);
  },
);

test("UP-42 an existing Group column is used to keep invoices separate", async () => {
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
  const corrected = await extractRows(workbook(rows), { reasons });
  expect(openFile(corrected).sheets[0]?.rows.map(({ cells }) => cells[1])).toEqual([
    "Group",
    "Row 2",
    "Row 4",
    "g",
  ]);
});

test.each(KINDS)(
  "UP-42 a date among the problem rows of a %s means what it meant next to the rows that are gone",
  async (_, make) => {
    const dated = (number: string, date: string): CellSpec[] => [number, "Beta LLC", date, "Freight", 10];
    const source = make([
      HEADERS,
      dated("A-1", "25/03/2026"),
      dated("A-2", "03/04/2026"),
      dated("A-3", "26/03/2026"),
    ]);
    const reasons = [3, 4].map((row) => ({ row, reason: "why" }));
    const corrected = await extractRows(source, { reasons });
    expect(openFile(corrected).sheets[0]?.rows.map(({ cells }) => cells[2])).toEqual([
      "Invoice Date",
      "2026-04-03",
      "26/03/2026",
    ]);
  },
);

test("UP-42 problem rows whose meaning does not depend on other rows get their row number and a Reason and nothing else", async () => {
  const source = workbook([["Our invoices"], HEADERS, good("A-1"), good("A-2"), good("A-3")]);
  const corrected = await extractRows(source, { reasons: [{ row: 4, reason: "why" }] });
  expect(openFile(corrected).sheets).toMatchObject([
    {
      name: "Invoices",
      rows: [
        { number: 1, hidden: false, cells: [...HEADERS, "Row in march.xlsx", "Reason"] },
        { number: 2, hidden: false, cells: [...good("A-2"), 4, "why"] },
      ],
    },
  ]);
});

test("UP-53 cells of a problem workbook are read as they were in the uploaded file", async () => {
  const formats = ["dd\\.mm\\.yyyy", "00000", "0.0%", "[$€-407] #,##0.00", "[h]:mm", '"INV-"0000'];
  const cells: CellSpec[] = [
    "00123",
    "Beta LLC",
    { date: 46_082 },
    "=1+1",
    10.25,
    ...[46_082.5, 1234, 0.155, 12.5, 1.5, 12].map((value, index) => ({ value, style: index + 1 })),
    true,
    { xml: '<c t="e"><v>#REF!</v></c>' },
    " _x0041_ & <b>\n",
    1e15,
  ];
  const headers = [...HEADERS, ...cells.slice(5).map((_, index) => (index === 9 ? 2026 : `Extra ${index}`))];
  const source = buildXlsx({ formats, sheets: [{ name: "Invoices", rows: [headers, cells, good("A-2")] }] });
  const [header, row] = openFile(source).sheets[0]?.rows ?? [];
  const corrected = openFile(await extractRows(source, { reasons: [{ row: 2, reason: "why" }] }));
  expect(corrected.sheets[0]?.rows.map((each) => each.cells)).toEqual([
    [...(header?.cells ?? []), "Row in march.xlsx", "Reason"],
    [...(row?.cells ?? []), 2, "why"],
  ]);
});

test("UP-53 a formula is written as its value, and one without a value stays an error and does not become blank", async () => {
  const formulas = ["<c><f>1+1</f><v>2</v></c>", "<c><f>NOW()</f></c>"].map((xml) => ({ xml }));
  const source = workbook([
    [...HEADERS, "PO", "Memo"],
    [...good("A-1"), ...formulas],
  ]);
  const corrected = openFile(await extractRows(source, { reasons: { all: "why" } }));
  expect(corrected.sheets[0]?.rows[1]?.cells.slice(5, 7)).toEqual([2, { kind: "error", code: "#N/A" }]);
});

test("UP-53 a plain number that counts days from 1904 means the same day in the problem workbook", async () => {
  const rows = [HEADERS, ["A-1", "Beta LLC", 44_620, "Freight", 10]];
  const source = buildXlsx({ date1904: true, sheets: [{ name: "Invoices", rows }] });
  expect(listInvoices(source)).toEqual([["Beta LLC", 1, "2026-03-01"]]);
  expect(listInvoices(await extractRows(source, { reasons: { all: "why" } }))).toEqual([
    ["Beta LLC", 1, "2026-03-01"],
  ]);
});

test("UP-53 corrections are in the problem workbook, even for a field that has no column in the file", async () => {
  const source = workbook([[...HEADERS, "Blank"], good("A-1"), good("A-2")]);
  const corrections = [
    { row: 3, field: "amount", value: "12.50" },
    { row: 3, field: "terms", value: "Net 30" },
    { row: 2, field: "amount", value: "1" },
  ];
  const corrected = await extractRows(source, { reasons: [{ row: 3, reason: "why" }], corrections });
  expect(openFile(corrected).sheets[0]?.rows.map(({ cells }) => cells)).toEqual([
    [...HEADERS, "Blank", "Terms", "Row in march.xlsx", "Reason"],
    ["A-2", "Beta LLC", "2026-03-01", "Freight", "12.50", undefined, "Net 30", 3, "why"],
  ]);
});

test("UP-53 the user's own Reason or Row column stays, and those of an earlier problem workbook are replaced", async () => {
  const own = [...HEADERS, "Reason", "Row in bin"];
  const source = workbook([own, [...good("A-1"), "mine", 7]]);
  const reasons = { all: "why" };
  const first = await extractRows(source, { reasons, fileName: "no ending" });
  const second = await extractRows(first, { reasons: { all: "still" }, fileName: "first.xlsx" });
  const third = await extractRows(second, { reasons: { all: "still" }, fileName: "second.xlsx" });
  const readCells = (bytes: Uint8Array) => openFile(bytes).sheets[0]?.rows.map(({ cells }) => cells);
  expect(readCells(first)?.[0]).toEqual([...own, "Row in the uploaded file", "Reason"]);
  expect(readCells(third)).toEqual([
    [...own, "Row in second.xlsx", "Reason"],
    [...good("A-1"), "mine", 7, 2, "still"],
  ]);
  const codes = findTable(openFile(third)).notes.map(({ value }) => value);
  expect(codes).toEqual(["Row in bin"]);
});
