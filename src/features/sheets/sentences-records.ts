import type { SheetKind } from "#formats/table/define-sheet.ts";
import { listParam as list, numberParam as number, textParam as text } from "#formats/facts.ts";
import type { Problem } from "#formats/table/problem.ts";
import { rangesText, titleOf } from "#formats/text/phrases.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";

/**
 * What is said of the rows of one record; undefined for any other code.
 * @param quoted how texts of the file are put into it
 */
export function recordSentence(
  { fields, words: { record, records, key } }: SheetKind,
  { code, field, row, column, value, params }: Problem,
  quoted: (text: string) => string,
): string | undefined {
  const header = fields[field ?? ""]?.header ?? "";
  const sentences: Record<string, () => string> = {
    values_differ: () => {
      const name = text(params, "record")
        ? `${record} ${text(params, "record")}`
        : `the ${record} of row ${number(params, "recordRow")}`;
      return `${header} ${quoted(value)} differs from ${quoted(text(params, "first"))} in ${cellName(column ?? 0, number(params, "firstRow"))}, and both rows belong to ${name}. Give both the same value, or another ${key}.`;
    },
    lines_apart: () => {
      const twin = number(params, "twin");
      const doubt = twin
        ? ` Row ${row} says the same as row ${twin}: remove it if it was copied by mistake.`
        : "";
      return `${titleOf(record)} ${value} goes on here after rows of other ${records}. Its lines (rows ${rangesText(list(params, "rows").map(Number))}) are put together.${doubt}`;
    },
  };
  return sentences[code]?.();
}
