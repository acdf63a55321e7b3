import { cellName } from "#formats/xlsx/cell-names.ts";
import { expect, test } from "vitest";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { ACME, planRows, sentences, makeTable, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { findTable, type Table } from "#features/invoices/workbook/rules-sheet.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"];
const DAY = { date: 46043 };
const good: CellSpec[] = ["1001", "Beta LLC", DAY, "Widget 9", 3, 9, 27];

/** A good row under further headers, with some cells replaced: `{ D: "x" }` puts x into column D of row 2. */
function planWith(
  cells: Record<string, CellSpec>,
  more: { headers?: string[]; lists?: Parameters<typeof planRows>[2] } = {},
) {
  const row: CellSpec[] = [...good];
  for (const [column, value] of Object.entries(cells)) row[column.charCodeAt(0) - 65] = value;
  return planRows([...HEADERS, ...(more.headers ?? [])], [row], more.lists);
}

test("typographic characters are sent as plain ones, with one note per file; in numbers they are refused", () => {
  const plan = planRows(
    ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Description", "Private Note"],
    [
      ["1001", "Beta LLC", DAY, "Widget 9", 3, 9, "Bolts – 12” … “new”", "• Ann’s pick‑up"],
      ["1002", "Beta LLC", DAY, "Widget 9", 3, 9, "→", ""],
      ["C–3", "Beta LLC", DAY, "Widget 9", 3, 9, "a", ""],
    ],
  );
  expect(plan.invoices[0]?.draft).toMatchObject({
    PrivateNote: "* Ann's pick-up",
    Line: [{ Description: 'Bolts - 12" ... "new"' }],
  });
  expect(plan.notes.map((note) => problemText(note))).toEqual([
    "QuickBooks doesn't accept the characters – ” … “ • ’ ‑ for US companies, so we send plain ones instead: - \" ... \" * ' -",
  ]);
  expect(plan.invoices.map(({ draft }) => draft !== null)).toEqual([true, false, false]);
  const elsewhere = planWith({ H: "Ann’s" }, { headers: ["Private Note"], lists: { country: "CA" } });
  expect(elsewhere.invoices[0]?.draft).toMatchObject({ PrivateNote: "Ann’s" });
});

test("a list of e-mail addresses is sent with commas", () => {
  const plan = planWith({ H: "Ann <a@b.co>; c@d.co" }, { headers: ["Email"] });
  expect(plan.invoices[0]?.draft).toMatchObject({ BillEmail: { Address: "a@b.co, c@d.co" } });
});

test("a due date missing from the file is calculated from the terms, and not sent", () => {
  const due = (cells: Record<string, CellSpec>) => {
    const [invoice] = planWith(cells, { headers: ["Terms", "Due Date"] }).invoices;
    return [invoice?.termsDue, invoice?.draft?.DueDate];
  };
  expect(due({ H: "Net 30" })).toEqual(["2026-02-20", undefined]);
  expect(due({ H: "Net 30", I: { date: 46044 } })).toEqual([undefined, "2026-01-22"]);
  expect(due({ H: "Net 3" })[0]).toBeUndefined();
  expect(due({})).toEqual([undefined, undefined]);
});

test("a good row becomes an invoice in the shape QuickBooks expects", () => {
  const plan = planWith(
    {
      H: "Blue, 12 a box",
      I: "Net 30",
      J: "Y",
      K: "Retail",
      L: "Austin",
      M: "UPS",
      N: "1Z999AA10123456784",
      O: { date: 46044 },
      P: "a@b.co",
      Q: "Thanks",
      R: "internal",
      S: "1 Main St",
      T: "02134",
      U: { date: 46050 },
    },
    {
      headers: [
        "Description",
        "Terms",
        "Taxable",
        "Class",
        "Location",
        "Ship Via",
        "Tracking No",
        "Ship Date",
        "Email",
        "Customer Memo",
        "Private Note",
        "Bill Line 1",
        "Ship Postal Code",
        "Due Date",
      ],
    },
  );
  expect(plan).toEqual({
    dataRows: 1,
    notes: [],
    invoices: [
      {
        key: "number:1001",
        docNumber: "1001",
        rows: [2],
        fileFingerprint: expect.any(String) as string,
        poNumber: null,
        lineRows: null,
        taxCents: null,
        problems: [],
        amountCents: 2700,
        currency: "USD",
        customerName: "Beta LLC",
        read: null,
        draft: {
          CustomerRef: { value: "1", name: "Beta LLC" },
          TxnDate: "2026-01-21",
          DueDate: "2026-01-28",
          DocNumber: "1001",
          SalesTermRef: { value: "20" },
          DepartmentRef: { value: "40", name: "Austin" },
          CustomerMemo: { value: "Thanks" },
          PrivateNote: "internal",
          BillEmail: { Address: "a@b.co" },
          ShipMethodRef: { value: "UPS", name: "UPS" },
          ShipDate: "2026-01-22",
          TrackingNum: "1Z999AA10123456784",
          BillAddr: { Line1: "1 Main St" },
          ShipAddr: { PostalCode: "02134" },
          Line: [
            {
              DetailType: "SalesItemLineDetail",
              Amount: 27,
              Description: "Blue, 12 a box",
              SalesItemLineDetail: {
                ItemRef: { value: "10", name: "Widget 9" },
                Qty: 3,
                UnitPrice: 9,
                TaxCodeRef: { value: "TAX" },
                ClassRef: { value: "30", name: "Retail" },
              },
            },
          ],
        },
      },
    ],
  });
});

test.each<[string, Record<string, CellSpec>, string[], string]>([
  [
    "an unknown item",
    { D: "WIDGET-9" },
    [],
    'D2: "WIDGET-9" isn\'t an item in QuickBooks. Did you mean "Widget 9"?',
  ],
  [
    "an unknown item like nothing else",
    { D: "Zeppelin" },
    [],
    'D2: "Zeppelin" isn\'t an item in QuickBooks.',
  ],
  [
    "an unknown customer",
    { B: "Bta LLC" },
    [],
    'B2: "Bta LLC" isn\'t a customer in QuickBooks. Did you mean "Beta LLC"?',
  ],
  [
    "an ambiguous customer",
    { B: "East" },
    [],
    'B2: "East" matches more than one name in QuickBooks: "Beta LLC:East" and "Gamma Inc:East".',
  ],
  ["an inactive customer", { B: "Old Co" }, [], 'B2: "Old Co" is inactive in QuickBooks.'],
  ["an inactive item", { D: "Retired" }, [], 'D2: "Retired" is inactive in QuickBooks.'],
  ["a category as item", { D: "Parts" }, [], 'D2: "Parts" is a category in QuickBooks, not an item.'],
  ["a bundle as item", { D: "Kit" }, [], 'D2: "Kit" is a bundle in QuickBooks. List its items instead.'],
  [
    "an item not yet in stock",
    { D: "Bolt", C: { date: 46025 } },
    [],
    'D2: "Bolt" is in stock only from January 10, 2026.',
  ],
  [
    "unknown terms",
    { H: "Net 31" },
    ["Terms"],
    'H2: "Net 31" isn\'t a payment term in QuickBooks. Did you mean "Net 30"?',
  ],
  ["an unknown class", { H: "Wholesale" }, ["Class"], 'H2: "Wholesale" isn\'t a class in QuickBooks.'],
  [
    "an unknown location",
    { H: "Astin" },
    ["Location"],
    'H2: "Astin" isn\'t a location in QuickBooks. Did you mean "Austin"?',
  ],
  ["an amount that does not multiply", { G: 30 }, [], "G2: 3 × $9.00 is $27.00, not $30.00."],
  ["a blank customer", { B: null }, [], "B2: Customer is missing."],
  ["a blank date", { C: " " }, [], "C2: Invoice Date is missing."],
  ["an invalid date", { C: "2026-02-30" }, [], "C2: We can't read this date. Type it like this: 1/31/2026."],
  ["a date long ago", { C: { date: 2 } }, [], "C2: The year 1900 can't be right."],
  ["a date in closed books", { C: "2025-12-31" }, [], "C2: The books are closed through December 31, 2025."],
  ["no item on a line with money", { D: null }, [], "D2: Item is missing."],
  ["no figures at all", { E: null, F: null, G: null }, [], "G2: Qty, Rate, and Amount are missing."],
  ["a rate alone", { E: null, G: null }, [], "G2: Qty or Amount is missing."],
  [
    "a quantity alone of an item without price",
    { D: "Freight", F: null, G: null },
    [],
    "F2: Rate is missing: Freight has no price in QuickBooks.",
  ],
  [
    "an amount that gives a quantity with decimals",
    { E: null, F: 89, G: 187 },
    [],
    "E2: Qty is missing: $187.00 ÷ $89.00 isn't a whole number.",
  ],
  [
    "an amount no rate can give",
    { E: 30_000_000, F: null, G: 0.05 },
    [],
    "G2: Rate is missing: $0.05 ÷ 30000000 has too many decimals.",
  ],
  ["a text as quantity", { E: "three" }, [], "E2: Enter a number."],
  ["a European number", { G: "1.234,50" }, [], "G2: Use a decimal point: 1234.50."],
  ["too many decimals", { F: "9.123456" }, [], "F2: Use at most 5 decimals."],
  [
    "a negative invoice",
    { E: -3, G: -27 },
    [],
    "G2: Invoice total is -$27.00. QuickBooks doesn't accept negative invoices; enter a credit memo instead.",
  ],
  [
    "a number of 22 characters",
    { A: "1234567890123456789012" },
    [],
    "A2: This has 22 characters; QuickBooks allows at most 21.",
  ],
  [
    "a number that lost digits",
    { A: 6.14141234567e16 },
    [],
    "A2: Excel cut digits off this number. Type it again.",
  ],
  [
    "a number that Excel shortened",
    { A: "6.14E+16" },
    [],
    "A2: Excel cut digits off this number. Type it again.",
  ],
  [
    "a number that became a date",
    { A: DAY },
    [],
    "A2: Excel made this a date (1/21/2026). Type the value again.",
  ],
  [
    "a long description",
    { H: "x".repeat(4001) },
    ["Description"],
    "H2: This has 4,001 characters; QuickBooks allows at most 4,000.",
  ],
  [
    "a long memo",
    { H: "x".repeat(1001) },
    ["Customer Memo"],
    "H2: This has 1,001 characters; QuickBooks allows at most 1,000.",
  ],
  [
    "a long tracking number",
    { H: "x".repeat(32) },
    ["Tracking No"],
    "H2: This has 32 characters; QuickBooks allows at most 31.",
  ],
  [
    "a character beyond Latin-1",
    { H: "Widget → box" },
    ["Description"],
    "H2: QuickBooks doesn't accept the character → (U+2192).",
  ],
  ["an invalid e-mail", { H: "ann at b.co" }, ["Email"], "H2: This isn't an email address."],
  ["neither yes nor no", { H: "maybe" }, ["Taxable"], "H2: Enter Y or N."],
  ["a foreign currency", { H: "EUR" }, ["Currency"], "H2: QuickBooks bills Beta LLC in USD, not EUR."],
  [
    "an error cell",
    { G: { xml: '<c r="G2" t="e"><f>1/0</f><v>#DIV/0!</v></c>' } },
    [],
    "G2: The formula shows #DIV/0!.",
  ],
  [
    "a formula never calculated",
    { G: { xml: '<c r="G2"><f>E2*F2</f></c>' } },
    [],
    "G2: The formula has no saved result. Open the file in Excel, save it, and upload it again.",
  ],
])(
  "%s is an error that names the cell, the value and the fix, and nothing is sent",
  (_, cells, headers, sentence) => {
    const plan = planWith(cells, { headers });
    expect(sentences(plan)).toEqual([sentence]);
    expect(plan.invoices.map(({ draft }) => draft)).toEqual([null]);
    const [problem] = plan.invoices.flatMap(({ problems }) => problems);
    expect(problem).toMatchObject({ severity: "error", row: 2 });
    expect(cellName(problem?.column ?? 0, 2)).toBe(sentence.split(":")[0]);
  },
);

test.each<[string, Record<string, CellSpec>, string[], string]>([
  [
    "a due date before the invoice date",
    { H: "2026-01-20" },
    ["Due Date"],
    "H2: Due Date January 20, 2026 is before Invoice Date January 21, 2026.",
  ],
  [
    "a UPS number with a wrong check digit",
    { H: "1Z999AA10123456785" },
    ["Tracking No"],
    "H2: This looks like a UPS number with a typo: its last digit should be 4.",
  ],
  ["a date without date format", { C: 46043 }, [], "C2: We read the number 46043 as January 21, 2026."],
  ["a quantity worked out", { E: null }, [], "E2: Qty calculated from Amount ÷ Rate"],
  ["a rate worked out", { F: null }, [], "F2: Rate calculated from Amount ÷ Qty"],
  [
    "a blank rate with a price in the books",
    { F: null, G: null },
    [],
    "F2: Rate taken from QuickBooks: 3 × $9.00 = $27.00",
  ],
])("%s is a warning, and the invoice is sent", (_, cells, headers, sentence) => {
  const plan = planWith(cells, { headers });
  expect(sentences(plan)).toEqual([sentence]);
  expect(plan.invoices[0]?.draft).not.toBeNull();
});

test.each<[string, Record<string, CellSpec>, object, number]>([
  [
    "quantity and rate",
    { E: 3, F: 9.125, G: null },
    { Amount: 27.38, SalesItemLineDetail: { Qty: 3, UnitPrice: 9.125 } },
    2738,
  ],
  [
    "quantity and amount",
    { E: 3, F: null, G: 10 },
    { Amount: 10, SalesItemLineDetail: { Qty: 3, UnitPrice: 3.33333 } },
    1000,
  ],
  [
    "rate and amount",
    { E: null, F: 9, G: 27 },
    { Amount: 27, SalesItemLineDetail: { Qty: 3, UnitPrice: 9 } },
    2700,
  ],
  [
    "amount alone",
    { E: null, F: null, G: 12.34 },
    { Amount: 12.34, SalesItemLineDetail: { ItemRef: { value: "10" } } },
    1234,
  ],
  [
    "float noise",
    { E: 3, F: 0.1, G: 0.30000000000000004 },
    { Amount: 0.3, SalesItemLineDetail: { Qty: 3, UnitPrice: 0.1 } },
    30,
  ],
  ["halves, rounded away from zero", { E: 3, F: 0.335, G: 1.01 }, { Amount: 1.01 }, 101],
  [
    "numbers as text",
    { E: " 3 ", F: "$1,234.50", G: "3,703.50" },
    { Amount: 3703.5, SalesItemLineDetail: { Qty: 3, UnitPrice: 1234.5 } },
    370_350,
  ],
])("line amounts are exact: %s", (_, cells, line, cents) => {
  const plan = planWith(cells);
  expect(plan.invoices[0]?.problems.filter(({ code }) => !code.endsWith("_derived"))).toEqual([]);
  expect(plan.invoices[0]?.draft?.Line[0]).toMatchObject(line);
  expect(plan.invoices[0]?.amountCents).toBe(cents);
});

test.each([26.99, 27.01])("an amount of %d for 3 × 9 is an error: one cent is enough", (amount) => {
  expect(planWith({ G: amount }).invoices[0]?.problems.map(({ code }) => code)).toEqual(["amount_differs"]);
});

test("a line with only a description is a line of text", () => {
  const plan = planRows(
    [...HEADERS, "Description"],
    [good, ["1001", null, null, null, null, null, null, "Shipped in two boxes"]],
  );
  expect(plan.invoices[0]?.draft?.Line[1]).toEqual({
    DetailType: "DescriptionOnly",
    Description: "Shipped in two boxes",
    DescriptionLineDetail: {},
  });
  expect(plan.invoices[0]?.amountCents).toBe(2700);
});

test.each<[CellSpec, string, string, string | undefined]>([
  [2134, "MA", "02134", "H2: We read Ship Postal Code 2134 as 02134."],
  [501, "pr", "00501", "H2: We read Ship Postal Code 501 as 00501."],
  [2134, "TX", "2134", "H2: Ship Postal Code 2134 is missing a digit."],
  ["02134", "MA", "02134", undefined],
  ["K1A 0B1", "ON", "K1A 0B1", undefined],
])("postal code %j of %s is sent as %s", (code, state, sent, warning) => {
  const plan = planWith({ H: code, I: state }, { headers: ["Ship Postal Code", "Ship State"] });
  expect(plan.invoices[0]?.draft?.ShipAddr?.PostalCode).toBe(sent);
  expect(sentences(plan)).toEqual(warning === undefined ? [] : [warning]);
});

test("postal codes of other countries are left unchanged", () => {
  const plan = planWith(
    { H: 2134, I: "MA", J: "Australia" },
    { headers: ["Ship Postal Code", "Ship State", "Ship Country"] },
  );
  expect(plan.invoices[0]?.draft?.ShipAddr?.PostalCode).toBe("2134");
});

test.each([
  ["Beta LLC", "1"],
  ["  beta   llc ", "1"],
  ["Beta LLC:East", "2"],
  ["gamma inc : east", "3"],
  ["Ann’s Café", "6"],
])("customer %j is found by full name, else by a loose match", (text, id) => {
  expect(planWith({ B: text }).invoices[0]?.draft?.CustomerRef.value).toBe(id);
});

test.each([
  ["Widget 9", "10"],
  ["WIDGET 9", "10"],
  ["W-009", "10"],
  ["Parts:Bolt", "13"],
  ["Bolt", "13"],
])("item %j is found by name, path or SKU", (text, id) => {
  expect(planWith({ D: text, E: null, F: null }).invoices[0]?.draft?.Line[0]).toMatchObject({
    SalesItemLineDetail: { ItemRef: { value: id } },
  });
});

test("a customer in another currency is billed in that currency", () => {
  expect(planWith({ B: "Maple Ltd" }).invoices[0]?.draft?.CurrencyRef).toEqual({ value: "CAD" });
});

test("a customer in another currency isn't billed the price of the list, which is in the company's own", () => {
  const blank = { E: 2, F: null, G: null };
  expect(sentences(planWith({ ...blank, B: "Maple Ltd" }))).toEqual([
    "F2: Rate is missing: QuickBooks has the price of Widget 9 in USD, and bills Maple Ltd in CAD.",
  ]);
  const isHome = {
    customers: [{ id: "1", name: "Beta LLC", fullName: "Beta LLC", active: true, currency: "USD" }],
  };
  for (const lists of [{}, isHome, { ...isHome, homeCurrency: null }])
    expect(planWith({ ...blank, B: "Beta LLC" }, { lists }).invoices[0]?.amountCents).toBe(1_800);
});

test("a blank number leaves numbering to QuickBooks, requested where the company numbers by hand", () => {
  expect(planWith({ A: null }).invoices[0]).toMatchObject({
    docNumber: null,
    draft: { DocNumber: "AUTO_GENERATE" },
  });
  expect(planWith({ A: null }, { lists: { customNumbers: false } }).invoices[0]?.draft).not.toHaveProperty(
    "DocNumber",
  );
});

test("a number that Excel shows with leading zeros keeps them", () => {
  const rows = [HEADERS, [{ style: 1, value: 42 }, "Beta LLC", "2026-01-21", "Widget 9", 3, 9, 27]];
  const file = buildXlsx({ sheets: [{ name: "S", rows }], formats: ["00000"] });
  expect(planInvoices(findTable(readWorkbook(file)), ACME).invoices[0]?.draft?.DocNumber).toBe("00042");
});

test("a number already in the books is an error with a fix", () => {
  const plan = planWith(
    {},
    { lists: { usedNumbers: new Map([["1001", { id: "9", customer: "Gamma Inc" }]]) } },
  );
  expect(sentences(plan)).toEqual([
    "A2: Invoice 1001 already exists (Gamma Inc). Use another number or leave it out.",
  ]);
  expect(plan.invoices[0]?.draft).toBeNull();
});

test("a number used only by a voided invoice is reported with the way to free it", () => {
  const plan = planWith(
    {},
    { lists: { usedNumbers: new Map([["1001", { id: "9", customer: "Gamma Inc", voided: true }]]) } },
  );
  expect(sentences(plan)).toEqual([
    "A2: Invoice 1001 already exists (Gamma Inc, voided). Use another number, or delete it in QuickBooks.",
  ]);
});

test("PO numbers go into the company's field, or a remark says that they don't", () => {
  const withField = planWith(
    { H: "00123" },
    { headers: ["PO Number"], lists: { poField: { id: "2", name: "PO" } } },
  );
  expect(withField.invoices[0]?.draft?.CustomField).toEqual([
    { DefinitionId: "2", Name: "PO", Type: "StringType", StringValue: "00123" },
  ]);
  const without = planWith({ H: "00123" }, { headers: ["PO Number"] });
  expect(without.invoices[0]?.draft).not.toHaveProperty("CustomField");
  expect(without.notes.map(({ code }) => code)).toEqual(["po_not_sent"]);
});

test("every error of every row is reported at once", () => {
  const plan = planRows(HEADERS, [
    ["1", "X1", "?", "Y1", "a", "b", "c"],
    good,
    ["2", "X2", DAY, "Widget 9", 1, 1, 1],
  ]);
  expect(
    plan.invoices.map(({ problems }) => problems.map(({ column, row }) => cellName(column ?? 0, row))),
  ).toEqual([["B2", "C2", "D2", "E2", "F2", "G2"], [], ["B4"]]);
});

test("text of non-US companies may hold any character", () => {
  const plan = planWith({ H: "株式会社 → ok" }, { headers: ["Description"], lists: { country: "JP" } });
  expect(plan.invoices[0]?.draft?.Line[0]?.Description).toBe("株式会社 → ok");
});

test.each([
  ["A–1", "the character – (U+2013)", "Use - instead."],
  ["Ａ1", "the character Ａ (U+FF21)", "Use another character."],
  ["A\\1", "a backslash (\\)", "Use another character."],
  ["A\n1", "a line break", "Write it on one line."],
])("a number that QuickBooks cannot be queried for is an error in any country: %j", (number, has, cure) => {
  const plan = planWith({ A: number }, { lists: { country: "CA" } });
  expect(plan.invoices[0]?.problems).toMatchObject([
    { row: 2, column: 0, severity: "error", code: "number_not_searchable" },
  ]);
  const text = sentences(plan)[0];
  expect(text).toContain(`QuickBooks can't search for a number with ${has}. ${cure}`);
});

test("planning one invoice of 8,000 lines costs as much as planning 8,000 invoices of one line", () => {
  const listRows = (number: (index: number) => string) =>
    Array.from({ length: 8_000 }, (_, index): CellSpec[] => [number(index), ...good.slice(1)]);
  const sheet = makeTable([HEADERS, ...listRows(() => "1001")]);
  const many = makeTable([HEADERS, ...listRows(String)]);
  const cpuMs = (table: Table): number => {
    const before = process.cpuUsage();
    planInvoices(table, ACME);
    return process.cpuUsage(before).user / 1_000;
  };
  const least = (table: Table) => Math.min(...[1, 2, 3].map(() => cpuMs(table)));
  expect(least(sheet)).toBeLessThan(4 * least(many));
});
