import type { Problem } from "#formats/table/problem.ts";
import { expect, test } from "vitest";
import { buildReport, type CheckedEntry } from "#features/invoices/check/rules-report.ts";
import { toReport } from "#features/invoices/check/sentences.ts";

const unknown = (row: number, name: string): Problem => ({
  code: "customer_unknown",
  severity: "error",
  field: "customer",
  row,
  column: 1,
  value: name,
  params: { company: "Acme Tools", names: [] },
});

/** A report as the wire has it. */
const report = async (entries: readonly CheckedEntry[]) =>
  toReport(await buildReport(entries, { candidates: new Map(), equalInvoices: 0 }), []);

const sentence = (name: string) => `"${name}" isn't a customer in QuickBooks.`;

const entry = (row: number, change: Partial<CheckedEntry> = {}): CheckedEntry => ({
  key: `k${row}`,
  state: "rejected",
  rows: [row],
  docNumber: null,
  customerName: "Beta LLC",
  txnDate: null,
  amountCents: null,
  currency: null,
  problems: [],
  ...change,
});

test("UP-42 a report stays short: for one rule and column the first 20 sentences are shown, the rest together", async () => {
  const entries = Array.from({ length: 500 }, (_, index) =>
    entry(index + 2, {
      problems: [unknown(index + 2, index % 2 === 0 ? "Acmee" : `Trading ${index}`)],
    }),
  );
  const { problems } = await report(entries);
  expect(problems).toHaveLength(21);
  expect(problems[0]).toMatchObject({ count: 250, text: sentence("Acmee") });
  expect(problems[1]).toEqual({
    code: "customer_unknown",
    severity: "error",
    column: "B",
    text: `More of the same kind in column "Customer", such as: ${sentence("Trading 39")}`,
    count: 231,
    rows: "41, 43, 45, 47, 49, and more",
  });
  expect(problems.reduce((sum, { count }) => sum + count, 0)).toBe(500);
});

test("UP-42 two names with the same beginning are two problems of a report, each shown in full", async () => {
  const begins = "Department of Transportation and Public Works of the County of";
  const entries = [`${begins} North`, `${begins} South`, `${begins} North`].map((name, index) =>
    entry(index + 2, { problems: [unknown(index + 2, name)] }),
  );
  const { problems } = await report(entries);
  expect(problems.map(({ text, rows }) => [text, rows])).toEqual([
    [sentence(`${begins} North`), "2 and 4"],
    [sentence(`${begins} South`), "3"],
  ]);
});

test("rows that share a problem are named in the order of the sheet, even if invoices interleave", async () => {
  const problems = (...rows: number[]) => rows.map((row) => unknown(row, "Acmee"));
  const entries = [
    entry(2, { rows: [2, 5], problems: problems(2, 5) }),
    entry(3, { rows: [3, 4], problems: problems(3, 4) }),
  ];
  expect((await report(entries)).problems.map(({ rows, count }) => [rows, count])).toEqual([["2-5", 4]]);
  const alike = entries.map((each) => ({ ...each, state: "ready", txnDate: "2026-11-02", amountCents: 1 }));
  expect((await report(alike)).possible_duplicates.map(({ rows }) => rows)).toEqual(["2-5"]);
});

test("UP-42 of many possible duplicates the first hundred are listed, the rest counted", async () => {
  const entries = Array.from({ length: 300 }, (_, index) =>
    entry(index + 2, { state: "ready", txnDate: "2026-11-02", amountCents: Math.floor(index / 2) }),
  );
  const { possible_duplicates: found } = await report(entries);
  expect(found).toHaveLength(101);
  expect(found[0]).toEqual({
    rows: "2-3",
    text: "2 invoices for Beta LLC with the same date and amount (0.00).",
  });
  expect(found[100]).toEqual({ rows: "202-301", text: "50 more like these." });
});

test("UP-42 an invoice that was already posted is reported as such, and its number is not a problem", async () => {
  const taken: Problem = { ...unknown(2, "A-1"), code: "number_in_books" };
  const entries = [
    entry(2, { state: "skipped", problems: [taken] }),
    entry(3, { problems: [unknown(3, "Acmee")] }),
  ];
  const found = await report(entries);
  expect(found).toMatchObject({ skipped: { invoices: 1 }, rejected: { invoices: 1 } });
  expect(found.problems.map(({ rows }) => rows)).toEqual(["3"]);
});
