import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { FileRefused } from "../facts.ts";
import { isBlank } from "./header-text.ts";

/** Begins like a number or a date. */
const LIKE_NUMBER = /^[\s(+-]*(?:[$€£]\s*)?\.?\d/;

/**
 * A row of a text file has more values than headers if a comma of one isn't in quotation marks: $1,250.00 would be read as
 * $1. Words beside a row may be a mark of it.
 * @param rows data rows
 * @throws FileRefused code `values_beyond_headers`
 */
export function refuseBeyondHeaders(sheet: Sheet, headerRow: number, rows: readonly SheetRow[]): void {
  if (!sheet.isText) return;
  const isOwn = (index: number) => !sheet.formedOf?.has(index);
  const headers = sheet.rows.find(({ number }) => number === headerRow)?.cells ?? [];
  const last = headers.findLastIndex((cell, index) => isOwn(index) && !isBlank(cell));
  const found = rows.find(({ cells }) =>
    cells
      .slice(last + 1)
      .some((cell, at) => isOwn(last + 1 + at) && typeof cell === "string" && LIKE_NUMBER.test(cell)),
  );
  if (found) throw new FileRefused("values_beyond_headers", { row: found.number });
}
