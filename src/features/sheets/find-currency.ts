import { divideRows } from "#formats/table/divide-rows.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Headers } from "#formats/table/headers.ts";
import { groupTable } from "#formats/table/records.ts";
import { showCell } from "#formats/table/texts.ts";
import type { CellValue, Sheet } from "#formats/xlsx/workbook.ts";

/** The one currency of all records: of their column for it, else the usual one unless a cell has the sign of another. */
export function findCurrency(kind: SheetKind, sheet: Sheet, headers: Headers): string | null {
  const { currency, fields } = kind;
  if (!currency) return null;
  const { field, usual } = currency;
  const written = headers.columns.find((column) => column.field === field)?.index;
  const below = sheet.rows.filter(({ number }) => number > headers.row);
  if (written === undefined) return below.some(({ cells }) => cells.some(isInOther)) ? null : usual;
  const codeOf = new Map(
    below.flatMap(({ number, cells }) => {
      const text = showCell(cells[written] ?? "").trim();
      return text === "" ? [] : [[number, fields[field]?.rewrite?.(text) ?? text] as const];
    }),
  );
  const codes = new Set(codeOf.values());
  const [code = usual] = codes;
  if (codes.size > 1) return null;
  if (code === usual || codeOf.size === below.length) return code;
  // A record without a code is in its customer's currency.
  return readRecords(kind, sheet, headers).every(({ rows }) => rows.some((row) => codeOf.has(row)))
    ? code
    : null;
}

/** Whether a cell has a sign of another currency than the dollar of the United States, in its text or its format. */
const isInOther = (cell: CellValue | undefined): boolean =>
  typeof cell === "object"
    ? cell.kind === "money" && !/^(?:US\$|USD)$/.test(cell.sign)
    : typeof cell === "string" && /[€£¥₹]/.test(cell);

/** The records of a sheet, without totals. */
const readRecords = (kind: SheetKind, sheet: Sheet, headers: Headers) =>
  kind.grouping
    ? groupTable(
        { kind, columns: headers.columns, rows: divideRows(kind, sheet, headers).rows },
        { orders: new Map(), latinOnly: false },
      )
    : [];
