import type { WrongCell } from "#features/sheets/contract.ts";
import { typedDateOrder } from "#formats/table/date-order.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Problem } from "#formats/table/problem.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";

/** Converts an error for the reply. @param text its sentence, without its cell */
export function toWrongCell(kind: SheetKind, problem: Problem, text: string): WrongCell {
  const { code, row, column, field, value } = problem;
  return {
    code,
    text,
    row,
    cell: column === null ? "" : cellName(column, row),
    field,
    header: field === null ? null : (kind.fields[field]?.header ?? null),
    value,
    date_order: typedDateOrder(problem),
  };
}
