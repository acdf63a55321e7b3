import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { problemAt, quote, type Problem } from "#features/invoices/workbook/rules-problems.ts";
import type { GroupOfRows } from "#features/invoices/plan/rules-invoices.ts";

/** Numbers of one file that differ only by zeros in front or by capitals: one invoice may have come apart into two. */
export function remarkOnAlike(table: Table, groups: readonly GroupOfRows[]): Problem[] {
  const firstOf = new Map<string, GroupOfRows>();
  return groups.flatMap((group) => {
    if (group.docNumber === null) return [];
    const alike = group.docNumber.toLowerCase().replace(/^0+(?=.)/, "");
    const first = firstOf.get(alike);
    if (!first) {
      firstOf.set(alike, group);
      return [];
    }
    const place = { field: "invoiceNo" as const, row: group.rows[0] ?? 0 };
    const { cell } = problemAt(table, { ...place, row: first.rows[0] ?? 0 }, { code: "", text: "" });
    const text = `Invoice No ${quote(group.docNumber)} is nearly ${quote(first.docNumber ?? "")} in ${cell}, and the two are posted as two invoices. Write both alike if they are one.`;
    return [
      problemAt(table, place, { severity: "warning", code: "number_alike", value: group.docNumber, text }),
    ];
  });
}
