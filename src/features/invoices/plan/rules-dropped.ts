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
export function remarkOnDropped(
  table: Table,
  { droppedFields: dropped = [], companyName }: PlanLists,
): Problem[] {
  return table.columns.flatMap(({ field, header, index }) => {
    const inBooks = IN_BOOKS[field];
    const first = table.rows.find((row) => hasValue(row.cells[index]));
    if (!inBooks || !first || !dropped.includes(inBooks)) return [];
    const params = { header, company: companyName };
    return [
      problemAt(table, { field, row: first.number }, { severity: "warning", code: "not_kept", params }),
    ];
  });
}

const hasValue = (cell: unknown) => cell !== undefined && (typeof cell !== "string" || cell.trim() !== "");
