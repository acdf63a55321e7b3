import { cellName } from "#formats/xlsx/cell-names.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { fieldHeader, type Field } from "#features/invoices/workbook/rules-fields.ts";

/** Where in the workbook: `cell` as in Excel, "D5"; `row` counts from 1. */
export type Place = { sheet: string; cell: string; row: number; header: string };

/** What a person must know about one cell. `text` is one or two full sentences that start with the cell. */
export type Problem = Place & {
  severity: "error" | "warning";
  /** Stable name of the rule. */
  code: string;
  /** What stands in the cell, at most 500 characters: as many as the longest name of a list has. */
  value: string;
  text: string;
};

export type Found = { severity?: "warning"; code: string; value?: string; text: string };

const MAX_VALUE = 500;

/** A problem of one field in one row. When the sheet has no such column it is told by the row. */
export function problemAt(table: Table, place: { field: Field; row: number }, found: Found): Problem {
  const column = table.columns.find((each) => each.field === place.field);
  const where = column ? cellName(column.index, place.row) : `Row ${place.row}`;
  return {
    sheet: table.sheet,
    cell: column ? where : `A${place.row}`,
    row: place.row,
    header: column?.header ?? fieldHeader(place.field),
    severity: found.severity ?? "error",
    code: found.code,
    value: shorten(found.value ?? "", MAX_VALUE),
    text: `${where}: ${found.text}`,
  };
}

/** A cell's content as it is shown in a sentence. */
export function quote(value: string): string {
  return `"${shorten(value)}"`;
}

/** The first characters of a text, as many as a sentence bears, on one line; a character is never cut in halves. */
export function shorten(value: string, most = 60): string {
  const line = value.replaceAll(/\s+/g, " ");
  if (line.length <= most) return line;
  return `${Array.from(line.slice(0, 2 * most))
    .slice(0, most - 1)
    .join("")}…`;
}

/** "A", "A and B", "A, B and C". */
export function listOf(parts: readonly string[], word = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

/** Row numbers as a person writes them: "2, 5-9 and 12"; a long list is cut. */
export function rowRanges(rows: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  const shown = ranges.slice(0, 5).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return ranges.length > 5 ? `${shown.join(", ")} and more` : listOf(shown);
}
