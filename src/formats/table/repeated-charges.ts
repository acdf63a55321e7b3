import { FileRefused } from "../facts.ts";
import { cellName } from "../xlsx/cell-names.ts";
import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import type { Column, ColumnChoices } from "./column.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, isBlank } from "./header-text.ts";
import { groupTable } from "./records.ts";
import { ownColumn } from "./headings.ts";
import type { SheetTable } from "./several-sheets.ts";
import { cleanText, showCell } from "./texts.ts";

/** A column of money of a whole record that several rows of one record have. */
export type RepeatedCharge = Column & { value: string; rows: [number, number] };

type Rows = { kind: SheetKind; columns: readonly Column[]; rows: readonly SheetRow[] };

/**
 * Finds columns for which a user must say whether their money is of the whole record, or of each row: several rows of one
 * record have some. A total of the record in the file proves which, and so do percentages, which come to the same.
 */
export function findRepeated({ kind, columns, rows }: Rows, chosen?: ColumnChoices): RepeatedCharge[] {
  const { ofEachRow = {}, fields } = kind;
  const open = columns.filter(
    ({ field, header }) => ofEachRow[field] !== undefined && !isSaid(headerKey(header), chosen),
  );
  const asked = open.filter(({ index }) => rows.filter(({ cells }) => isMoney(cells[index])).length > 1);
  const totals = columns.filter(({ field }) => fields[field]?.control && fields[field]?.level === undefined);
  const isProven = ({ cells }: SheetRow) => totals.some(({ index }) => !isBlank(cells[index]));
  if (asked.length === 0 || rows.every(isProven)) return [];
  const groups = groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false });
  const cellsOf = new Map(rows.map(({ number, cells }) => [number, cells]));
  const unproven = groups.filter(
    (group) =>
      group.rows.length > 1 &&
      !group.rows.some((row) => totals.some(({ index }) => !isBlank(cellsOf.get(row)?.[index]))),
  );
  return asked.flatMap((column): RepeatedCharge[] => {
    for (const group of unproven) {
      const [first, second] = group.rows.filter((row) => isMoney(cellsOf.get(row)?.[column.index]));
      if (first === undefined || second === undefined) continue;
      return [{ ...column, value: shown(cellsOf.get(first)?.[column.index]), rows: [first, second] }];
    }
    return [];
  });
}

/** A user has said it, or the header: "Order Discount". */
const isSaid = (key: string, chosen: ColumnChoices | undefined): boolean =>
  chosen?.has(key) === true || /invoice|order|total/.test(key);

const shown = (cell: CellValue | undefined): string => (cell === undefined ? "" : cleanText(showCell(cell)));

function isMoney(cell: CellValue | undefined): boolean {
  if (typeof cell === "number") return cell !== 0;
  const text = shown(cell);
  return /[1-9]/.test(text) && !text.endsWith("%");
}

/** @throws FileRefused code `charge_repeated` */
export function refuseRepeated<F extends string>(table: SheetTable<F>, chosen?: ColumnChoices): void {
  const [found] = findRepeated(table, chosen);
  if (!found) return;
  const { header, value, rows, index, field } = found;
  const cells = rows.map((row) => cellName(ownColumn(table, index), row));
  throw new FileRefused("charge_repeated", { header, value, cells, field });
}
