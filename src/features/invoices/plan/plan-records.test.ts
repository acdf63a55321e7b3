import { problemText } from "#features/invoices/results/sentences-problems.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { groupTable } from "#formats/table/records.ts";
import { planRows, sentences, makeTable } from "#features/invoices/fixtures/plan-rows.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Group"];
const DAY = { date: 46043 };
const line = (
  number: CellSpec,
  customer: CellSpec = "Beta LLC",
  day: CellSpec = DAY,
  group: CellSpec = null,
): CellSpec[] => [number, customer, day, "Widget 9", 1.1, group];
const listRows = (rows: CellSpec[][]) =>
  planRows(HEADERS, rows).invoices.map((invoice) => [invoice.docNumber, ...invoice.rows]);

test("rows with one number are one invoice wherever they are, and the user is informed", () => {
  const plan = planRows(HEADERS, [line("A"), line("B"), line("A")]);
  expect(plan.invoices.map(({ docNumber, rows }) => ({ docNumber, rows }))).toEqual([
    { docNumber: "A", rows: [2, 4] },
    { docNumber: "B", rows: [3] },
  ]);
  expect(sentences(plan)).toEqual([
    "A4: Invoice A continues here after rows of other invoices. Its lines (rows 2 and 4) are combined.",
    "A4: Rows 2 and 4 are identical, and each is billed. If one was copied by mistake, remove it.",
  ]);
  expect(plan.invoices[0]?.draft?.Line).toHaveLength(2);
});

test("equal rows of one invoice are billed, and the user is informed unless they differ anywhere or a total counts them", () => {
  const headers = [...HEADERS, "Serial", "Invoice Total"];
  const notes = (...rows: CellSpec[][]) => {
    const plan = planRows(headers, rows);
    expect(plan.invoices.every(({ draft }) => draft !== null)).toBe(true);
    return sentences(plan);
  };
  const warning = (rows: string) =>
    `A3: Rows ${rows} are identical, and each is billed. If one was copied by mistake, remove it.`;
  expect(notes(line("A"), line("A"), line("A"), line("B"))).toEqual([warning("2-4")]);
  expect(notes([...line("A"), "S1"], [...line("A"), "S2"])).toEqual([]);
  expect(notes([...line("A"), "S1", 2.2], [...line("A"), "S1", 2.2])).toEqual([]);
  const free = (number: CellSpec): CellSpec[] => [number, "Beta LLC", DAY, "Widget 9", 0, null];
  expect(notes(free("A"), free("A"), line("A"))).toEqual([]);
});

test("rows that all continue one invoice are put together in linear time", () => {
  // No row has the date: it used to be searched for in every row above, once per row.
  const rows = Array.from({ length: 20_000 }, (_, row) => line(null, row === 0 ? "Beta LLC" : null, null));
  const table = makeTable([HEADERS, ...rows]);
  const before = process.cpuUsage();
  const groups = groupTable(table, { orders: new Map(), latinOnly: true });
  const { user } = process.cpuUsage(before);
  expect(groups.map((group) => group.rows.length)).toEqual([20_000]);
  expect(user / 1e6).toBeLessThan(0.5);
});

test("a value that other rows contradict is kept with each of them, cut to 500 characters as all values are", () => {
  const notes = Array.from({ length: 3 }, (_, row) => [
    ...line("A"),
    row === 0 ? "long ".repeat(5000) : `n${row}`,
  ]);
  const [invoice] = planRows([...HEADERS, "Private Note"], notes).invoices;
  const differing = invoice?.problems.filter(({ code }) => code === "values_differ") ?? [];
  expect(differing.map(({ params }) => String(params["first"]).length)).toEqual([500, 500]);
});

test("values of the invoice may be on its first line only, or on any one line", () => {
  expect(listRows([line("A"), line("A", null, null), line("A", "beta llc")])).toEqual([["A", 2, 3, 4]]);
  const plan = planRows(HEADERS, [line("A", null, null), line("A")]);
  expect(plan.invoices[0]?.draft).toMatchObject({ CustomerRef: { value: "1" }, TxnDate: "2026-01-21" });
});

test("one number with two customers or dates is an error that names both cells", () => {
  const plan = planRows(HEADERS, [line("A"), line("A", "Maple Ltd", "2026-02-01")]);
  expect(sentences(plan)).toEqual([
    "B3: Invoice A has two customers: Beta LLC and Maple Ltd.",
    "C3: Invoice A has two values of Invoice Date: 1/21/2026 and 2026-02-01.",
  ]);
  expect(plan.invoices).toHaveLength(1);
  expect(plan.invoices[0]?.draft).toBeNull();
});

test("without a number, a new invoice starts where customer or date changes", () => {
  expect(
    listRows([
      line(null),
      line(null),
      line(null, null, null),
      line(null, "Maple Ltd"),
      line(null, "Maple Ltd", "2026-02-01"),
    ]),
  ).toEqual([
    [null, 2, 3, 4],
    [null, 5],
    [null, 6],
  ]);
});

test("a row without number, customer and date belongs to the invoice above it", () => {
  expect(listRows([line("A"), line(null, null, null), line("B"), line(null, null, null)])).toEqual([
    ["A", 2, 3],
    ["B", 4, 5],
  ]);
});

test("rows of one Group belong together without a number", () => {
  expect(
    listRows([
      line(null, "Beta LLC", DAY, "x"),
      line(null, "Beta LLC", DAY, "y"),
      line(null, "Beta LLC", DAY, "x"),
    ]),
  ).toEqual([
    [null, 2, 4],
    [null, 3],
  ]);
});

test('numbers are text: 1 and 01 are two invoices, 1 and "1" are one', () => {
  expect(listRows([line(1), line("01"), line("1")])).toEqual([
    ["1", 2, 4],
    ["01", 3],
  ]);
});

const tables = fc.array(
  fc.tuple(fc.constantFrom("A", "B", "C", "D"), fc.integer({ min: 0, max: 1_000_000 })),
  { minLength: 1, maxLength: 25 },
);
const makePlan = (rows: readonly (readonly [string, number])[]) =>
  planRows(
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"],
    rows.map(([number, cents]) => [number, "Beta LLC", DAY, "Widget 9", cents / 100]),
  );

test("grouping by number does not depend on the order of the rows", () => {
  fc.assert(
    fc.property(
      tables.chain((rows) =>
        fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
      ),
      ([rows, shuffled]) => {
        const totals = (each: typeof rows) =>
          makePlan(each)
            .invoices.map(
              ({ docNumber, amountCents, rows: own }) => `${docNumber} ${amountCents} ${own.length}`,
            )
            .toSorted();
        expect(totals(shuffled)).toEqual(totals(rows));
      },
    ),
    { numRuns: 60 },
  );
});

test("every row belongs to exactly one invoice, and the money of the file is the money of its invoices", () => {
  fc.assert(
    fc.property(tables, (rows) => {
      const { invoices, dataRows } = makePlan(rows);
      expect(invoices.flatMap((invoice) => invoice.rows).toSorted((a, b) => a - b)).toEqual(
        rows.map((_, index) => index + 2),
      );
      expect(dataRows).toBe(rows.length);
      expect(invoices.reduce((sum, { amountCents }) => sum + (amountCents ?? Number.NaN), 0)).toBe(
        rows.reduce((sum, [, cents]) => sum + cents, 0),
      );
      for (const { draft, amountCents } of invoices) {
        const sent = (draft?.Line ?? []).reduce(
          (sum, each) => sum + Math.round(("Amount" in each ? each.Amount : 0) * 100),
          0,
        );
        expect(sent).toBe(amountCents);
      }
    }),
    { numRuns: 60 },
  );
});

test("numbers that differ only in leading zeros or capitals are flagged: one invoice may have been split", () => {
  const numbers: CellSpec[] = ["00123", 123, "inv-7", "INV-7", "124", "0", "00"];
  const plan = planRows(
    HEADERS,
    numbers.map((number) => [number, "Beta LLC", "2026-01-20", "Widget 9", 1, 9]),
  );
  expect(plan.invoices).toHaveLength(7);
  expect(plan.notes.map((each) => problemText(each))).toEqual([
    "A3: 123 looks like 00123 in A2. They'll be posted as two invoices.",
    "A5: INV-7 looks like inv-7 in A4. They'll be posted as two invoices.",
    "A8: 00 looks like 0 in A7. They'll be posted as two invoices.",
  ]);
});
