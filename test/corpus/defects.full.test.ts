import { cellName } from "#formats/xlsx/cell-names.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { expect, test } from "vitest";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { openFile } from "#features/sheets/reading.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import type { Plan } from "#features/invoices/plan/rules.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { buildXlsx } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";
import { DEFECTS } from "./defects.ts";
import { goodRow, marchSheet, withDefect, type CorpusRow } from "./made-files.ts";

const LISTS: PlanLists = { ...ACME, usedNumbers: new Map([["1043", { id: "9", customer: "Cool Cars" }]]) };

const planFile = (bytes: Uint8Array): Plan => planInvoices(findTable(openFile(bytes)), LISTS);
const listProblems = (plan: Plan) => plan.invoices.flatMap(({ problems }) => problems);

test("the corpus has at least 60 files with one defect each, all with different causes or cells", () => {
  expect(DEFECTS.filter(({ severity }) => severity === "error").length).toBeGreaterThanOrEqual(60);
  expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length);
  expect(listProblems(planFile(withDefect({})))).toEqual([]);
});

test.each(DEFECTS)(
  "$name is reported with its cell, its value and, in one line, what is wrong",
  ({ change, cell, value, code, severity, text }) => {
    const plan = planFile(withDefect(change));
    expect(plan.notes).toEqual([]);
    const found = listProblems(plan);
    expect(found).toMatchObject([{ row: 3, field: expect.any(String), severity, code, value }]);
    expect(found.map((problem) => problemText(problem))).toEqual([text]);
    expect(found.map(({ column, row }) => cellName(column ?? 0, row))).toEqual([cell]);
    expect(text.startsWith(`${cell}: `)).toBe(true);
    expect(text.length).toBeLessThan(120);
    expect(plan.invoices.map(({ draft }) => draft !== null)).toEqual([true, severity === "warning"]);
  },
);

test("two contradicting rows of one invoice are reported with both cells", () => {
  const rows: CorpusRow[] = [goodRow("C-1"), { ...goodRow("C-1"), Customer: "Maple Ltd" }];
  expect(
    listProblems(planFile(buildXlsx({ sheets: [marchSheet(rows)] }))).map((each) => problemText(each)),
  ).toEqual(["B3: Invoice C-1 has two customers: Beta LLC and Maple Ltd."]);
});

test("a file with 25 defects lists 25", () => {
  const errors = DEFECTS.filter(({ severity }) => severity === "error").slice(0, 25);
  const rows = errors.map(({ change }, index) => moved({ ...goodRow(`M-${index}`), ...change }, index + 2));
  const plan = planFile(buildXlsx({ sheets: [marchSheet(rows)] }));
  const expected = errors.map(({ cell, text }, index) => {
    const at = cell.replace("3", String(index + 2));
    return text.replace(`${cell}:`, `${at}:`);
  });
  expect(listProblems(plan).map((each) => problemText(each))).toEqual(expected);
  expect(expected).toHaveLength(25);
});

/** Cells written as XML name their own place. */
const moved = (row: CorpusRow, number: number): CorpusRow =>
  Object.fromEntries(
    Object.entries(row).map(([header, cell]) => [
      header,
      typeof cell === "object" && cell !== null && "xml" in cell
        ? { xml: cell.xml.replace(/r="([A-Z]+)3"/, `r="$1${number}"`) }
        : cell,
    ]),
  );
