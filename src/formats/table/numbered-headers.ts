import type { SheetKind } from "./define-sheet.ts";
import type { Column, ColumnChoices } from "./column.ts";

/** A column of one of several side-by-side lines, "Qty 2". */
export type NumberedColumn<F extends string> = Column<F> & { line: number };

/** Header keys with a line number: "item2", "line2item". */
const NUMBERED = [/^(?<name>.*\D)0*(?<line>\d{1,2})$/, /^(?:line|item)0*(?<line>\d{1,2})(?<name>\D+)$/];

/**
 * Finds the field and line of a header; undefined without a number, or for a field that lines do not have.
 */
export function findNumbered<F extends string>(
  { fields, fieldOfKey, lineBy }: SheetKind<F>,
  key: string,
  chosen?: ColumnChoices,
): { field: F; line: number } | undefined {
  if (lineBy === undefined) return undefined;
  for (const pattern of NUMBERED) {
    const { name = "", line } = pattern.exec(key)?.groups ?? {};
    const choice = chosen?.get(name);
    const field =
      choice !== undefined && Object.hasOwn(fields, choice) ? (choice as F) : fieldOfKey.get(name);
    if (field === undefined || fields[field].level !== "row" || fields[field].control) continue;
    return { field, line: Number(line) };
  }
  return undefined;
}

/**
 * Sorts numbered columns into lines. A line needs the column that identifies lines; otherwise its columns are
 * `rest` and are asked about like all others. The lowest line is the row's own if the sheet has no unnumbered
 * one.
 */
export function sortLines<F extends string>(
  { lineBy }: SheetKind<F>,
  columns: readonly Column<F>[],
  numbered: readonly NumberedColumn<F>[],
): { firstLine: Column<F>[]; furtherLines: Column<F>[][]; rest: Pick<Column, "index" | "header">[] } {
  const byLine = [...Map.groupBy(numbered, ({ line }) => line)].toSorted(([a], [b]) => a - b);
  const isLine = ([, line]: (typeof byLine)[number]) => line.some(({ field }) => field === lineBy);
  const lines = byLine.filter(isLine).map(([, line]) => line);
  const rest = byLine.filter((line) => !isLine(line)).flatMap(([, line]) => line);
  const hasOwn = columns.some(({ field }) => field === lineBy);
  const [firstLine = []] = hasOwn ? [] : lines;
  return { firstLine, furtherLines: hasOwn ? lines : lines.slice(1), rest };
}
