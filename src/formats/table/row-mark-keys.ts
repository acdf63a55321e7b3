import type { CellValue } from "../xlsx/workbook.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, headerText, isAddedHeader, timeHeader } from "./header-text.ts";

/** Whether rows with a value are billed, as a stored choice. */
export const BILLED = "billed";
export const LEFT_OUT = "left_out";

const PREFIX = "billed!";

export const isRowMarkKey = (key: string): boolean => key.startsWith(PREFIX);

/**
 * Identifies a question about rows: the layout of the sheet, and the header of the column. "Pending" of one program's orders
 * says nothing about that of another one. The header is empty for hidden rows.
 */
export const toQuestion = (layout: string, header: string): string => `${layout}!${header}`;

/** The header of the column that a question is about. */
export const questionHeader = (question: string): string => question.slice(question.indexOf("!") + 1);

/** Key of a user's answer for a value of a column; no key of a header has such a mark. */
export function rowMarkKey(question: string, value: string): string {
  const header = questionHeader(question);
  const layout = question.slice(0, -header.length - 1);
  return `${PREFIX}${layout}!${headerKey(header) || header}!${value.trim().toLowerCase()}`;
}

/**
 * Identifies the layout of a sheet by its headers, in any order; without those that a workbook of problem rows adds to them,
 * and those of times in a column of dates, which are there only where rows differ by them.
 */
export function layoutKey(
  { fields, oneForAll, grouping }: SheetKind,
  headers: readonly (CellValue | undefined)[],
): string {
  const texts = headers.map(headerText);
  const added = [
    ...[oneForAll?.field, grouping?.fallbackKey].map((field) => fields[field ?? ""]?.header ?? ""),
    ...texts.map(timeHeader),
  ];
  const keys = texts.flatMap((header) =>
    isAddedHeader(header) || added.includes(header) ? [] : headerKey(header),
  );
  let hash = 0n;
  for (const character of keys.toSorted().join("\n"))
    hash = BigInt.asUintN(64, hash * 1_099_511_628_211n + BigInt(character.codePointAt(0) ?? 0));
  return hash.toString(36);
}
