import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import type { ColumnChoice } from "#features/invoices/rules-headers.ts";
import { findTable } from "#features/invoices/rules-columns.ts";

/** Rows to take out of a workbook, by number, each with the reason to stand beside it. */
export type ProblemRows = {
  reasons: { row: number; reason: string }[];
  chosen: ReadonlyMap<string, ColumnChoice>;
};

/** Header of the column that tells why; a later upload of the same workbook passes it over. */
export const REASON_HEADER = "Reason";

/** Writes some rows of a workbook's table into a workbook of their own. Runs in a thread of its own. */
export async function run(bytes: Uint8Array, { reasons, chosen }: ProblemRows): Promise<Uint8Array> {
  const table = findTable(readWorkbook(bytes), chosen);
  const reasonOf = new Map<number, string>();
  for (const { row, reason } of reasons) {
    const before = reasonOf.get(row);
    reasonOf.set(row, before ? `${before}\n${reason}` : reason);
  }
  const columns = table.columns.map(({ header }) => ({ header, width: 18 }));
  const rows = table.rows
    .filter(({ number }) => reasonOf.has(number))
    .map(({ number, cells }) => [...table.columns.map(({ index }) => cells[index]), reasonOf.get(number)]);
  return writeWorkbook([
    { name: table.sheet, columns: [...columns, { header: REASON_HEADER, width: 60 }], rows, wrap: true },
  ]);
}
