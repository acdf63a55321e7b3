import type { Problem } from "#formats/table/problem.ts";
import { expect, test } from "vitest";
import {
  countByOutcome,
  countRows,
  filterResults,
  joinResults,
  toResult,
} from "#features/invoices/results/rules-results.ts";
import type { ResultEntry, ShownProblem } from "#features/invoices/results/rules-lines.ts";
import { toWireResult } from "#features/invoices/results/sentences-results.ts";

const entry = (rows: number[], change: Partial<ResultEntry> = {}): ResultEntry => ({
  rows,
  state: "posted",
  docNumber: "A-1",
  cause: null,
  problems: [],
  ...change,
});

/** Results of an upload as the wire has them. */
const results = (entries: readonly ResultEntry[]) =>
  joinResults(entries, { stage: "posting", waitsFor: null, notes: [] }).map((each) =>
    toWireResult(toResult(each, new Map()), { uploadId: "u-1", findPage: () => "", sheets: [] }),
  );

/** A problem as a ledger entry has it. */
function problem(
  row: number,
  {
    column = 0,
    severity = "error",
    text = "no.",
  }: { column?: number; severity?: Problem["severity"]; text?: string } = {},
): ShownProblem {
  const facts: Problem = {
    code: "item_unknown",
    severity,
    field: "item",
    row,
    column,
    value: text,
    params: {},
  };
  return { row, severity, fingerprint: JSON.stringify({ ...facts, row: 0 }), facts };
}

/** Text of such a problem. */
const said = (text: string) => `"${text}" isn't an item in QuickBooks.`;

/** Such problems as sent on the wire. */
const cells = (...shown: ShownProblem[]) => ({
  cause: shown.map(({ facts }) => said(facts?.value ?? "")).join("\n"),
  ...(shown.some(({ severity }) => severity === "error") ? {} : { remark: true }),
  problems: shown.map(({ facts }) => ({
    code: "item_unknown",
    field: "item",
    column: facts?.column,
    message: said(facts?.value ?? ""),
  })),
});

test("AP-17 adjacent rows with the same status and message are one range, and posted ones say how many invoices", () => {
  const joined = results([entry([2, 3]), entry([4]), entry([6])]);
  expect(joined).toEqual([
    { status: 0, rows: "2-4", message: "2 invoices posted.", invoices: 2 },
    { status: 0, rows: "6", message: "1 invoice posted.", invoices: 1 },
  ]);
});

test("SC-02 a faulty row shows its faults and the other rows of its invoice say which row holds them back", () => {
  const problems = [
    problem(3, { column: 3, text: "no such item." }),
    problem(3, { column: 4, text: "not a number." }),
  ];
  expect(results([entry([2, 3], { state: "rejected", problems })])).toEqual([
    {
      status: 2,
      rows: "2",
      message: "Not posted: row 3 of this invoice needs fixing first.",
      blocked: true,
    },
    {
      status: 2,
      rows: "3",
      message: `D3: ${said("no such item.")}\nE3: ${said("not a number.")}`,
      ...cells(...problems),
    },
  ]);
});

test("a problem names the places of its invoices, so that a page counts each of them once", () => {
  const rejected = (seq: number, rows: number[]) =>
    entry(rows, { seq, state: "rejected", problems: rows.map((row) => problem(row)) });
  const entries = [rejected(0, [2]), rejected(1, [3, 4]), entry([5], { seq: 2 }), rejected(3, [6])];
  expect(results(entries).map(({ rows, places }) => [rows, places])).toEqual([
    ["2-4", [0, 1]],
    ["5", undefined],
    ["6", [3, 3]],
  ]);
});

test("SC-02 of many faulty rows only the first are named on the row they hold back", () => {
  const faulty = Array.from({ length: 5_000 }, (_, index) => index * 2 + 3);
  const problems = faulty.map((row) => problem(row));
  const [blocked] = results([entry([2, ...faulty], { state: "rejected", problems })]);
  expect(blocked?.message).toBe(
    "Not posted: rows 3, 5, 7, 9, 11, and more of this invoice need fixing first.",
  );
});

test("SC-03 an invoice that QuickBooks rejected shows QuickBooks' words as Failed-Continuing", () => {
  const cause = { code: "refused", params: { detail: "No." }, tid: null };
  expect(results([entry([2, 3], { state: "rejected", cause })])).toEqual([
    {
      status: 3,
      rows: "2-3",
      message: "QuickBooks rejected invoice A-1: No. Correct the rows and upload them again.",
    },
  ]);
});

test("SC-03 a placeholder that QuickBooks left unfilled is not shown", () => {
  const detail = "The account period has closed. {1}";
  const cause = { code: "refused", params: { detail }, tid: null };
  expect(results([entry([2], { state: "rejected", cause })])[0]?.message).toBe(
    "QuickBooks rejected invoice A-1: The account period has closed. Correct the rows and upload them again.",
  );
});

test("SC-03 a refusal names the column of the property that QuickBooks names", () => {
  const refuse = (element: string) => {
    const cause = { code: "refused", params: { detail: "No.", element }, tid: null };
    return results([entry([2], { state: "rejected", cause })])[0]?.message;
  };
  const rest = "No. Correct the rows and upload them again.";
  expect(refuse("DueDate")).toBe(`QuickBooks rejected invoice A-1 because of its Due Date: ${rest}`);
  expect(refuse("Line.SalesItemLineDetail.Qty")).toBe(
    `QuickBooks rejected invoice A-1 because of its Qty: ${rest}`,
  );
  expect(refuse("Line")).toBe(`QuickBooks rejected invoice A-1: ${rest}`);
});

test("SC-07 a warning is shown as information beside the completed row", () => {
  const problems = [problem(2, { column: 2, severity: "warning", text: "due before the invoice date." })];
  expect(results([entry([2], { problems })])).toEqual([
    { status: 0, rows: "2", message: "1 invoice posted.", invoices: 1 },
    { status: 7, rows: "2", message: `C2: ${said("due before the invoice date.")}`, ...cells(...problems) },
  ]);
});

test.each([
  ["ready", 100],
  ["sending", 101],
  ["unresolved", 9],
  ["stopped", 4],
  ["skipped", 7],
] as const)("the state %s shows as status %d", (state, status) => {
  expect(results([entry([2], { state })])[0]?.status).toBe(status);
});

test("UP-46 every invoice is counted once, by its outcome, with the money of those posted", () => {
  const entries = [
    entry([2, 3], { cents: 1_050, currencies: ["USD"] }),
    entry([4, 5, 6], { invoices: 3, cents: 200, currencies: ["CAD", "USD"] }),
    entry([7, 8], { state: "rejected", cents: 99, currencies: ["EUR"] }),
    entry([9], { state: "stopped" }),
    entry([10], { state: "unresolved" }),
    entry([11], { state: "ready" }),
    entry([12], { state: "skipped" }),
    entry([13], { state: "undone" }),
  ];
  expect(countByOutcome(entries)).toEqual({
    total: 10,
    posted: 4,
    problems: 2,
    unconfirmed: 1,
    open: 1,
    skipped: 1,
    undone: 1,
    amount: "12.50",
    currencies: ["CAD", "EUR", "USD"],
  });
});

test("every data row is counted once, by the outcome of its invoice", () => {
  const entries = [
    entry([2, 3]),
    entry([4], { state: "rejected" }),
    entry([5], { state: "ready" }),
    entry([6], { state: "skipped" }),
  ];
  expect(countRows(entries, 5)).toEqual({ total: 5, completed: 2, problems: 1, open: 1, skipped: 1 });
});

test("UP-42 the problems filter keeps what a user must look at", () => {
  const all = [0, 2, 3, 4, 7, 9, 100].map((status) => ({ status, rows: "2", message: "" }));
  expect(filterResults(all, "problems").map(({ status }) => status)).toEqual([2, 3, 4, 9]);
  expect(filterResults(all, "completed").map(({ status }) => status)).toEqual([0]);
});

test("AP-17 10,000 rows with one unknown customer are one result that says where", () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => index + 2);
  const entries = rows.map((row) =>
    entry([row], { state: "rejected", problems: [problem(row, { column: 1, text: "no such customer." })] }),
  );
  expect(results(entries)).toEqual([
    {
      status: 2,
      rows: "2-10001",
      message: `B2-B10001: ${said("no such customer.")}`,
      ...cells(problem(2, { column: 1, text: "no such customer." })),
    },
  ]);
});

test("AP-17 UP-46 a remark between the rows of an invoice, or on each of them, splits no range and counts no invoice twice", () => {
  const warned = (row: number) =>
    problem(row, { column: 2, severity: "warning", text: "a price of the books." });
  expect(results([entry([2, 3, 4], { problems: [warned(3)] })])).toEqual([
    { status: 0, rows: "2-4", message: "1 invoice posted.", invoices: 1 },
    { status: 7, rows: "3", message: `C3: ${said("a price of the books.")}`, ...cells(warned(3)) },
  ]);
  expect(results([entry([2], { problems: [warned(2)] }), entry([3], { problems: [warned(3)] })])).toEqual([
    { status: 0, rows: "2-3", message: "2 invoices posted.", invoices: 2 },
    { status: 7, rows: "2-3", message: `C2-C3: ${said("a price of the books.")}`, ...cells(warned(2)) },
  ]);
});

test("UP-46 an invoice whose rows are not adjacent is counted once, where its first row is", () => {
  const apart = [entry([2, 4]), entry([3], { state: "rejected" }), entry([5]), entry([7, 9])];
  const created = results(apart).filter(({ status }) => status === 0);
  expect(created).toEqual([
    { status: 0, rows: "2", message: "1 invoice posted.", invoices: 1 },
    { status: 0, rows: "4-5", message: "1 invoice posted.", invoices: 1 },
    { status: 0, rows: "7", message: "1 invoice posted.", invoices: 1 },
    { status: 0, rows: "9", message: "Part of an invoice above.", invoices: 0 },
  ]);
});

test("a stored code that this version does not know is shown as that code", () => {
  const cause = { code: "of_a_later_version", params: {}, tid: null };
  const unknown = problem(3);
  const facts = { ...problem(3).facts, code: "of_a_later_version" } as Problem;
  const joined = results([
    entry([2], { state: "rejected", cause }),
    entry([3], { state: "rejected", problems: [{ ...unknown, facts }] }),
  ]);
  const text = 'We have no explanation for "of_a_later_version". Contact us and quote this code.';
  expect(joined.map(({ message }) => message)).toEqual([text, `A3: ${text}`]);
});
