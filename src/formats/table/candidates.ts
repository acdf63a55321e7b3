import type { Sheet, SheetRow, Workbook } from "../xlsx/workbook.ts";
import { addTimes } from "./add-times.ts";
import type { SheetKind } from "./define-sheet.ts";
import { isBlank } from "./header-text.ts";
import { findHeaders, isKnown, type Column, type ColumnChoices, type Headers } from "./headers.ts";
import { lowerHeadings } from "./headings.ts";
import { readAsReport } from "./one-for-all.ts";
import { applyLayout, type WithLayout } from "./layouts.ts";
import { fieldsKey } from "./several-sheets.ts";

/** A visible sheet, its place in the workbook, and its headers where it has some. */
export type Candidate<F extends string = string> = WithLayout & {
  at: number;
  headers: Headers<F> | undefined;
};
export type Complete<F extends string = string> = Candidate<F> & { headers: Headers<F> };

export const readCandidates = <F extends string>(
  kind: SheetKind<F>,
  workbook: Workbook,
  chosen: ColumnChoices | undefined,
): Candidate<F>[] =>
  workbook.sheets.flatMap((written, at) => {
    if (written.state !== "visible") return [];
    const { sheet: read, ...by } = applyLayout(kind, written, chosen);
    const sheet = addTimes(kind, lowerHeadings(kind, read, by.chosen), by.chosen);
    const found = findHeaders(kind, sheet, by.chosen);
    const headers = found && readAsReport(kind, sheet, withoutEmptyDoubles(sheet, found), by.chosen);
    return [{ ...by, sheet, at, headers }];
  });

export const isComplete = <C extends Candidate>(
  each: C,
): each is C & { headers: NonNullable<C["headers"]> } => each.headers?.missing.length === 0;

/** Finds the largest group of sheets with rows whose headers mean the same fields; else the first one without rows. */
export function findAgreeing<C extends Complete>(
  kind: Pick<SheetKind, "severalSheets">,
  complete: readonly C[],
): readonly C[] {
  const filled = complete.filter(hasRows);
  if (filled.length < 2 || !kind.severalSheets)
    return filled.length > 0 ? filled.slice(0, 1) : complete.slice(0, 1);
  const groups = [...Map.groupBy(filled, ({ headers }) => fieldsKey(headers)).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** A sheet of headers only, as of a template that was copied from, is not the one with the data. */
export function hasRows({ sheet, headers }: Complete): boolean {
  return (
    sheet.refused !== null || sheet.rows.some((row) => row.number > headers.row && holdsData(row, headers))
  );
}

/** A sheet whose headers are certainly ours, though columns may be missing. */
export const isKnownCandidate = <F extends string>(each: Candidate<F>): each is Complete<F> =>
  each.headers !== undefined && isKnown(each.headers);

export const holdsData = ({ cells }: SheetRow, { columns, furtherLines }: Headers) =>
  [columns, ...furtherLines].some((line) => line.some(({ index }) => !isBlank(cells[index])));

/** Drops an empty column if another one has the same field, as in sheets for other importers. */
function withoutEmptyDoubles<F extends string>(sheet: Sheet, headers: Headers<F>): Headers<F> {
  const below = headers.doubles.length === 0 ? [] : sheet.rows.filter(({ number }) => number > headers.row);
  const isEmpty = ({ index }: Column) => below.every(({ cells }) => isBlank(cells[index]));
  const empty = headers.doubles.flatMap(({ columns }) => {
    const without = columns.filter(isEmpty);
    return without.length === columns.length ? without.slice(1) : without;
  });
  const kept = (columns: Column<F>[]) => columns.filter((column) => !empty.includes(column));
  const doubles = headers.doubles.map(({ field, columns }) => ({ field, columns: kept(columns) }));
  return {
    ...headers,
    columns: kept(headers.columns),
    doubles: doubles.filter(({ columns }) => columns.length > 1),
  };
}
