import { problemAt, type Problem } from "#formats/table/problem.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import type { GroupOfRows } from "#formats/table/records.ts";

/** Numbers of one file that differ only by zeros in front or by capitals: one invoice may have come apart into two. */
export function remarkOnAlike(table: Table, groups: readonly GroupOfRows[]): Problem[] {
  const firstOf = new Map<string, GroupOfRows>();
  return groups.flatMap((group) => {
    if (group.name === null) return [];
    const alike = group.name.toLowerCase().replace(/^0+(?=.)/, "");
    const first = firstOf.get(alike);
    if (!first) {
      firstOf.set(alike, group);
      return [];
    }
    const place = { field: "invoiceNo" as const, row: group.rows[0] ?? 0 };
    const params = { first: first.name, firstRow: first.rows[0] ?? 0 };
    return [
      problemAt(table, place, { severity: "warning", code: "number_alike", value: group.name, params }),
    ];
  });
}
