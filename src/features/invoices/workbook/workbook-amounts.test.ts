import fc from "fast-check";
import { expect, test } from "vitest";
import { ACME, planRows, sentences, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import {
  decimalToFixed,
  divideCents,
  fixedToNumber,
  formatMoney,
  formatQty,
  multiplyToCents,
  numberToFixed,
  toCents,
} from "#formats/table/amounts.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns } from "#features/sheets/reading.ts";
import { readNumberText } from "#formats/table/numbers.ts";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";

const fixed = (text: string) => decimalToFixed(text, 5) ?? expect.unreachable(text);

test.each([
  ["3", "0.335", 101n],
  ["3", "0.1", 30n],
  ["1", "1.005", 101n],
  ["-1", "1.005", -101n],
  ["0.00001", "0.00001", 0n],
  ["999999.99999", "999999.99999", 99_999_999_998_000n],
])("%s × %s is exact to the cent", (qty, rate, cents) => {
  expect(multiplyToCents(fixed(qty), fixed(rate))).toBe(cents);
});

test("a product equals what decimal arithmetic on paper gives", () => {
  const decimals = fc.integer({ min: -100_000_000, max: 100_000_000 });
  fc.assert(
    fc.property(decimals, decimals, (a, b) => {
      const [qty, rate] = [BigInt(a), BigInt(b)];
      const cents = multiplyToCents(qty, rate);
      const error = qty * rate - cents * 100_000_000n;
      expect(2n * (error < 0n ? -error : error) <= 100_000_000n).toBe(true);
    }),
  );
});

test("a divided amount multiplies back to the cent, or is not divided", () => {
  fc.assert(
    fc.property(
      fc.bigInt(-10_000_000n, 10_000_000n),
      fc.bigInt(-1_000_000_000n, 1_000_000_000n),
      (cents, qty) => {
        const rate = divideCents(cents, qty);
        if (rate !== undefined) expect(multiplyToCents(qty, rate)).toBe(cents);
        else expect(qty === 0n || qty > 100_000_000n || qty < -100_000_000n || cents !== 0n).toBe(true);
      },
    ),
  );
});

test.each([
  [19.989999999999998, 2, 1_999_000n],
  [0.1 + 0.2, 2, 30_000n],
  [1e-7, 5, 0n],
  [-0.015, 2, -2_000n],
  [1.0000049999, 5, 100_000n],
  [999_999_999_999, 2, 99_999_999_999_900_000n],
  [1e12, 2, undefined],
  [Number.NaN, 2, undefined],
])("the number %d with %d decimals is read as Excel shows it", (value, decimals, expected) => {
  expect(numberToFixed(value, decimals)).toBe(expected);
});

test("what is sent prints as the same decimal", () => {
  expect([fixed("9.99"), fixed("3.33333"), fixed("-0.00001"), fixed("1234567.5")].map(fixedToNumber)).toEqual(
    [9.99, 3.33333, -0.00001, 1234567.5],
  );
  expect([fixed("9"), fixed("9.125"), fixed("-0.5"), fixed("0.33333")].map(formatMoney)).toEqual([
    "9.00",
    "9.125",
    "-0.50",
    "0.33333",
  ]);
  expect([fixed("9"), fixed("100"), fixed("9.50"), fixed("-0.5")].map(formatQty)).toEqual([
    "9",
    "100",
    "9.5",
    "-0.5",
  ]);
  expect(toCents(fixed("1.005"))).toBe(101n);
});

test.each<[string, string | null]>([
  ["1234.5", "1234.50"],
  ["1,234.50", "1234.50"],
  ["$1,234.50", "1234.50"],
  ["-$5", "-5.00"],
  ["$-5", "-5.00"],
  ["USD 12", "12.00"],
  ["€12", "12.00"],
  ["(12.00)", "-12.00"],
  ["($1,000)", "-1000.00"],
  ["12.00-", "-12.00"],
  ["+12", "12.00"],
  ["\u22125", "-5.00"],
  ["1\u00A0234.50", "1234.50"],
  ["1\u2009234", "1234.00"],
  [".5", "0.50"],
  ["5.", "5.00"],
  ["１２", "12.00"],
  ["1.10000", "1.10"],
  ["1.234,50", null],
  ["1234,5", null],
  ["1,23", null],
  ["12,34,567", null],
  ["1,2345", null],
  ["12 %", null],
  ["6.14E+16", null],
  ["1.234", null],
  ["1-2", null],
  ["--5", null],
  ["()", null],
  ["$", null],
  ["0x10", null],
  ["1e5", null],
  ["Infinity", null],
  ["$(12.00)", "-12.00"],
  ["$ (1,234.50)", "-1234.50"],
  ["- $ 5", "-5.00"],
  ["12.50 EUR", "12.50"],
  ["1 234 567.50", "1234567.50"],
  ["(-12.00)", null],
  ["($-12.00)", null],
  ["10 20", null],
  ["10  200", null],
  ["10\n200", null],
  ["10\n20", null],
  ["5, 250", null],
  ["1 234,50", null],
  ["0,125", null],
  ["012,345", null],
  ["12.00 CR", null],
  ["-", null],
  [" $-   ", null],
])("amount text %j", (text, expected) => {
  const read = readNumberText(text, 2);
  expect(read.ok ? formatMoney(read.value) : null).toBe(expected);
});

test("a rate of more than five decimals is accepted where it changes no cent, and where the Amount shows which is meant", () => {
  const plan = planRows(
    ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"],
    [
      ["1", "Beta LLC", "2026-01-20", "Widget 9", 3, 10 / 3, undefined],
      ["2", "Beta LLC", "2026-01-20", "Widget 9", 3000, 10 / 3, 9999.99],
    ],
  );
  expect(sentences(plan)).toEqual([]);
  expect(plan.invoices.map(({ amountCents }) => amountCents)).toEqual([1000, 999_999]);
});

const NUMBER_HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"];
const numbered = (invoice: string, ...numbers: (string | undefined)[]) => [
  invoice,
  "Beta LLC",
  "2026-01-20",
  "Widget 9",
  ...numbers,
];

test("a text too long to be a number costs no processor time", () => {
  const texts = [`1.${"0".repeat(32_000)}1`, `1${" ".repeat(32_000)}2`, `1${",000".repeat(8_000)}`];
  const before = process.cpuUsage();
  for (let times = 0; times < 100; times += 1)
    for (const text of texts) expect(readNumberText(text, 5).ok).toBe(false);
  expect(process.cpuUsage(before).user / 1e3).toBeLessThan(1_000);
});

test("in a file with decimal commas a quantity of 1,000 is not taken for a thousand", () => {
  const plan = planRows(NUMBER_HEADERS, [
    numbered("1", "1,000", "10,50"),
    numbered("2", "2", "1.250"),
    numbered("3", "2", "9"),
  ]);
  expect(sentences(plan)).toEqual([
    "E2: This could be 1000 or 1.000.",
    "F2: Use a decimal point: 10.50.",
    "F3: This could be 1250 or 1.250.",
  ]);
  expect(plan.invoices.map(({ amountCents }) => amountCents)).toEqual([null, null, 1800]);
});

test("one comma typed for a point does not put the file's other numbers in doubt", () => {
  const plan = planRows(NUMBER_HEADERS, [
    numbered("1", "1,000", "10.50"),
    numbered("2", "1", "10,50"),
    numbered("3", "1", "9.99"),
  ]);
  expect(plan.invoices.map(({ amountCents }) => amountCents)).toEqual([1_050_000, null, 999]);
});

test("an amount whose sign is of a currency other than the customer's is not posted", () => {
  const plan = planRows(NUMBER_HEADERS, [
    numbered("1", undefined, undefined, "€1,234.50"),
    numbered("2", "1", "£12.00"),
    numbered("3", "1", "$12.00", "USD 12.00"),
    numbered("4", "1", "C$12.00").with(1, "Maple Ltd"),
  ]);
  expect(sentences(plan)).toEqual([
    "G2: This is in EUR; QuickBooks bills Beta LLC in USD.",
    "F3: This is in GBP; QuickBooks bills Beta LLC in USD.",
  ]);
  expect(plan.invoices.map(({ draft }) => draft !== null)).toEqual([false, false, true, true]);
});

const formatted = (formats: readonly string[], rows: readonly (readonly CellSpec[])[]) =>
  planInvoices(
    findTable(readWorkbook(buildXlsx({ sheets: [{ name: "S", rows: [NUMBER_HEADERS, ...rows] }], formats }))),
    ACME,
  );

test("an invoice number is what its format shows, not the digits behind it", () => {
  const shown = (style: number, value: number) => [
    { style, value },
    "Beta LLC",
    "2026-01-20",
    "Widget 9",
    1,
    9,
  ];
  const plan = formatted(
    ['"INV-"0000', "000-000"],
    [shown(1, 12), shown(2, 12), [12, ...shown(1, 12).slice(1)]],
  );
  expect(plan.invoices.map(({ docNumber }) => docNumber)).toEqual(["INV-0012", "000-012", "12"]);
});

test("hours that Excel stores as part of a day are not taken for a quantity", () => {
  const row = (style: number) => ["1", "Beta LLC", "2026-01-20", "Widget 9", { style, value: 8.5 / 24 }, 100];
  const sentence = "E2: Enter the hours as a number: 8.5.";
  expect(sentences(formatted(["[h]:mm"], [row(1)]))).toEqual([sentence]);
  expect(sentences(formatted(["h:mm"], [row(1)]))).toEqual([sentence]);
});

test("an amount whose cell shows a currency other than the customer's is not posted", () => {
  const row = ["1", "Beta LLC", "2026-01-20", "Widget 9", undefined, undefined, { style: 1, value: 1234.5 }];
  expect(sentences(formatted(["[$€-407] #,##0.00"], [row]))).toEqual([
    "G2: This is in EUR; QuickBooks bills Beta LLC in USD.",
  ]);
  expect(sentences(formatted(["[$$-409]#,##0.00"], [row]))).toEqual([]);
});

test.each([
  ["[$₹-4009]#,##0.00", "INR", "₹"],
  ["[$A$-C09]#,##0.00", "AUD", "A$"],
  ['"C$"#,##0.00', "CAD", "C$"],
  ['"CA$ "#,##0.00', "CAD", "CA$"],
  ['#,##0.00" ₹"', "INR", "₹"],
  ["[$zł-415]#,##0.00", "PLN", "ZŁ"],
  ["[$kr-41D]#,##0.00", "SEK or NOK or DKK", "KR"],
  ["[$kr.-406]#,##0.00", "SEK or NOK or DKK", "KR."],
  ["[$Kč-405]#,##0.00", "CZK", "KČ"],
  ["[$￥-804]#,##0.00", "JPY or CNY", "￥"],
  ["[$₪-40D]#,##0.00", "ILS", "₪"],
  ["[$лв-402]#,##0.00", "ЛВ", "ЛВ"],
])(
  "an amount that the format %s shows is in %s, and the page gives the total no currency",
  (format, codes) => {
    const row = [
      "1",
      "Beta LLC",
      "2026-01-20",
      "Widget 9",
      undefined,
      undefined,
      { style: 1, value: 1234.5 },
    ];
    expect(sentences(formatted([format], [row]))).toEqual([
      `G2: This is in ${codes}; QuickBooks bills Beta LLC in USD.`,
    ]);
    const bytes = buildXlsx({ sheets: [{ name: "S", rows: [NUMBER_HEADERS, row] }], formats: [format] });
    expect(
      inspectColumns(invoiceSheet, bytes, { fileName: "s.xlsx", chosen: new Map() }).currency,
    ).toBeNull();
  },
);

test.each(['"$"#,##0.00', '"US$"#,##0.00', '_("$"* #,##0.00_)', "[$USD] #,##0.00", '"TOTAL$"0.00'])(
  "an amount that the format %s shows is in dollars",
  (format) => {
    const row = ["1", "Beta LLC", "2026-01-20", "Widget 9", undefined, undefined, { style: 1, value: 12.5 }];
    expect(sentences(formatted([format], [row]))).toEqual([]);
    const bytes = buildXlsx({ sheets: [{ name: "S", rows: [NUMBER_HEADERS, row] }], formats: [format] });
    expect(inspectColumns(invoiceSheet, bytes, { fileName: "s.xlsx", chosen: new Map() }).currency).toBe(
      "USD",
    );
  },
);

test("the currency of the customer may be shown, also that of shipping and fees of each row", () => {
  const plan = (customer: string) => {
    const headers = [...NUMBER_HEADERS, "Line Shipping", "Line Fee"];
    const charge = { style: 1, value: 5 };
    const rows = [headers, ["1", customer, "2026-01-20", "Widget 9", 1, 9, 9, charge, charge]];
    const workbook = buildXlsx({ sheets: [{ name: "S", rows }], formats: ['"C$"#,##0.00'] });
    const fee = { id: "19", name: "Line Fee", fullName: "Line Fee", type: "Service", active: true } as const;
    return sentences(
      planInvoices(findTable(readWorkbook(workbook)), { ...ACME, items: [...ACME.items, fee] }),
    );
  };
  expect(plan("Maple Ltd")).toEqual([]);
  const sentence = "This is in CAD; QuickBooks bills Beta LLC in USD.";
  expect(plan("Beta LLC")).toEqual([`H2: ${sentence}`, `I2: ${sentence}`]);
});

test("a percentage is reported before it becomes a few cents", () => {
  const row = ["1", "Beta LLC", "2026-01-20", "Widget 9", 1, { style: 1, value: -0.1 }];
  const other = ["1", "Beta LLC", "2026-01-20", "Widget 9", 1, 9];
  expect(sentences(formatted(["0%"], [other, row]))).toEqual(["F3: We read -10% as the number -0.1."]);
});

test("a description that Excel turned into a date is reported as it will be sent", () => {
  const headers = [...NUMBER_HEADERS, "Description"];
  const row = ["1", "Beta LLC", "2026-01-20", "Widget 9", 1, 9, 9, { date: 46_054 }];
  const plan = planRows(headers, [row]);
  expect(sentences(plan)).toEqual(["H2: Excel made this a date. We read it as 2/1/2026."]);
  expect(plan.invoices[0]?.draft?.Line[0]?.Description).toBe("2/1/2026");
});

test("SH-05 a discount that may be a percentage or an amount is asked about with both answers, and columns of Xero decide the guess", () => {
  const inspect = (headers: string[], row: CellSpec[]) =>
    inspectColumns(invoiceSheet, buildXlsx({ sheets: [{ name: "S", rows: [headers, row] }] }), {
      fileName: "s.xlsx",
      chosen: new Map(),
    }).columns.find(({ header }) => header === "Discount");
  const headers = [
    "InvoiceNumber",
    "ContactName",
    "InvoiceDate",
    "Item",
    "Quantity",
    "UnitAmount",
    "Discount",
  ];
  const row: CellSpec[] = ["X-1", "Beta LLC", "2026-11-20", "Widget 9", 2, 100, 10];
  const reason = "Is it a percentage or an amount?";
  const both = ["lineDiscountPercent", "discount"];
  expect(inspect(headers, row)).toMatchObject({ guess: "lineDiscountPercent", reason, choices: both });
  const others = headers.map((header) => (header === "UnitAmount" ? "Price" : header));
  expect(inspect(others, row)).toMatchObject({ guess: "discount", reason, choices: both.toReversed() });
  expect(inspect(others, row.with(6, 110))).toMatchObject({ reason: "Used for the amount" });
});

test.each([
  "Qty Returned",
  "Backordered Qty",
  "Minimum Fee",
  "Markup Rate",
  "Billable %",
  "% Complete",
  "Minimum",
])("SH-05 nothing is proposed for %s, whose numbers only a user can apply", (header) => {
  const text = `Invoice No,Customer,Invoice Date,Item,Amount,${header}\nX-1,Beta LLC,2026-11-20,Widget 9,20,50`;
  const { columns } = inspectColumns(invoiceSheet, Buffer.from(text), {
    fileName: "s.csv",
    chosen: new Map(),
  });
  expect(columns[5]).toMatchObject({ field: null, guess: null, reason: "May change the amount" });
});
