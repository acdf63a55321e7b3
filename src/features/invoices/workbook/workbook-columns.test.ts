import { expect, test } from "vitest";
import { buildXlsx, type CellSpec, type MadeSheet, worksheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { fieldHeader, findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { makeTable, refusalText } from "#features/invoices/fixtures/plan-rows.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { layoutKey, rowMarkKey, toQuestion } from "#formats/table/row-mark-keys.ts";
import { HIDDEN } from "#formats/table/row-marks.ts";
import { currencyCode } from "#features/invoices/workbook/rules-currency-names.ts";
import { invoiceSamples } from "#features/invoices/workbook/rules-samples.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
const ROW: CellSpec[] = ["1", "Beta LLC", "2026-01-02", "Widget", 5];
const readFields = (headers: string[]) =>
  makeTable([headers, headers.map(() => "x")]).columns.map(({ field }) => field);
const readNotes = (rows: CellSpec[][]) => makeTable(rows).notes.map((note) => problemText(note));

const findRefusal = (sheets: MadeSheet[]) =>
  refusalText(() => findTable(readWorkbook(buildXlsx({ sheets }))));

test.each([
  [
    "QuickBooks itself",
    [
      "*InvoiceNo",
      "*Customer",
      "*InvoiceDate",
      "*DueDate",
      "Terms",
      "Location",
      "Memo",
      "Item(Product/Service)",
      "ItemDescription",
      "ItemQuantity",
      "ItemRate",
      "*ItemAmount",
      "Item tax code",
      "Service Date",
    ],
  ],
  [
    "Transaction Pro",
    [
      "RefNumber",
      "Customer",
      "TxnDate",
      "DueDate",
      "ShipDate",
      "ShipMethodName",
      "TrackingNum",
      "SalesTerm",
      "Location",
      "Class",
      "Item",
      "Quantity",
      "Price",
    ],
  ],
  [
    "Zed Axis",
    [
      "Doc Number",
      "Customer Ref",
      "Txn Date",
      "Line Amount",
      "Line Sales Item Ref",
      "Private Note",
      "Customer Memo",
      "Line Description",
    ],
  ],
  [
    "people",
    [
      "Invoice #",
      "CUSTOMER\u00A0NAME",
      "\uFEFFDate",
      "Product / Service",
      "Qty.",
      "Unit Price:",
      "P.O. Number",
      "Ship To ZIP",
      "Bill To Address",
    ],
  ],
])("the columns of %s are all recognized", (_, headers) => {
  expect(readFields(headers)).toHaveLength(headers.length);
});

test("no header stands for two columns", () => {
  const seen = new Map<string, string>();
  for (const field of invoiceSheet.names) {
    for (const key of new Set([
      headerKey(fieldHeader(field)),
      ...(invoiceSheet.fields[field].synonyms ?? "").split(" "),
    ])) {
      expect(`${key}: ${seen.get(key) ?? field}`).toBe(`${key}: ${field}`);
      expect(headerKey(key)).toBe(key);
      seen.set(key, field);
    }
  }
});

test("the header row may be in any of the first ten rows", () => {
  const table = makeTable([["Acme Tools"], ["Exported", "2026-01-02"], [], HEADERS, ROW]);
  expect(table).toMatchObject({ headerRow: 4, rows: [{ number: 5 }] });
});

test("UP-24 wrong headers: the message asks for the template and names the missing columns", () => {
  expect(
    findRefusal([
      {
        name: "Data",
        rows: [
          ["Invoice No", "Customer", "Qty"],
          ["1", "a", 2],
        ],
      },
    ]),
  ).toBe(
    'The selected file must use the template. Sheet "Data" has its headers in row 1, but these columns are missing: "Invoice Date", "Item", and "Rate" or "Amount". Add them and upload the file again.',
  );
  expect(
    findRefusal([
      {
        name: "Data",
        rows: [
          ["Name", "Phone"],
          ["a", "b"],
        ],
      },
    ]),
  ).toBe(
    'The selected file must use the template. No sheet has its columns in the first 50 rows: "Customer", "Invoice Date", "Item", and "Amount" or "Qty" with "Rate". Sheet "Data" starts with "Name" and "Phone". Download the template and copy your rows into it.',
  );
});

test("a duplicate column is refused with both places", () => {
  expect(
    findRefusal([
      {
        name: "S",
        rows: [
          [...HEADERS, "Doc Number"],
          [...ROW, "2"],
        ],
      },
    ]),
  ).toBe(
    'The selected file must use the template. On sheet "S", "Invoice No" in A1 and "Doc Number" in F1 both stand for "Invoice No". Keep one of them and upload the file again.',
  );
});

test("of two columns for the same field, the empty one is skipped", () => {
  const headers = [...HEADERS, "Class", "LineClass", "Doc Number"];
  const table = makeTable([headers, [...ROW, null, "Retail", " "], [...ROW, null, null, null]]);
  expect(table.columns.map(({ field, header }) => [field, header]).slice(4)).toEqual([
    ["amount", "Amount"],
    ["className", "LineClass"],
  ]);
  expect(table.notes).toEqual([]);
  expect(makeTable([[...HEADERS, "Class", "LineClass"], ROW]).columns.map(({ header }) => header)).toEqual([
    ...HEADERS,
    "Class",
  ]);
});

test("where no column holds invoice numbers, one that may hold them is asked about and not skipped", () => {
  const rows = [["No.", ...HEADERS.slice(1)], ROW];
  expect(findRefusal([{ name: "S", rows }])).toBe(
    'Column "No." in A1 of sheet "S" may be the Invoice No; no other column matches it. Match it, or ignore it.',
  );
  const read = (chosen: "invoiceNo" | "ignore") =>
    findTable(readWorkbook(buildXlsx({ sheets: [{ name: "S", rows }] })), new Map([["no", chosen]]));
  expect(read("invoiceNo").columns[0]).toMatchObject({ field: "invoiceNo", index: 0 });
  expect(read("ignore").columns[0]).toMatchObject({ field: "customer", index: 1 });
  expect(makeTable([[...HEADERS, "No."], ROW]).notes).toHaveLength(1);
  expect(
    findRefusal([
      {
        name: "S",
        rows: [
          ["Group", "No.", ...HEADERS.slice(1)],
          ["g", ...ROW],
        ],
      },
    ]),
  ).toBe("");
});

test("UP-48 where QuickBooks would be sent a factor that we worked out, a column of numbers that may be the file's own is asked about", () => {
  const headers = [
    "Invoice No",
    "Customer",
    "Invoice Date",
    "Item",
    "Line No",
    "Qty Shipped",
    "Rate",
    "Amount",
  ];
  const row: CellSpec[] = ["1001", "Cool Cars", "2026-01-31", "Hammer", 1, "2", 89, 178];
  const rows = [headers, row, row, row.with(5, "n/a")];
  expect(findRefusal([{ name: "S", rows }])).toBe(
    'Column "Qty Shipped" in F1 of sheet "S" may be the Qty; no other column matches it. Match it, or ignore it.',
  );
  // Weights, which no amount proves, are not offered as the Qty, one after the other.
  const weights = rows.map((cells, place) => (place === 0 ? cells.with(5, "Weight") : cells.with(5, 3)));
  expect(makeTable(weights).notes.map(({ value }) => value)).toEqual(["Line No", "Weight"]);
  const notes = (found: readonly CellSpec[][]) => makeTable(found).notes.map(({ value }) => value);
  const texts = rows.map((cells, place) => (place === 0 ? cells : cells.with(5, "by truck")));
  expect(notes(texts)).toEqual(["Line No", "Qty Shipped"]);
  // Without a Rate nothing is worked out, but the numbers may still be billed.
  expect(findRefusal([{ name: "S", rows: rows.map((cells) => cells.toSpliced(6, 1)) }])).toBe(
    'Column "Qty Shipped" (F1, sum 4.00) may change what you bill. Match it, or ignore it.',
  );
  const named = rows.map((cells, place) => (place === 0 ? cells.with(5, "Pcs") : cells));
  expect(makeTable(named).columns.map(({ field }) => field)).toContain("qty");
});

test("total rows are skipped with a remark, but never one that names an item, unless it is the sum of rows above", () => {
  const figures = (label: string, column: number, amount = 5): CellSpec[] =>
    Array.from<CellSpec>({ length: 5 }).with(4, amount).with(column, label);
  const table = makeTable([
    HEADERS,
    ROW,
    figures("1 Total", 0),
    ROW,
    figures("Subtotal:", 1),
    figures("Total", 3, 7),
    figures("Grand Total", 0, 17),
    figures("Totally", 0),
  ]);
  expect(table.rows.map(({ number }) => number)).toEqual([2, 4, 6, 8]);
  expect(table.notes.map((note) => problemText(note))).toEqual([
    "Rows 3, 5, and 7 look like totals, so we skipped them.",
    "All totals in the file match its rows.",
  ]);
});

test("of two sheets with the headers, the one that has rows is read", () => {
  const sheets = [
    { name: "Template", rows: [HEADERS] },
    { name: "March", rows: [HEADERS, ROW] },
  ];
  const table = findTable(readWorkbook(buildXlsx({ sheets })));
  expect([table.sheet, table.notes]).toEqual(["March", []]);
});

test("values below an empty header are not skipped silently", () => {
  const spread = [...ROW.slice(0, 2), "x", ...ROW.slice(2)];
  const headers: CellSpec[] = [...HEADERS.slice(0, 2), null, ...HEADERS.slice(2)];
  expect(readNotes([headers, spread, [...ROW.slice(0, 2), null, ...ROW.slice(2)]])).toEqual([
    "Column C has no header, so we ignored its values.",
  ]);
  // A number, a date, an error or a formula without a result is no header either, nor is a sign.
  const error: CellSpec = { xml: '<c r="C1" t="e"><v>#REF!</v></c>' };
  const formula: CellSpec = { xml: '<c r="C1"><f>B1</f></c>' };
  for (const header of [2026, { date: 46_024 }, error, formula, "$", true])
    expect(readNotes([headers.with(2, header), spread])).toEqual([
      "Column C has no header, so we ignored its values.",
    ]);
  expect(readNotes([headers, [...spread, "y"]])).toEqual([
    "Columns C and G have no headers, so we ignored their values.",
  ]);
});

const readText = (...lines: string[]) =>
  findTable(openFile(Buffer.from(lines.join("\n")), "x.csv"), new Map());

test.each([
  ["Qty,Rate", "1,Beta LLC,2026-11-02,Widget,1,1,250.00"],
  ["Amount", "1,Beta LLC,2026-11-02,Widget,1,200.00"],
  ["Amount", "1,Beta LLC,2026-11-02,Widget,19,95"],
  ["Amount", "1,Beta LLC,2026-11-02,Widget,$1,200.00"],
  ["Amount", "1,Beta LLC,2026-11-02,Widget,(1,200.00)"],
  ["Description,Qty,Amount", "1,Beta LLC,2026-11-02,Widget, large,Blue,,$200.00"],
  ["Amount,Order Date 10:00", "1,Beta LLC,2026-11-02,Widget,5,x,-5.00"],
])("in a text file with %s, row %s has a value beyond the headers and is refused", (headers, row) => {
  const header = `Invoice No,Customer,Invoice Date,Item,${headers}`;
  const plain = header.split(",").map((_, at) => ROW[at] ?? "");
  const lines = [header, plain.join(","), row, plain.join(",")];
  expect(refusalText(() => readText(...lines))).toBe(
    "Row 3 has more values than there are headers. Put values with a comma, such as 1,200.00, in quotation marks, or give each column a header, and upload the file again.",
  );
});

test("words beyond the headers of a text file don't refuse it", () => {
  const lines = [HEADERS.join(","), ROW.join(","), `${ROW.join(",")},by truck`];
  expect(readText(...lines).notes.map((note) => problemText(note))).toEqual([
    "Column F has no header, so we ignored its values.",
  ]);
});

test("an ignored column says what the invoices lack because of it", () => {
  expect(readNotes([[...HEADERS, "Job"], ROW])).toEqual([
    'F1: Column "Job" isn\'t used. Invoices go to the customer itself. To bill one of its jobs, enter "Customer:Job".',
  ]);
});

test("the first visible sheet with the headers is read; a hidden one is not", () => {
  const sheets = [
    { name: "Notes", rows: [["hello"]] },
    { name: "Data", rows: [HEADERS, ROW] },
  ];
  expect(findTable(readWorkbook(buildXlsx({ sheets }))).sheet).toBe("Data");
  expect(
    findRefusal([
      { name: "Notes", rows: [["hello"]] },
      { name: "Data", state: "hidden", rows: [HEADERS, ROW] },
    ]),
  ).toContain('on the hidden sheet "Data": unhide that sheet');
});

test("a second sheet of invoices is not skipped silently", () => {
  const sheets = ["Jan", "Feb"].map((name) => ({ name, rows: [HEADERS, [name, ...ROW.slice(1)]] }));
  expect(findTable(readWorkbook(buildXlsx({ sheets }))).notes.map((note) => problemText(note))).toEqual([
    'Sheets "Jan" and "Feb" were read.',
  ]);
});

test("a file without rows, or with only the sample rows, is refused as such", () => {
  expect(findRefusal([{ name: "S", rows: [HEADERS] }])).toBe(
    'Sheet "S" has no rows below its headers. Add your invoices and upload the file again.',
  );
  expect(findRefusal([{ name: "S", rows: [HEADERS, ["SAMPLE-1", invoiceSamples.value]] }])).toContain(
    "only the sample rows of the template",
  );
});

test("30,000 rows are accepted, 30,001 are not", () => {
  const rows = (count: number) => [HEADERS, ...Array.from({ length: count }, () => ROW)];
  expect(makeTable(rows(30_000)).rows).toHaveLength(30_000);
  expect(findRefusal([{ name: "S", rows: rows(30_001) }])).toBe(
    'Sheet "S" has 30,001 rows; you can upload at most 30,000 at a time. Split it into several files, keeping the lines of each invoice together, and upload them one after the other.',
  );
});

test("a large sheet of other data next to the invoices does not matter; too many invoices do", () => {
  const large = Array.from({ length: 30_030 }, (_, index) => [index]);
  expect(
    findTable(
      readWorkbook(
        buildXlsx({
          sheets: [
            { name: "Raw", rows: large },
            { name: "Invoices", rows: [HEADERS, ROW] },
          ],
        }),
      ),
    ).sheet,
  ).toBe("Invoices");
  expect(
    findRefusal([{ name: "Invoices", rows: [HEADERS, ...Array.from({ length: 30_030 }, () => ROW)] }]),
  ).toContain('Sheet "Invoices" has more than 30,020 rows');
});

test("sample rows left in are skipped with a remark", () => {
  const table = makeTable([
    HEADERS,
    ["SAMPLE-1", invoiceSamples.value, "2026-01-15", "Widget", 27],
    ["SAMPLE-1", invoiceSamples.value, "", "Freight", 1],
    ROW,
  ]);
  expect(table.rows.map(({ number }) => number)).toEqual([4]);
  expect(table.notes.map((note) => problemText(note))).toEqual(["Sample rows 2-3 skipped."]);
});

test("headers repeated within the table are skipped with a remark", () => {
  const table = makeTable([HEADERS, ROW, HEADERS, ROW, [HEADERS[0], ...ROW.slice(1)], HEADERS.slice(0, 3)]);
  expect(table.rows.map(({ number }) => number)).toEqual([2, 4, 5]);
  expect(table.notes.map((note) => problemText(note))).toEqual([
    "Rows 3 and 6 repeat the headers, so we skipped them.",
  ]);
});

test("unknown columns, blank rows and rows outside the columns are ignored, each with a remark", () => {
  expect(
    readNotes([
      [...HEADERS, "Color", "Descripton"],
      [...ROW, "red"],
      [],
      [null, null, null, null, null, "blue"],
      ROW,
    ]),
  ).toEqual([
    'F1: Column "Color" isn\'t used.',
    'G1: Column "Descripton" isn\'t used. Did you mean "Description"?',
    "Row 4 is ignored: no known column has a value there.",
  ]);
});

test("a large gap is pointed out", () => {
  const gap = Array.from({ length: 201 }, (): CellSpec[] => []);
  expect(readNotes([HEADERS, ROW, ...gap, ROW])[0]).toBe(
    "Rows 3-203 are blank. Check that nothing is missing.",
  );
});

test("hidden rows are read if a user says so, hidden columns are read, merged cells reported", () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (number: number, hidden: string) =>
    `<row r="${number}"${hidden}>${["1", "Beta", "2026-01-02", "Widget", "5"].map((text, index) => cell(`${"ABCDE"[index]}${number}`, text)).join("")}</row>`;
  const headers = `<row r="1">${HEADERS.map((text, index) => cell(`${"ABCDE"[index]}1`, text)).join("")}</row>`;
  const sheetXml = worksheet(
    headers + row(2, "") + row(3, ' hidden="1"'),
    '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>',
  ).replace("<sheetData>", '<cols><col min="5" max="9" hidden="1"/></cols><sheetData>');
  const workbook = readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml }] }));
  const asked = () => findTable(workbook);
  expect(asked).toThrow("rows_undecided");
  const key = rowMarkKey(toQuestion(layoutKey(invoiceSheet, HEADERS), ""), HIDDEN);
  const table = findTable(workbook, new Map([[key, "billed"]]));
  expect(table.rows).toHaveLength(2);
  expect(table.notes.map((note) => problemText(note))).toEqual([
    "Row 3 is hidden in Excel, but we read it.",
    'Column E ("Amount") is hidden in Excel, but we read it.',
    "Range A2:A3 is merged: we read only the value of the first cell, as Excel shows it.",
  ]);
});

test("a street next to a first address line is that line only if no other column is", () => {
  expect(readFields(["Customer", "Invoice Date", "Item", "Amount", "Billing Street"]).at(-1)).toBe(
    "billLine1",
  );
  const both = readFields([
    "Customer",
    "Invoice Date",
    "Item",
    "Amount",
    "Billing Street",
    "Billing Address1",
  ]);
  expect(both.filter((field) => field === "billLine1")).toHaveLength(1);
});

test("a currency is read from its code, its name, or both in any order", () => {
  const texts = ["usd", "US Dollar", "EUR - Euro", "United States Dollar - USD", "Canadian Dollar (CAD)"];
  expect(texts.map(currencyCode)).toEqual(["USD", "USD", "EUR", "USD", "CAD"]);
});
