import { readRow, type CellRules, type ReadRow } from "#features/invoices/workbook/rules-cells.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { planInvoice, type PlanContext } from "#features/invoices/plan/rules-checks.ts";
import { voteColumns } from "#features/invoices/workbook/rules-date-order.ts";
import type { InvoiceDraft } from "#features/invoices/plan/rules-draft.ts";
import { remarkOnAlike } from "#features/invoices/plan/rules-alike.ts";
import { remarkOnDropped } from "#features/invoices/plan/rules-dropped.ts";
import type { ListKind, WrittenOrder } from "#features/invoices/choices/contract.ts";
import type { ColumnChoice } from "#features/invoices/workbook/rules-headers.ts";
import type { Field } from "#features/invoices/workbook/rules-fields.ts";
import { groupTable, remarkOnApart, type GroupOfRows } from "#features/invoices/plan/rules-invoices.ts";
import { findDecimalComma } from "#features/invoices/workbook/rules-numbers.ts";
import { indexNames } from "#features/invoices/plan/rules-names.ts";
import { problemAt, quote, type Problem } from "#features/invoices/workbook/rules-problems.ts";

/** What the rules know of a company's books. Dates are YYYY-MM-DD. */
export type BooksLists = {
  companyName: string;
  customers: { id: string; name: string; fullName: string; active: boolean; currency?: string }[];
  items: {
    id: string;
    name: string;
    fullName: string;
    sku?: string;
    type: string;
    active: boolean;
    unitPrice?: number;
    invStartDate?: string;
  }[];
  terms: { id: string; name: string; active: boolean; dueDays?: number }[];
  classes: { id: string; name: string; fullName: string; active: boolean }[];
  departments: { id: string; name: string; fullName: string; active: boolean }[];
  /** The company numbers its invoices by hand. */
  customNumbers: boolean;
  /** The day it is checked on. */
  today?: string;
  /** The books are closed up to and including this day. */
  closedThrough: string | null;
  /** ISO code; null when the books name none. */
  homeCurrency: string | null;
  /** Country of the company as Intuit names it, "US". */
  country: string;
  /** Fields that the company's preferences make QuickBooks drop. */
  droppedFields?: readonly Field[];
  /** The custom field that takes the PO number, when the company has one. */
  poField?: { id: string; name: string };
  /** Invoice numbers of the file that the books already hold. */
  usedNumbers?: ReadonlyMap<string, { id: string; customer: string; voided?: boolean }>;
  /** Ids by loose name that people of the company confirmed. */
  nameChoices?: Partial<Record<ListKind, ReadonlyMap<string, string>>>;
  /** Fields by header key that people of the company confirmed. */
  columnChoices?: ReadonlyMap<string, ColumnChoice>;
  /** How people of the company said its dates are written. */
  dateOrder?: WrittenOrder | null;
};

export type PlannedInvoice = {
  /** Names the invoice within the file; the same file gives the same keys. */
  key: string;
  /** As in the sheet; null leaves the numbering to QuickBooks. */
  docNumber: string | null;
  rows: number[];
  problems: Problem[];
  /** Null when any problem is an error: an invoice is sent whole or not at all. */
  draft: InvoiceDraft | null;
  amountCents: number | null;
  /** ISO code of what it is billed in; null when the books name none. */
  currency: string | null;
  customerName: string;
};

/** `invoices` stand in order of their first rows, and every data row belongs to exactly one of them. */
export type Plan = { sheet: string; dataRows: number; invoices: PlannedInvoice[]; notes: Problem[] };

/** A plan whose invoices are checked one after the other, each when it is asked for; they can be read once. */
export type PlanInSteps = Omit<Plan, "invoices"> & { invoices: Iterable<PlannedInvoice> };

/** Checks a whole table against the books and says what would be sent. All problems of all rows at once; sends nothing. */
export function planInvoices(table: Table, lists: BooksLists): Plan {
  const plan = planInSteps(table, lists);
  return { ...plan, invoices: [...plan.invoices] };
}

/** The same, for a caller that puts each invoice away before it takes the next: all of a large file fill 50 to 150 MB. */
export function planInSteps(table: Table, lists: BooksLists): PlanInSteps {
  const votes = voteColumns(table, lists.dateOrder ?? null);
  const rules: CellRules = {
    orders: new Map(votes.map(({ field, order }) => [field, order])),
    decimalComma: findDecimalComma(table),
    latinOnly: lists.country === "US",
    date1904: table.date1904,
  };
  const groups = groupTable(table, rules);
  const invoices = planGroups(groups, { table, lists, rules });
  const notes = [
    ...table.notes,
    ...votes.flatMap(({ note }) => (note ? [note] : [])),
    ...remarkOnAlike(table, groups),
    ...remarkOnPoNumbers(table, lists),
    ...remarkOnDropped(table, lists),
  ];
  return { sheet: table.sheet, dataRows: table.rows.length, invoices, notes: inOrder(notes) };
}

/** Rows are read in full invoice by invoice: all of a large sheet at once would fill 80 MB more. */
function* planGroups(
  groups: readonly GroupOfRows[],
  { table, lists, rules }: { table: Table; lists: BooksLists; rules: CellRules },
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

function indexLists(lists: BooksLists) {
  return {
    customers: indexNames(lists.customers, lists.nameChoices?.customer),
    items: indexNames(lists.items, lists.nameChoices?.item),
    terms: indexNames(lists.terms, lists.nameChoices?.term),
    classes: indexNames(lists.classes, lists.nameChoices?.class),
    departments: indexNames(lists.departments, lists.nameChoices?.department),
  };
}

/** As a person reads the sheet: by row, then by column ("Z" before "AA"). */
function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      a.row - b.row || a.cell.length - b.cell.length || (a.cell < b.cell ? -1 : Number(a.cell > b.cell)),
  );
}

function remarkOnPoNumbers(table: Table, lists: BooksLists): Problem[] {
  const column = table.columns.find(({ field }) => field === "poNumber");
  const first = column && table.rows.find((row) => row.cells[column.index] !== undefined);
  if (!column || !first || lists.poField) return [];
  const text = `${quote(column.header)} is not sent: we know no field for it on the invoices of ${lists.companyName}. Put the number into Customer Memo or Private Note where it must be seen.`;
  return [
    problemAt(
      table,
      { field: "poNumber", row: first.number },
      { severity: "warning", code: "po_not_sent", text },
    ),
  ];
}
