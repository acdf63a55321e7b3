import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import type { Table } from "./columns.ts";
import { showCell } from "./texts.ts";

/**
 * A cell that a user corrected. Identified by field, because the sheet may lack a column for a required
 * field.
 */
export type Correction = {
  /** Row number as in spreadsheets, starting at 1. */
  row: number;
  field: string;
  /** New content as text; empty to clear the cell. */
  value: string;
};

/** `was`: the file's own content as text. `record`: the record that is left out. */
export type Corrected = Correction & { was: string; record?: LeftOutRecord };

/** A record that is left out: its name, and its amount if readable. */
export type LeftOutRecord = { name: string | null; cents: number | null; currency: string | null };

/**
 * Used in place of a field: the record is left out. `row` is the record's first row, `value` all of its rows.
 */
const LEFT_OUT = "left_out";

export const isLeftOut = ({ field }: Correction): boolean => field === LEFT_OUT;

/** Leaves out a record, which has at least one row. */
export function leaveOut(rows: readonly number[], record: LeftOutRecord): Corrected {
  return { row: Math.min(...rows), field: LEFT_OUT, value: rows.join(" "), was: "", record };
}

/** Lists the rows that corrections leave out. */
export const leftOutRows = (corrections: readonly Correction[]): number[] =>
  corrections.filter(isLeftOut).flatMap(({ value }) => value.split(" ").map(Number));

/**
 * Applies corrections to a table, without the records that users left out. A field without a column gets one
 * after the others.
 * @returns also the corrections of cells that the table has, and the records left out
 */
export function correctCells<F extends string>(
  table: Table<F>,
  corrections: readonly Correction[],
): { table: Table<F>; corrected: Corrected[] } {
  if (corrections.length === 0) return { table, corrected: [] };
  const byRow = Map.groupBy(corrections, ({ row }) => row);
  const columns = withColumns(table, corrections);
  const left = new Set(leftOutRows(corrections));
  const corrected: Corrected[] = corrections.filter(isLeftOut).map((all) => ({ ...all, was: "" }));
  const rows = table.rows.map((row): SheetRow => {
    const cells: (CellValue | undefined)[] = [...row.cells];
    for (const correction of byRow.get(row.number) ?? []) {
      const index = columns.find(({ field }) => field === correction.field)?.index;
      if (index === undefined) continue;
      const before = row.cells[index];
      corrected.push({ ...correction, was: before === undefined ? "" : showCell(before) });
      cells[index] = correction.value === "" ? undefined : correction.value;
    }
    return { ...row, cells };
  });
  return { table: { ...table, columns, rows: rows.filter(({ number }) => !left.has(number)) }, corrected };
}

function withColumns<F extends string>(
  table: Table<F>,
  corrections: readonly Correction[],
): Table<F>["columns"] {
  const { names, fields } = table.kind;
  const width = Math.max(
    ...table.columns.map(({ index }) => index + 1),
    ...table.rows.map(({ cells }) => cells.length),
  );
  const missing = names.filter(
    (name) =>
      corrections.some(({ field }) => field === name) && !table.columns.some(({ field }) => field === name),
  );
  const added = missing.map((field, place) => ({
    field,
    index: width + place,
    header: fields[field].header,
  }));
  return [...table.columns, ...added];
}
