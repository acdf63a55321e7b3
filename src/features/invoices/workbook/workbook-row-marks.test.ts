import { describe, expect, test } from "vitest";
import { FileRefused, listParam } from "#formats/facts.ts";
import { layoutKey, rowMarkKey, toQuestion } from "#formats/table/row-mark-keys.ts";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { CellValue } from "#formats/xlsx/workbook.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns, openFile } from "#features/sheets/reading.ts";
import { acceptPage } from "../../../../test/corpus/accept-page.ts";
import { CASE_OUTCOMES } from "../../../../test/corpus/case-outcomes.ts";
import { createRandom } from "../../../../test/corpus/random.ts";
import { makeMoneySheet } from "../../../../test/corpus/money-sheets.ts";
import { readCase } from "../../../../test/corpus/plan-case.ts";
import { everyNthNumber } from "../../../../test/support/rules/every-nth.ts";

type Cell = CellValue | undefined;
type Rows = readonly Cell[][];

const WORKBOOK = readWorkbook(buildXlsx({ sheets: [{ name: "Sheet", rows: [["A"]] }] }));
const DAY: CellValue = { kind: "date", y: 2026, m: 3, d: 19, seconds: 0 };

function read(rows: Rows, chosen: ReadonlyMap<string, string> = new Map()) {
  const made = rows.map((cells, at) => ({ number: at + 1, hidden: false, cells }));
  const sheets = WORKBOOK.sheets.map((sheet) => ({ ...sheet, rows: made }));
  return findTable({ ...WORKBOOK, sheets }, chosen);
}

/** Headers of the columns whose row marks raise a question. */
function findAsked(rows: Rows): string[] {
  try {
    read(rows);
    return [];
  } catch (error) {
    if (error instanceof FileRefused && error.code === "rows_undecided")
      return listParam(error.params, "headers");
    throw error;
  }
}

const COLUMNS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];

/** The key of an answer for a sheet with these columns and one more. */
const answerKey = (header: string, value: string, columns = [...COLUMNS, header]) =>
  rowMarkKey(toQuestion(layoutKey(invoiceSheet, columns), header), value);

const sheet = (header: string, values: readonly Cell[]): Cell[][] => [
  [...COLUMNS, header],
  ...values.map((value, at): Cell[] => [`V-${at}`, "Cool Cars", "2026-11-20", "Hammer", 10 + at, value]),
];

describe("SH-01 a value that marks its row as not billed raises a question, whatever the header", () => {
  test.each([
    ["Financial Status", ["paid", "voided", "paid"]],
    ["Order State", ["completed", "Cancelled", "on-hold"]],
    ["Billable", ["Yes", "No", "Yes"]],
    ["Billable?", ["No", "No", "No"]],
    ["Approved", ["Yes", "No", "Yes"]],
    ["Chargeable", [true, false, true]],
    ["Void", [undefined, "x", undefined]],
    ["Void?", ["Yes", "No", "No"]],
    ["Voided", [1, 1, 1]],
    ["Already invoiced", ["yes", "no", "no"]],
    ["Do not bill", [undefined, undefined, "Y"]],
    ["Cancelled at", [undefined, "2026-11-20 10:00:00 -0500", undefined]],
    ["Refund Date", [undefined, DAY, undefined]],
    ["Canceled", [undefined, DAY, undefined]],
    ["Zahlung", ["ok", "failed", "ok"]],
    ["Stage", ["Draft", "Final", "Final"]],
    ["Comment", ["do not invoice", undefined, undefined]],
    ["Invoice This Month", ["Y", undefined, "Y"]],
    ["Approved", [undefined, "x", "x"]],
    ["DR/CR", ["DR", "CR", "DR"]],
    ["Del", [undefined, "D", undefined]],
    ["Notes", ["bill next month", undefined, "see PO"]],
    ["Decision", ["Accepted", "Lost", "Accepted"]],
    ["B/O", [undefined, "BO", undefined]],
    ["Short", [undefined, "Short", undefined]],
    ["Fulfilled from", ["Stock", "Back-ordered", "Stock"]],
    ["Backordered", ["Yes", "No", "No"]],
    ["Memo", [undefined, "HOLD", "Thanks"]],
    ["Notes", ["hold until 12/15", undefined, "see PO"]],
    ["Message", ["Thanks", "On hold - PO missing", undefined]],
    [
      "Internal remarks of the branch",
      ["DRAFT, not final", ...Array.from({ length: 14 }, (_, at) => `see ${at}`)],
    ],
    ["Description", ["Balance forward", "Repair", "Repair"]],
  ] as [string, Cell[]][])("%s %j", (header, values) => {
    expect(findAsked(sheet(header, values))).toEqual([header]);
  });
});

test("columns that say nothing about billing are not asked about", () => {
  const harmless: [string, Cell[]][] = [
    ["Accepts Marketing", ["yes", "no", "no"]],
    ["Lineitem requires shipping", ["true", "false", "true"]],
    ["Financial Status", ["paid", "paid", "partially paid"]],
    ["Cancelled at", [undefined, undefined, undefined]],
    ["Risk Level", ["Low", "Low", "High"]],
    ["Site", ["North", "South", "Void Street 7, a long text that is an address of a customer"]],
    ["Color", ["red", "green", "red"]],
    ["Invoiced?", ["No", "No", "No"]],
    ["Surcharge", [0, 0, 0]],
    ["Taxable", ["Y", undefined, "Y"]],
    ["Delivered", ["x", "x", "x"]],
    ["Payment", ["Credit", "Cash", "Credit"]],
    ["Level", ["A", undefined, "B"]],
    ["Return Policy", ["30 days", "30 days", "60 days"]],
    ["Memo", ["Hold-down clamps", "Estimate 1042", "Test of pump 3"]],
    ["Description", ["Return visit", "Draft beer", "Wheel balance"]],
  ];
  const asked = harmless.flatMap(([header, values]) => findAsked(sheet(header, values)));
  expect(asked).toEqual([]);
});

test("SH-01 a marked row is left out or billed as the user answered, with all rows of an order that has its state on the first row only", () => {
  const rows: Rows = [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Financial Status"],
    ["#1", "Cool Cars", "2026-11-20", "Hammer", 10, "paid"],
    ["#2", "Cool Cars", "2026-11-20", "Hammer", 10, "voided"],
    ["#2", undefined, undefined, "Nails", 5, undefined],
  ];
  const numbers = (chosen: [string, string][]) => read(rows, new Map(chosen)).rows.map((row) => row.number);
  const voided = answerKey("Financial Status", "voided");
  expect(numbers([[voided, "left_out"]])).toEqual([2]);
  expect(numbers([[voided, "billed"]])).toEqual([2, 3, 4]);
  // A new value raises a new question.
  expect(() => numbers([[answerKey("Financial Status", "refunded"), "left_out"]])).toThrow("rows_undecided");
});

test("SH-01 a value that the user left out stays left out in a file without row marks, and in one with many values", () => {
  const chosen = new Map([[answerKey("Stage", "Open"), "left_out"]]);
  const numbers = (values: string[]) => read(sheet("Stage", values), chosen).rows.map((row) => row.number);
  expect(numbers(["Open", "Closed", "Open"])).toEqual([3]);
  const many = Array.from({ length: 20 }, (_, at) => `Stage ${at}`);
  expect(numbers(["Open", ...many])).toEqual(many.map((_, at) => at + 3));
});

test("SH-01 after unchecked rows were left out, a file with no check marks bills nothing, and one with all rows checked bills everything", () => {
  const header = "Invoice This Month";
  const chosen = new Map([
    [answerKey(header, "filled"), "billed"],
    [answerKey(header, "blank"), "left_out"],
  ]);
  const rows = (values: Cell[]) => read(sheet(header, values), chosen).rows.map((row) => row.number);
  expect(rows(["Y", undefined, "Y"])).toEqual([2, 4]);
  expect(rows(["Y", "Y"])).toEqual([2, 3]);
  expect(() => rows([undefined, undefined])).toThrow("all_left_out");
});

test("SH-02 a column whose values are all answered raises no question in a file without row marks", () => {
  const status = (values: string[]) => sheet("Status", values);
  const answers: [string, string][] = [
    [answerKey("Status", "Draft"), "left_out"],
    [answerKey("Status", "Awaiting payment"), "billed"],
  ];
  const later = status(["Awaiting payment", "awaiting payment"]);
  expect(read(later, new Map(answers)).rows).toHaveLength(2);
  expect(() => read(later, new Map())).toThrow("undecided_columns");
  expect(() => read(status(["Awaiting payment", "Part billed"]), new Map(answers))).toThrow(
    "undecided_columns",
  );
});

test("SH-01 a file whose rows are all left out is refused with that reason", () => {
  const chosen = new Map([[answerKey("Void", "x"), "left_out"]]);
  expect(() => read(sheet("Void", ["x", "x"]), chosen)).toThrow("all_left_out");
});

/** Row-mark questions of a sheet: each value with its rows, amount, and proposed answer. */
const marksIn = (rows: Rows) => {
  const text = rows.map((cells) => cells.join()).join("\n");
  const { row_marks: marks } = inspectColumns(invoiceSheet, Buffer.from(text), {
    fileName: "x.csv",
    chosen: new Map(),
  });
  return marks.flatMap(({ header, values }) =>
    values.map(
      ({ value, rows: where, amount, guess }) => `${header}: ${value} (${where}) ${amount} ${guess}`,
    ),
  );
};

test("SH-01 a line that carries a balance of earlier invoices raises a question without a proposed answer", () => {
  const lines = (...items: string[]) => [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"],
    ...items.map((item, at) => ["B-1", "Cool Cars", "2026-11-20", item, 10 + at]),
  ];
  expect(marksIn(lines("Hammer", "Previous balance", "Balance forward", "New Balance shoes"))).toEqual([
    "Item: Previous balance (3) 11.00 null",
    "Item: Balance forward (4) 12.00 null",
  ]);
});

test('SH-01 a 1 under "Returned" that may be a quantity has no proposed answer; with Qty 1 it marks the row', () => {
  const rows = (...lines: Cell[][]) => [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Returned"],
    ...lines.map((cells, at) => [`B-${at}`, "Cool Cars", "2026-11-20", "Hammer", ...cells]),
  ];
  expect(marksIn(rows([4, 5, 1], [2, 5, 0]))).toEqual([
    "Returned: 1 (2) 20.00 null",
    "Returned: 0 (3) 10.00 true",
  ]);
  expect(marksIn(rows([1, 5, 1], [2, 5, 0]))[0]).toBe("Returned: 1 (2) 5.00 false");
});

describe("SH-01 a row that a later revision of the same line may replace is asked about, and nothing is proposed", () => {
  const header = COLUMNS;
  const line = (number: string, item: string, amount: number, revision: string) =>
    [number, "Cool Cars", "2026-11-20", item, amount, revision] as Cell[];
  const of = (name: string, ...lines: Cell[][]) => marksIn([[...header, name], ...lines]);

  test.each([
    ["Revision", "Rev A", "Rev B"],
    ["Rev", "A", "B"],
    ["Version", "1", "2"],
    ["Rev #", "", "R1"],
    ["Drawing", "Rev 9", "Rev 10"],
  ])("%s: %s and %s", (name, before, after) => {
    const replaced = `${name}: replaced by a later one (2) 100.00 null`;
    const lines = [line("R-1", "Drawing", 100, before), line("R-1", "Drawing", 120, after)];
    expect(of(name, ...lines, line("R-2", "Drawing", 70, after))).toEqual([replaced]);
    // Without numbers, a customer's lines of one day are one invoice.
    expect(of(name, ...lines.map(([, ...cells]) => ["", ...cells]))).toEqual([replaced]);
  });

  test("the question covers all lines of the earlier revision, even one that the later revision dropped", () => {
    const lines = [
      line("R-1", "Hammer", 10, "A"),
      line("R-1", "Nails", 5, "A"),
      line("R-1", "Hammer", 12, "B"),
    ];
    expect(of("Rev", ...lines)).toEqual(["Rev: replaced by a later one (2-3) 15.00 null"]);
  });

  test("not where different lines have one revision each, or other columns differ", () => {
    expect(of("Rev", line("R-1", "Hammer", 10, "A"), line("R-1", "Nails", 5, "B"))).toEqual([]);
    expect(of("Size", line("R-1", "Shirt", 10, "M"), line("R-1", "Shirt", 10, "L"))).toEqual([]);
    const sheets = [line("R-1", "Drawing", 10, "A"), line("R-1", "Drawing", 5, "B")];
    const numbered = sheets.map((cells, at) => [...cells, 4711 + at]);
    expect(marksIn([[...header, "Rev", "Drawing ID"], ...numbered])).toEqual([]);
  });

  test("and is left out once a user said so", () => {
    const rows = [[...header, "Rev"], line("R-1", "Drawing", 100, "A"), line("R-1", "Drawing", 120, "B")];
    expect(() => read(rows)).toThrow("rows_undecided");
    const chosen = new Map([[answerKey("Rev", "replaced by a later one", [...header, "Rev"]), "left_out"]]);
    expect(read(rows, chosen).rows.map(({ number }) => number)).toEqual([3]);
  });
});

/** Values that mark a row as not billed (`no`), and values that don't (`yes`). */
const MARK_EXAMPLES: readonly { headers: readonly string[]; no: readonly Cell[]; yes: readonly Cell[] }[] = [
  {
    headers: ["Status", "Payment", "Order state", "Stage", "Flag", "Remark"],
    no: ["VOID", "Voided", "cancelled", "Canceled", "Refunded", "partially refunded", "returned", "Draft"],
    yes: ["paid", "Completed", "sent", "open", undefined],
  },
  {
    headers: ["State", "Result", "Progress", "Check"],
    no: ["pending", "payment failed", "declined", "On hold", "not approved", "rejected", "non-billable"],
    yes: ["ok", "done", "approved", "delivered"],
  },
  {
    headers: ["Billable", "Charge customer", "Approved", "Confirmed by client", "OK to bill"],
    no: ["No", "N", "false", "no"],
    yes: ["Yes", "Y", "true"],
  },
  {
    headers: ["Void", "Is cancelled", "Refunded?", "Skip"],
    no: ["Yes", "x", "TRUE"],
    yes: [undefined, "No"],
  },
  {
    headers: ["Cancelled at", "Voided on", "Refund date", "Date cancelled", "Deleted time"],
    no: ["2026-11-20", "11/20/2026 10:00", "Nov 20, 2026"],
    yes: [undefined],
  },
  {
    headers: ["Memo", "Notes", "Message", "Internal note", "B/O note"],
    no: ["HOLD", "on hold until Monday", "VOID: entered twice", "Backordered - ships in May", "do not bill"],
    yes: [undefined, "Thanks", "Estimate 1042", "Household goods"],
  },
];

test("SH-01 in generated sheets, no marked row is billed unless the user said so", () => {
  const random = createRandom(1);
  for (const _round of everyNthNumber(3_000, 6)) {
    const { headers, no, yes } = random.pick(MARK_EXAMPLES);
    const header = random.pick(headers);
    const count = 2 + random.upTo(6);
    const marked = random.upTo(count - 1);
    const values = Array.from({ length: count }, (_, at) =>
      at === marked ? random.pick(no) : yes[random.upTo(yes.length - 1)],
    );
    // A column of only "No" raises a question only if its header is about billing.
    if (no.includes("No") && !values.some((value) => yes.includes(value))) continue;
    expect([header, values, findAsked(sheet(header, values))]).toEqual([header, values, [header]]);
  }
});

/** Sheets without a number: rows of one customer and day are one invoice. */
const keyed = (header: string, values: readonly Cell[]): Cell[][] => [
  ["Customer", "Invoice Date", "Item", "Amount", header],
  ...values.map((value, at): Cell[] => ["Cool Cars", "2026-11-20", "Hammer", 10 + at, value]),
];

/** The field that a column is asked about for, with the rows that would become one invoice. */
function ambiguousIn(rows: Rows, chosen?: ReadonlyMap<string, string>): string {
  try {
    return `read ${read(rows, chosen).rows.length}`;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return `${error.code} ${String(error.params["header"])} ${String(error.params["field"])}`;
  }
}

const KEYS = [
  "Order ID",
  "SO #",
  "Job #",
  "Work Order #",
  "Ticket #",
  "Sale ID",
  "Booking ref",
  "Bestellung",
  "Load",
  "BOL",
  "Trip #",
  "Transaction ID",
  "Receipt",
  "Visit",
  "Quote ref",
  "External Key",
  "Charge ID",
  "Check #",
];
const CODES: readonly ((at: number, random: ReturnType<typeof createRandom>) => string)[] = [
  (at) => `SO-${1001 + at}`,
  (at) => `#${2101 + at}`,
  (at, random) => `113-${1_000_000 + random.upTo(8_999_999)}-${1_000_000 + at}`,
  (at) => `J${String(at + 7).padStart(5, "0")}`,
  (at, random) => `${random.pick(["a1", "9f"])}b2c3d4-e5f6-4a1b-8c2d-${String(at).padStart(12, "0")}`,
];

test("SH-04 in 1,000 generated sheets, rows of different values in a key-like column are never merged without a question", () => {
  const random = createRandom(2);
  for (let round = 0; round < 1_000; round += 1) {
    const [header, code] = [random.pick(KEYS), random.pick(CODES)];
    const orders = [0, 1, ...Array.from({ length: random.upTo(3) }, () => random.upTo(1))].toSorted(
      (a, b) => a - b,
    );
    const rows = keyed(
      header,
      orders.map((order) => code(order, createRandom(order))),
    );
    expect([header, rows[1]?.[4], ambiguousIn(rows)]).toEqual([
      header,
      rows[1]?.[4],
      expect.stringMatching(/^ambiguous_column .* (?:invoiceNo|group)$|^undecided_columns/),
    ]);
  }
});

test("SH-04 equal values, SKUs and numbers of lines raise no question, and an answer is remembered", () => {
  expect(ambiguousIn(keyed("Order ID", ["SO-1", "SO-1", "SO-1"]))).toBe("read 3");
  expect(ambiguousIn(keyed("UPC", ["0012", "0013", "0014"]))).toBe("read 3");
  expect(ambiguousIn(keyed("Line", ["1", "2", "3"]))).toBe("read 3");
  expect(ambiguousIn(keyed("Site", ["North", "South", "West"]))).toBe("read 3");
  expect(ambiguousIn(keyed("Cost code", ["01-100", "01-200"]))).toBe("read 2");
  const orders = keyed("Order ID", ["SO-1", "SO-2", "SO-2"]);
  expect(ambiguousIn(orders)).toBe("ambiguous_column Order ID invoiceNo");
  expect(ambiguousIn(orders, new Map([["orderid", "ignore"]]))).toBe("read 3");
  expect(ambiguousIn(orders, new Map([["orderid", "invoiceNo"]]))).toBe("read 3");
});

test("in generated sheets and the case files, cell values raise at most 0.3 questions per sheet", () => {
  const made = everyNthNumber(300, 5).map((seed) => makeMoneySheet(seed));
  const cases = CASE_OUTCOMES.filter(([file]) => !/^(?:g|labels)/.test(file)).map(([file]) => ({
    fileName: file,
    bytes: readCase(file),
  }));
  const files = [...made, ...cases];
  const asked = files.flatMap(({ fileName, bytes }) => {
    try {
      const { columns, row_marks: rowMarks } = inspectColumns(invoiceSheet, bytes, {
        fileName,
        chosen: new Map(),
      });
      const keys = columns.filter(({ reason }) => reason?.includes("would become one"));
      return [...rowMarks, ...keys].map(({ header }) => `${fileName} ${header}`);
    } catch {
      return [];
    }
  });
  expect(asked.length / files.length).toBeLessThanOrEqual(0.3);
});

test("SH-01 one answer covers every spelling of a value, and a row marked by either of two columns is left out", () => {
  const header = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Status", "Payment"];
  const row = (number: string, status: string, payment: string) =>
    [number, "Cool Cars", "2026-11-20", "Hammer", "10", status, payment].join();
  const rows = [
    row("V-1", "VOID", "ok"),
    row("V-2", "Void", "ok"),
    row("V-3", "paid", "pending"),
    row("V-4", "paid", "ok"),
  ];
  const file = { fileName: "x.csv", bytes: Buffer.from([header.join(), ...rows].join("\n")) };
  const seen = inspectColumns(invoiceSheet, file.bytes, { fileName: file.fileName, chosen: new Map() });
  expect(seen.row_marks.map(({ values }) => values.map(({ value, count }) => `${value} ${count}`))).toEqual([
    ["VOID 2", "paid 2"],
    ["ok 3", "pending 1"],
  ]);
  const table = findTable(openFile(file.bytes, file.fileName), acceptPage(seen));
  expect(table.rows.map(({ cells }) => cells[0])).toEqual(["V-4"]);
});
