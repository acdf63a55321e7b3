import { type Problem, problemAt, remark } from "#formats/table/problem.ts";
import { findTypographic, isMadePlain } from "#formats/table/texts.ts";
import {
  indexLists,
  type PlanContext,
  type PlanInSteps,
  type PlanLists,
  type PlannedInvoice,
} from "#features/invoices/plan/rules.ts";
import { type CellRules, readLines } from "#formats/table/cells.ts";
import { type Field, fieldRule, type ReadRow, type Table } from "#features/invoices/workbook/rules-sheet.ts";
import { noteBilledOnce } from "#features/invoices/plan/rules-controls.ts";
import { planInvoice } from "#features/invoices/plan/rules-checks.ts";
import { findFloatCodes, withoutZero } from "#formats/table/float-codes.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import { type GroupOfRows, groupTable, warnEqualRows, warnScatteredRows } from "#formats/table/records.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";
import { isBlank } from "#formats/table/header-text.ts";
import { inOwnColumn } from "#formats/table/several-sheets.ts";
import type { OtherField } from "#features/books/contract.ts";

/**
 * Checks a whole table against the books and reports what would be sent, and all problems of all rows; sends
 * nothing. Checks each invoice lazily: all of a large file take 50 to 150 MB.
 */
export function planInSteps(table: Table, lists: PlanLists): PlanInSteps {
  const votes = voteColumns(table, lists.dateOrder ?? null);
  const floatCodes = findFloatCodes(table);
  const rules: CellRules = {
    orders: new Map(votes.map(({ field, order }) => [field, order])),
    decimalComma: findDecimalComma(table),
    latinOnly: lists.country === "US",
    floatCodes: new Set(floatCodes.map(({ field }) => field)),
  };
  const groups = groupTable(table, rules);
  const invoices = planGroups(groups, { table, lists, rules });
  const found = [
    ...votes.flatMap(({ note }) => note ?? []),
    ...warnNearDuplicates(table, groups),
    ...noteBilledOnce(table, groups, lists.columnChoices),
    ...warnUnsentColumns(table, lists),
    ...noteTypographic(table, rules),
    ...floatCodes.map(({ field, row, header, text }) => {
      const params = { header, code: withoutZero(text) };
      return problemAt(
        table,
        { field, row },
        { severity: "warning", code: "codes_without_zero", value: text, params },
      );
    }),
  ];
  const notes = inOrder([...table.notes, ...found.map((problem) => inOwnColumn(table, problem))]);
  return { dataRows: table.rows.length, invoices, notes };
}

/** Rows are read in full invoice by invoice: all of a large sheet at once would take 80 MB more. */
function* planGroups(
  groups: readonly GroupOfRows[],
  { table, lists, rules }: { table: Table; lists: PlanLists; rules: CellRules },
): Generator<PlannedInvoice> {
  const indexes = indexLists(lists);
  const rowAbove = new Map(
    table.rows.map(({ number }, index) => [number, table.rows[index - 1]?.number ?? 0]),
  );
  const rowByNumber = new Map(table.rows.map((row) => [row.number, row]));
  /** A wrong or missing date is retyped in the order of the file's other dates. */
  const withDateOrder = (problem: Problem): Problem => {
    const order = problem.severity === "error" && rules.orders.get(problem.field ?? "");
    return order ? { ...problem, params: { order, ...problem.params } } : problem;
  };
  for (const { rows, ...named } of groups) {
    const cellProblems = new Map<number, Problem[]>();
    const read = rows.flatMap((row): ReadRow[] => {
      const problems: Problem[] = [];
      cellProblems.set(row, problems);
      return readLines(table, rowByNumber.get(row) ?? { number: row, cells: [] }, { rules, problems });
    });
    const group = { ...named, rows: read };
    const context: PlanContext = { table, lists, cellProblems, ...indexes };
    const planned = planInvoice(context, group);
    const problems = inOrder([
      ...planned.problems,
      ...warnScatteredRows(table, group, rowAbove),
      ...warnEqualRows(table, group, (row) => rowByNumber.get(row)),
    ]);
    const { currency } = planned;
    yield {
      ...planned,
      problems: problems.map((problem) => withCurrency(withDateOrder(inOwnColumn(table, problem)), currency)),
    };
  }
}

/** Problems whose sentences contain amounts. */
const MONEY_CODES: ReadonlySet<string> = new Set([
  "amount_differs",
  "amount_not_divisible",
  "qty_has_decimals",
  "rate_from_books",
  "rounding_changes_amount",
  "total_below_zero",
  "total_differs",
]);

const withCurrency = (problem: Problem, currency: string | null): Problem =>
  MONEY_CODES.has(problem.code) ? { ...problem, params: { ...problem.params, currency } } : problem;

/** Sorts problems by row, then by column, as a user reads the sheet. */
function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => a.row - b.row || (a.column ?? 0) - (b.column ?? 0));
}

/**
 * Warns of numbers in one file that differ only by leading zeros or case: one invoice may have become two.
 */
export function warnNearDuplicates(table: Table, groups: readonly GroupOfRows[]): Problem[] {
  const firstByKey = new Map<string, GroupOfRows>();
  return groups.flatMap((group) => {
    if (group.name === null) return [];
    const key = group.name.toLowerCase().replace(/^0+(?=.)/, "");
    const first = firstByKey.get(key);
    if (!first) {
      firstByKey.set(key, group);
      return [];
    }
    const place = { field: "invoiceNo" as const, row: group.rows[0] ?? 0 };
    const params = { first: first.name, firstRow: first.rows[0] ?? 0 };
    return [
      problemAt(table, place, { severity: "warning", code: "number_alike", value: group.name, params }),
    ];
  });
}

/** Reports once per file which typographic characters are replaced by plain ones. */
function noteTypographic(table: Table, rules: CellRules): Problem[] {
  const columns = table.columns.filter(({ field }) => isMadePlain(fieldRule(field), rules));
  const found = new Set<string>();
  let firstRow: number | undefined;
  for (const { number, cells } of table.rows)
    for (const { index } of columns) {
      const cell = cells[index];
      const characters = typeof cell === "string" ? findTypographic(cell) : [];
      if (characters.length > 0) firstRow ??= number;
      for (const character of characters) found.add(character);
    }
  if (firstRow === undefined) return [];
  // A space of another width is invisible in a list and changes no value.
  const characters = [...found].filter((character) => character.trim() !== "");
  return characters.length === 0
    ? []
    : [remark("characters_made_plain", firstRow, { params: { characters } })];
}

const IN_BOOKS: Partial<Record<Field, OtherField>> = {
  shipVia: "ship_via",
  shipDate: "ship_date",
  trackingNo: "tracking_no",
  serviceDate: "service_date",
  className: "class",
  location: "location",
};

/** Reports once per column with values that QuickBooks will drop them, and how to keep them. */
export function warnUnsentColumns(table: Table, lists: PlanLists): Problem[] {
  return table.columns.flatMap(({ field, header, index }) => {
    const code = droppedAs(field, lists);
    const first = code && table.rows.find((row) => !isBlank(row.cells[index]));
    if (!code || !first) return [];
    const params = { header, company: lists.companyName };
    return [problemAt(table, { field, row: first.number }, { severity: "warning", code, params })];
  });
}

function droppedAs(field: Field, { droppedFields = [], poField }: PlanLists): string | undefined {
  if (field === "poNumber") return poField ? undefined : "po_not_sent";
  const inBooks = IN_BOOKS[field];
  return inBooks && droppedFields.includes(inBooks) ? "not_kept" : undefined;
}
