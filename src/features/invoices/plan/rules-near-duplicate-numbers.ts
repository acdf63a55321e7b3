import { problemAt, type Problem } from "#formats/table/problem.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import type { GroupOfRows } from "#formats/table/records.ts";

/** Numbers of one file that differ only by zeros in front or by capitals: one invoice may have become two. */
export function remarkOnNearDuplicates(table: Table, groups: readonly GroupOfRows[]): Problem[] {
  const firstOf = new Map<string, GroupOfRows>();
  return groups.flatMap((group) => {
    if (group.name === null) return [];
    const key = group.name.toLowerCase().replace(/^0+(?=.)/, "");
    const first = firstOf.get(key);
    if (!first) {
      firstOf.set(key, group);
      return [];
    }
    const place = { field: "invoiceNo" as const, row: group.rows[0] ?? 0 };
    const params = { first: first.name, firstRow: first.rows[0] ?? 0 };
    return [
      problemAt(table, place, { severity: "warning", code: "number_alike", value: group.name, params }),
    ];
  });
}
