import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { expect, test } from "vitest";
import {
  ACME,
  planRows,
  refusalText,
  sentences,
  makeTable,
  planInvoices,
} from "#features/invoices/fixtures/plan-rows.ts";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { run as inspectWorkbook } from "#features/invoices/workbook/inspect-workbook.ts";
import { openFile } from "#features/sheets/reading.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import { refuseUnclearDates } from "#formats/table/date-order.ts";
import { provenOrder, readDateText } from "#formats/table/dates.ts";

test("an ambiguous date is asked about even with a non-breaking space", () => {
  const table = makeTable([HEADERS, ["1", "Beta LLC", "Widget 9", 5, "\u00A003/04/2026\u200B"]]);
  expect(refusalText(() => refuseUnclearDates(table, null))).toMatch(
    /Is 03\/04\/2026 in E2 March 4 or April 3\?/,
  );
  expect(() => refuseUnclearDates(table, "dmy")).not.toThrow();
});

const dated = (...dates: CellSpec[]) => {
  const rows = dates.map((date, index) => [`${index}`, "Beta LLC", "Widget 9", 5, date]);
  return buildXlsx({ sheets: [{ name: "S", rows: [HEADERS, ...rows] }] });
};
const inspect = (bytes: Uint8Array) => () =>
  inspectWorkbook(bytes, { fileName: "a.xlsx", chosen: new Map(), dateOrder: "mdy" });
const [FEBRUARY_1, MARCH_5, MARCH_20, MARCH_3] = [
  { date: 46_054 },
  { date: 46_086 },
  { date: 46_101 },
  { date: 46_084 },
];

test("a file in whose dates Excel swapped day and month is refused, naming the dates", () => {
  const swapped = dated(FEBRUARY_1, "13/01/2026", MARCH_5, "25/02/2026", "14/01/2026 ", MARCH_3);
  expect(refusalText(inspect(swapped))).toBe(
    'Excel seems to have swapped day and month in column "Invoice Date": its dates with the day first, such as "13/01/2026" in E3, stayed text, and no real date in it, such as "2/1/2026" in E2, has a day after the 12th. So Excel read the file with the month first. Upload the original file, from before Excel opened it, or write all dates of the column with the month\'s name: January 31, 2026.',
  );
  expect(refusalText(inspect(dated(FEBRUARY_1, "01/13/2026", MARCH_5, "02/25/2026")))).toMatch(
    /with the month first, such as/,
  );
});

test.each<[string, CellSpec[]]>([
  ["a real date after the 12th", [FEBRUARY_1, "13/01/2026", MARCH_5, "25/02/2026", MARCH_20]],
  ["texts of both orders", [FEBRUARY_1, "13/01/2026", MARCH_5, "02/25/2026"]],
  ["a text that both orders can read", [FEBRUARY_1, "13/01/2026", MARCH_5, "25/02/2026", "03/04/2026"]],
  ["one text among real dates", [FEBRUARY_1, "13/01/2026", MARCH_5]],
  [
    "many real dates for each text",
    [FEBRUARY_1, MARCH_5, FEBRUARY_1, MARCH_5, FEBRUARY_1, "13/01/2026", "14/01/2026"],
  ],
  ["dates that read the same both ways", [MARCH_3, MARCH_3, "13/01/2026", "25/02/2026"]],
])("a column with %s is not mistaken for one that Excel swapped", (_, dates) => {
  expect(inspect(dated(...dates))).not.toThrow();
});

test.each([
  ["2026-01-02", "2026-01-02"],
  ["2026/1/2", "2026-01-02"],
  ["2026-01-02T10:30:00Z", "2026-01-02"],
  ["1/31/2026", "2026-01-31"],
  ["31/1/2026", "2026-01-31"],
  ["1/31/26", "2026-01-31"],
  ["31.01.2026", "2026-01-31"],
  ["1-31-2026 00:00", "2026-01-31"],
  ["2-Jan-26", "2026-01-02"],
  ["2 January 2026", "2026-01-02"],
  ["Jan 2, 2026", "2026-01-02"],
  ["January 2nd, 2026", "2026-01-02"],
  ["Sept 3 2026", "2026-09-03"],
  ["2/2/2026", "2026-02-02"],
  ["29-Feb-2028", "2028-02-29"],
  ["1/2/76", undefined],
  ["29-Feb-2026", undefined],
  ["13/13/2026", undefined],
  ["2026-13-01", undefined],
  ["1/2", undefined],
  ["Jan 2026", undefined],
  ["Janus 2, 2026", undefined],
  ["1/2-2026", undefined],
  ["tomorrow", undefined],
])("the text %j is a date or is not", (text, iso) => {
  const read = readDateText(text, "mdy");
  expect(read.kind === "date" ? read.iso : undefined).toBe(iso);
});

test("a date that both orders can read follows the order of the column", () => {
  expect(readDateText("01/02/2026", "mdy")).toEqual({
    kind: "either",
    iso: "2026-01-02",
    other: "2026-02-01",
  });
  expect(readDateText("01/02/2026", "dmy")).toEqual({
    kind: "either",
    iso: "2026-02-01",
    other: "2026-01-02",
  });
});

test.each<[string[], string | undefined]>([
  [["01/02/2026"], undefined],
  [["01/02/2026", "25/02/2026"], "dmy"],
  [["01/02/2026", "02/25/2026"], "mdy"],
  [["01/02/2026 00:00", "25/02/2026 00:00"], "dmy"],
  [["25/02/2026", "02/25/2026"], "mixed"],
  [["2026-01-25", "25-Jan-2026", "", "31/02/2026x"], undefined],
])("the dates of a column of %j prove %s", (texts, order) => {
  expect(provenOrder(texts)).toBe(order);
});

const HEADERS = ["Invoice No", "Customer", "Item", "Amount", "Invoice Date"];
const planDates = (...dates: string[]) =>
  planRows(
    HEADERS,
    dates.map((date, index) => [String(index), "Beta LLC", "Widget 9", 5, date]),
  );

test("the user is informed once how ambiguous dates are read", () => {
  const plan = planDates("03/04/2026", "05/04/2026", "25/04/2026");
  expect(plan.invoices.map(({ draft }) => draft?.TxnDate)).toEqual([
    "2026-04-03",
    "2026-04-05",
    "2026-04-25",
  ]);
  expect(plan.notes.map((each) => problemText(each))).toEqual([
    "E2: We read 03/04/2026 as April 3 because this file puts the day first.",
  ]);
});

test.each([
  [["03/04/2026", "25/05/2026"], "mdy", ["2026-04-03"], "April 3 because this file puts the day"],
  [["03/04/2026", "05/06/2026"], "mdy", ["2026-03-04"], "March 4 because your company's files put the month"],
] as const)(
  "an invoice date of %j is read as the file's other dates prove, else as remembered (%s)",
  ([date, due], dateOrder, dates, readAs) => {
    const plan = planRows([...HEADERS, "Due Date"], [["1", "Beta LLC", "Widget 9", 5, date, due]], {
      dateOrder,
    });
    expect(plan.invoices.map(({ draft }) => draft?.TxnDate)).toEqual(dates);
    expect(plan.notes[0] && problemText(plan.notes[0])).toBe(`E2: We read 03/04/2026 as ${readAs} first.`);
  },
);

test("in a column with both orders an ambiguous date is an error, an unambiguous one is not", () => {
  const plan = planDates("25/04/2026", "04/26/2026", "03/04/2026");
  expect(sentences(plan)).toEqual(["E4: This could be March 4, 2026 or April 3, 2026."]);
  expect(plan.invoices.map(({ draft }) => draft?.TxnDate)).toEqual(["2026-04-25", "2026-04-26", undefined]);
});

test("a plain number in a 1904 workbook is the day that Excel shows once it is formatted as a date", () => {
  const rows = [
    HEADERS,
    ["1", "Beta LLC", "Widget 9", 5, 44_638],
    ["2", "Beta LLC", "Widget 9", 5, { date: 44_638 }],
  ];
  const bytes = buildXlsx({ sheets: [{ name: "Invoices", rows }], date1904: true });
  const plan = planInvoices(findTable(openFile(bytes)), ACME);
  expect(plan.invoices.map(({ draft }) => draft?.TxnDate)).toEqual(["2026-03-19", "2026-03-19"]);
  expect(sentences(plan)).toEqual(["E2: We read the number 44638 as March 19, 2026."]);
});

test("a date years away from today is reported, since its year may be mistyped", () => {
  const rows = ["2026-02-01", "2062-02-01", "26-01-13", "2023-05-05", "26-11-24", "26.02.26", "20-11-25"].map(
    (date, index) => [String(index), "Beta LLC", "Widget 9", 5, date],
  );
  const plan = planRows(HEADERS, rows, { today: "2026-03-01", closedThrough: null });
  expect(sentences(plan)).toEqual([
    "E3: Invoice Date February 1, 2062 is 36 years ahead.",
    "E4: We read Invoice Date 26-01-13 as January 26, 2013. If it is January 13, 2026, type 2026-01-13.",
    "E6: We read Invoice Date 26-11-24 as November 26, 2024. If it is November 24, 2026, type 2026-11-24.",
  ]);
  expect(plan.invoices.every(({ draft }) => draft !== null)).toBe(true);
});
