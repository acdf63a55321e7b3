import { expect, test } from "vitest";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns, type InspectedSheet } from "#features/sheets/reading.ts";
import { doubleField, findOverlaps, isInRead, totalWith } from "#features/sheets/web/rules-answers.ts";
import { findBilled } from "#features/sheets/web/rules-row-marks.ts";
import { acceptPage } from "../../../../test/corpus/accept-page.ts";
import { makeMoneySheet } from "../../../../test/corpus/money-sheets.ts";
import { readCase } from "../../../../test/corpus/plan-case.ts";
import { planMoneySheet } from "../../../../test/corpus/plan-money-sheet.ts";
import { everyNthNumber } from "../../../../test/support/rules/every-nth.ts";

type File = { fileName: string; bytes: Uint8Array };

const ask = ({ fileName, bytes }: File, chosen: ReadonlyMap<string, string> = new Map()): InspectedSheet =>
  inspectColumns(invoiceSheet, bytes, { fileName, chosen });

const caseFile = (file: string): File => ({ fileName: file, bytes: readCase(file) });

const readMeanings = ({ columns }: InspectedSheet) =>
  columns.map(({ field, guess }) => field ?? guess ?? "ignore");

const openIn = ({ columns, row_marks: marks }: InspectedSheet) => [
  ...columns.flatMap(({ header, reason }) => (reason === null ? [] : [header])),
  ...marks.flatMap(({ header, values }) =>
    values.some((value) => value.is_billed === null) ? [header] : [],
  ),
];

const SHEETS = everyNthNumber(100, 3).map((at) => makeMoneySheet(at * 3 + 2));

test("SH-06 in generated sheets, no question follows after those of one page are answered", () => {
  const later = SHEETS.flatMap((sheet) => {
    const seen = ask(sheet);
    const left = openIn(ask(sheet, acceptPage(seen, { unknown: true })));
    return left.length > 0 ? [`${sheet.seed} ${sheet.tool}: ${left.join()}`] : [];
  });
  expect(later).toEqual([]);
});

test("SH-06 in generated sheets, the total of the page is what the file would post", () => {
  let compared = 0;
  const different = SHEETS.flatMap((sheet) => {
    const seen = ask(sheet);
    const outcome = planMoneySheet(sheet, acceptPage(seen));
    // An invoice that is held back has no total.
    if (!("plan" in outcome)) return [];
    const { invoices } = outcome.plan;
    if (invoices.some(({ draft }) => draft === null)) return [];
    compared += 1;
    const posted = invoices.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0);
    const total = totalWith(seen, readMeanings(seen), findBilled(seen.row_marks, new Map()));
    const facts = { records: invoices.length, cents: posted };
    return JSON.stringify(total) === JSON.stringify(facts)
      ? []
      : [`${sheet.seed} ${sheet.tool}: ${JSON.stringify(total)} for ${JSON.stringify(facts)}`];
  });
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(SHEETS.length / 5);
});

test("SH-06 SH-07 all questions of a marketplace's report are on one page, and none offers a tax or an id as the Rate", () => {
  const seen = ask(caseFile("h08-amazon-orders.txt"));
  expect(openIn(ask(caseFile("h08-amazon-orders.txt"), acceptPage(seen)))).toEqual([]);
  expect(seen.columns.filter(({ guess, field }) => (field ?? guess) === "rate")).toEqual([]);
});

test("SH-07 with amounts, a column is offered as the Rate only if its values prove it, and ids and zeros never as money", () => {
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Qty,Amount,order-item-id,Cost center,Surcharge,Price in dollars",
    "A-1,Cool Cars,2026-11-20,Hammer,2,10,5511,4100,0,5",
    "A-2,Cool Cars,2026-11-20,Hammer,3,7.50,5512,4100,0.00,2.50",
  ].join("\n");
  const seen = ask({ fileName: "x.csv", bytes: Buffer.from(text) });
  expect(seen.columns.slice(6).map(({ header, guess, reason }) => [header, guess, reason])).toEqual([
    ["order-item-id", null, null],
    ["Cost center", null, "May change the amount"],
    ["Surcharge", null, null],
    ["Price in dollars", "rate", "Used for the amount"],
  ]);
});

test("SH-01 a refund of the whole amount is asked about, though it repeats the amount", () => {
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Amount,Refund amount",
    "A-1,Cool Cars,2026-11-20,Hammer,10,10",
    "A-2,Cool Cars,2026-11-20,Hammer,20,",
  ].join("\n");
  const [refund] = ask({ fileName: "x.csv", bytes: Buffer.from(text) }).columns.slice(5);
  expect([refund?.guess, refund?.reason, refund?.sum]).toEqual([null, "May change the amount", "10.00"]);
});

test("SH-07 with amounts but no quantities, which prove no price, nothing is offered as the Rate", () => {
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Amount,Hazmat cost",
    "A-1,Cool Cars,2026-11-20,Hammer,200,10",
    "A-2,Cool Cars,2026-11-20,Hammer,100,18",
  ].join("\n");
  const [cost] = ask({ fileName: "x.csv", bytes: Buffer.from(text) }).columns.slice(5);
  expect([cost?.guess, cost?.reason]).toEqual([null, "May change the amount"]);
});

const chargeColumn = (header: string, cells: readonly CellSpec[]) => {
  const rows: CellSpec[][] = [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", header],
    ...cells.map((cell, at): CellSpec[] => [`A-${at}`, "Cool Cars", "2026-11-20", "Hammer", 100, cell]),
  ];
  return ask({ fileName: "x.xlsx", bytes: buildXlsx({ sheets: [{ name: "S", rows }], formats: FORMATS }) })
    .columns[5];
};
const FORMATS = ['0"%"', '"$"0', '"JS-"0000', "00000", '"P-"0'];

test.each<[string, CellSpec[], string]>([
  ["floats of a script", ["3.3350000000000004", "2.0149999999999997"], "5.35"],
  ["percentages of a format with a text", [{ value: 10, style: 1 }], "10.00"],
  ["dollars of a format with a text", [{ value: 10, style: 2 }], "10.00"],
  ["words after a percentage", ["10% off", "10% off"], ""],
  ["a decimal comma", ["3,35", "3,35"], ""],
  ["errors of formulas", [{ xml: '<c r="F2" t="e"><v>#REF!</v></c>' }], ""],
  ["one amount among words", ["waived", "75.00", "waived", "waived"], "75.00"],
  ["a sign and words", ["waived", "waived", "waived", "$5 flat"], ""],
])("SH-01 %s under the header of a charge are asked about", (_, cells, sum) => {
  for (const header of ["Discount", "Handling", "Setup"]) {
    const found = chargeColumn(header, cells);
    expect([header, found?.reason === null, found?.sum ?? ""]).toEqual([header, false, sum]);
  }
});

test("SH-06 the total of the page counts numbers that their format shows with a text or as a percentage, as they are billed", () => {
  const formats = ['0" pcs"', '"$"0', "0%", '0"%"'];
  const styled = (style: number, value: number): CellSpec => ({ style, value });
  const rows: CellSpec[][] = [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount", "Invoice Discount"],
    [
      "A-1",
      "Beta LLC",
      "2026-01-20",
      "Widget 9",
      styled(1, 3),
      styled(2, 100),
      styled(2, 300),
      styled(3, 0.1),
    ],
    ["A-2", "Beta LLC", "2026-01-21", "Widget 9", styled(1, 7), styled(2, 100), styled(2, 700), styled(4, 5)],
    ["A-3", "Beta LLC", "2026-01-22", "Widget 9", 50, styled(3, 0.2), null, "10%"],
    ["Total", null, null, null, null, null, styled(2, 1000), null],
  ];
  const bytes = buildXlsx({ sheets: [{ name: "S", rows }], formats });
  const seen = ask({ fileName: "x.xlsx", bytes });
  expect(totalWith(seen, readMeanings(seen), [])).toEqual({ records: 3, cents: 27_000 + 66_500 + 900 });
  const table = findTable(readWorkbook(bytes));
  expect(planInvoices(table, ACME).invoices.map(({ amountCents }) => amountCents)).toEqual([
    27_000, 66_500, 900,
  ]);
  expect(seen.totals).toEqual([
    expect.stringMatching(/^Row 5 says 1000\.00; its rows add up to 1010\.00 \(10\.00 more\)\./),
  ]);
  const units = ask(caseFile("f22-quantities-formatted-with-units.xlsx"));
  expect(totalWith(units, readMeanings(units), [])?.cents).toBe(21_500);
});

test("SH-01 words, zeros, dates and days under the header of a charge are not asked about, nor a padded id elsewhere", () => {
  const isAsked = (header: string, cells: readonly CellSpec[]) =>
    chargeColumn(header, cells)?.reason !== null;
  expect(isAsked("Discount", ["none", "waived", "0.00", "0% off"])).toBe(false);
  expect(isAsked("Delivery", ["11.20.2026", "2026-11-20", "2 days", "next day"])).toBe(false);
  expect(
    isAsked("Job sheet", [
      { value: 17, style: 3 },
      { value: 4, style: 4 },
    ]),
  ).toBe(false);
  expect(
    isAsked("Job sheet", [
      { value: 12, style: 5 },
      { value: 13, style: 5 },
    ]),
  ).toBe(false);
});

test("SH-05 SH-06 each answer of a discount that may be a percentage has its total", () => {
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Qty,UnitAmount,Discount",
    "A-1,Cool Cars,2026-11-20,Hammer,1,200,10",
  ].join("\n");
  const seen = ask({ fileName: "x.csv", bytes: Buffer.from(text) });
  const at = seen.columns.findIndex(({ header }) => header === "Discount");
  const cents = (answer: string) =>
    totalWith(
      seen,
      readMeanings(seen).map((meaning, index) => (index === at ? answer : meaning)),
      [],
    )?.cents;
  expect(seen.columns[at]?.choices).toEqual(["lineDiscountPercent", "discount"]);
  expect(["lineDiscountPercent", "discount", "ignore"].map(cents)).toEqual([18_000, 19_000, 20_000]);
});

test("an invoice without a currency among those in another one leaves the total of the page without a sign", () => {
  const currency = (...rows: string[]) => {
    const text = ["Invoice No,Customer,Invoice Date,Item,Amount,Currency", ...rows].join("\n");
    return ask({ fileName: "x.csv", bytes: Buffer.from(text) }).currency;
  };
  const row = (number: string, code: string) => `${number},Cool Cars,2026-11-20,Hammer,10,${code}`;
  expect(currency(row("A-1", "EUR"), row("A-2", ""))).toBeNull();
  expect(currency(row("A-1", "USD"), row("A-2", ""))).toBe("USD");
  // Exports have it on the first row of an invoice, and a total has none.
  expect(currency(row("A-1", "EUR"), row("A-1", ""), "Total,,,,20,")).toBe("EUR");
});

test("SH-06 the total of 10,000 rows in three sheets follows a changed answer within 300 ms", () => {
  const header = "Invoice No,Customer,Invoice Date,Item,Qty,Rate,Shipping,Discount,Financial Status".split(
    ",",
  );
  const rows = Array.from({ length: 10_000 }, (_, at) => [
    `N-${at}`,
    "Cool Cars",
    "2026-11-20",
    "Hammer",
    at % 7,
    19.95,
    6,
    1,
    at % 9 === 0 ? "voided" : "paid",
  ]);
  const sheets = [0, 1, 2].map((month) => ({
    name: `Month ${month}`,
    rows: [header, ...rows.filter((_, at) => at % 3 === month)],
  }));
  const seen = ask({ fileName: "x.xlsx", bytes: buildXlsx({ sheets }) });
  const [meanings, marks] = [readMeanings(seen), findBilled(seen.row_marks, new Map())];
  totalWith(seen, meanings, marks);
  // A busy machine changes no processor time.
  const before = process.cpuUsage();
  expect(totalWith(seen, meanings, marks)?.records).toBe(10_000 - 1_112);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(300);
});

test("SH-06 a field may have a column in each of two sheets, not two in one, and each is asked about and repeats another only while its sheets are read", () => {
  const header = ["Customer", "Invoice Date", "Item", "Amount"];
  const row = ["Cool Cars", "2026-11-20", "Hammer", 10];
  const sheets = ["Courier", "Postal", "Drop"].map((charge, at) => ({
    name: `Month ${at}`,
    rows: [
      [...header, `${charge} charge`],
      [...row, at + 1],
    ],
  }));
  const seen = ask({ fileName: "x.xlsx", bytes: buildXlsx({ sheets }) });
  const charges = seen.columns.filter(({ reason }) => reason !== null);
  expect(charges.map(({ column, header: name }) => [column, name])).toEqual([
    ["E", "Courier charge"],
    ["Month 1!E", "Postal charge"],
    ["Month 2!E", "Drop charge"],
  ]);
  const fields = [{ field: "shipping", header: "Shipping", required: false, unless: [] }];
  const meanings = seen.columns.map(({ field, reason }) => (reason === null ? (field ?? "") : "shipping"));
  expect(doubleField({ ...seen, fields }, meanings)).toBeNull();
  expect(totalWith(seen, meanings, [])?.cents).toBe(3_600);
  const inOne = { ...seen, fields, columns: seen.columns.map((column) => ({ ...column, sheets: [] })) };
  expect(doubleField(inOne, meanings)).toBe("Shipping");
  expect(findOverlaps(seen)).toHaveLength(3);
  const first = seen.sheets.map(({ sheet }, at) => ({ sheet, is_read: at === 0 }));
  expect(findOverlaps({ ...seen, sheets: first })).toEqual([]);
  expect(charges.map((column) => isInRead({ sheets: first }, column))).toEqual([true, false, false]);
});
