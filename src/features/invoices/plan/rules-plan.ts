import type { Problem } from "#formats/table/problem.ts";
import {
  indexLists,
  type PlanContext,
  type PlanInSteps,
  type PlanLists,
  type PlannedInvoice,
} from "#features/invoices/plan/rules.ts";
import { readRow, type CellRules } from "#formats/table/cells.ts";
import type { ReadRow, Table } from "#features/invoices/workbook/rules-table.ts";
import { planInvoice } from "#features/invoices/plan/rules-checks.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import { remarkOnNearDuplicates } from "#features/invoices/plan/rules-near-duplicate-numbers.ts";
import { remarkOnDropped } from "#features/invoices/plan/rules-dropped.ts";
import { groupTable, remarkOnApart, type GroupOfRows } from "#formats/table/records.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";

/**
 * Checks a whole table against the books and says what would be sent, and all problems of all rows; sends nothing. Each
 * invoice is checked when it is asked for: all of a large file fill 50 to 150 MB.
 */
export function planInSteps(table: Table, lists: PlanLists): PlanInSteps {
  const votes = voteColumns(table, lists.dateOrder ?? null);
  const rules: CellRules = {
    orders: new Map(votes.map(({ field, order }) => [field, order])),
    decimalComma: findDecimalComma(table),
    latinOnly: lists.country === "US",
  };
  const groups = groupTable(table, rules);
  const invoices = planGroups(groups, { table, lists, rules });
  const notes = [
    ...table.notes,
    ...votes.flatMap(({ note }) => note ?? []),
    ...remarkOnNearDuplicates(table, groups),
    ...remarkOnDropped(table, lists),
  ];
  return { dataRows: table.rows.length, invoices, notes: inOrder(notes) };
}

/** Rows are read in full invoice by invoice: all of a large sheet at once would fill 80 MB more. */
function* planGroups(
  groups: readonly GroupOfRows[],
  { table, lists, rules }: { table: Table; lists: PlanLists; rules: CellRules },
): Generator<PlannedInvoice> {
  const indexes = indexLists(lists);
  const rowAbove = new Map(
    table.rows.map(({ number }, index) => [number, table.rows[index - 1]?.number ?? 0]),
  );
  const rowOf = new Map(table.rows.map((row) => [row.number, row]));
  for (const { rows, ...named } of groups) {
    const cellProblems = new Map<number, Problem[]>();
    const read = rows.map((row): ReadRow => {
      const problems: Problem[] = [];
      cellProblems.set(row, problems);
      return readRow(table, rowOf.get(row) ?? { number: row, cells: [] }, { rules, problems });
    });
    const group = { ...named, rows: read };
    const context: PlanContext = { table, lists, cellProblems, ...indexes };
    const planned = planInvoice(context, group);
    yield { ...planned, problems: inOrder([...planned.problems, ...remarkOnApart(table, group, rowAbove)]) };
  }
}

/** As a user reads the sheet: by row, then by column. */
function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => a.row - b.row || (a.column ?? 0) - (b.column ?? 0));
}
