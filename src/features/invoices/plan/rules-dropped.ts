import { isBlank } from "#formats/table/header-text.ts";
import { problemAt, type Problem } from "#formats/table/problem.ts";
import type { OtherField } from "#features/books/contract.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";

const IN_BOOKS: Partial<Record<Field, OtherField>> = {
  shipVia: "ship_via",
  shipDate: "ship_date",
  trackingNo: "tracking_no",
  serviceDate: "service_date",
  className: "class",
  location: "location",
};

/** Reports once for each column with values that QuickBooks will drop them, and how to have them kept. */
export function remarkOnDropped(table: Table, lists: PlanLists): Problem[] {
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
