import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { NUMBER_TYPES, type FieldType, type SheetKind } from "./define-sheet.ts";
import { isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { remark, type Problem } from "./problem.ts";

/** Words that programs and scripts write for a missing value. */
const WORDS = /^(?:\(?null\)?|#?n\/?a|nan|nat|none|nil|undefined)$/i;

/** Placeholders that never mean "no". */
const PROGRAM_PLACEHOLDERS = /^(?:\(?null\)?|nan|nat|undefined)$/i;

const DASHES = /^[-\u2013\u2014]+$/;

const LONGEST = 9;

/**
 * Whether a text stands for a missing value. A dash in a quantity, rate or amount may be a zero, and "none"
 * may be an answer to a question; both are kept.
 */
export function isPlaceholder(text: string, type: FieldType = "text"): boolean {
  if (text.length > LONGEST) return false;
  if (type === "yesno") return PROGRAM_PLACEHOLDERS.test(text);
  return WORDS.test(text) || (DASHES.test(text) && type !== "decimal" && type !== "money");
}

/** Whether a cell is blank, or says that it is. */
export const isNothing = (cell: CellValue | undefined): cell is undefined =>
  cell === undefined || isBlank(cell) || (typeof cell === "string" && isPlaceholder(cell.trim()));

/** Reports once per file which words are read as blank cells. */
export function notePlaceholders(
  kind: SheetKind,
  { columns, furtherLines }: Pick<Headers, "columns" | "furtherLines">,
  rows: readonly SheetRow[],
): Problem[] {
  const words = new Set<string>();
  let first: number | undefined;
  const typed = [...columns, ...furtherLines.flat()].map(({ index, field }) => ({
    index,
    type: kind.fields[field]?.type,
  }));
  for (const { number, cells } of rows)
    for (const { index, type } of typed) {
      const cell = cells[index];
      if (typeof cell !== "string" || cell.length > LONGEST + 2) continue;
      const text = cell.trim();
      // A dash in a money column is not worth mentioning.
      if (!isPlaceholder(text, type) || (DASHES.test(text) && NUMBER_TYPES.has(type))) continue;
      words.add(text);
      first ??= number;
    }
  return first === undefined ? [] : [remark("placeholders_blank", first, { params: { words: [...words] } })];
}
