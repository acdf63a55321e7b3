import { problemAt, type Problem } from "#formats/table/problem.ts";
import { SWITCHES } from "#features/invoices/lists/rules-switches.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import type { BooksLists } from "#features/invoices/lists/rules.ts";

/** Tells once for each column with values that QuickBooks will drop them, and how to have them kept. */
export function remarkOnDropped(
  table: Table,
  { droppedFields: dropped = [], companyName }: BooksLists,
): Problem[] {
  return table.columns.flatMap(({ field, header, index }) => {
    const words = Object.values(SWITCHES).find(({ fields }) => fields.includes(field));
    const first = table.rows.find((row) => hasValue(row.cells[index]));
    if (!words || !first || !dropped.includes(field)) return [];
    const params = { header, company: companyName };
    return [
      problemAt(table, { field, row: first.number }, { severity: "warning", code: "not_kept", params }),
    ];
  });
}

const hasValue = (cell: unknown) => cell !== undefined && (typeof cell !== "string" || cell.trim() !== "");
