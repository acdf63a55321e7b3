import type { Params } from "../facts.ts";
import type { SheetRow } from "../xlsx/workbook.ts";
import { hasRows, holdsData, isComplete, type Candidate } from "./candidates.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { isBlank } from "./header-text.ts";
import type { Column } from "./headers.ts";
import { remark, type Problem } from "./problem.ts";
import type { JoinedTable } from "./several-sheets.ts";

/** A sheet that users chose not to read. */
export const leftOut = ({ sheet }: Candidate, row: number): Problem =>
  remark("sheet_left_out", row, { value: sheet.name });

/** Other sheets of data must not be ignored silently. */
export function notRead<F extends string>(
  candidates: readonly Candidate<F>[],
  { agreeing, joined }: { agreeing: readonly Candidate<F>[]; joined: JoinedTable<F> },
): Problem[] {
  const others = candidates.filter((each) => !agreeing.includes(each));
  return others.flatMap((each) => {
    const why = whyNotRead(each, joined);
    if (!why) return [];
    const params = { sheet: joined.sheet, ...why };
    return [remark("sheet_not_read", joined.headerRow, { value: each.sheet.name, params })];
  });
}

/**
 * Fields in which the headers of a sheet of data differ from those that were read, or no headers at all where its rows
 * look like theirs; undefined for a sheet of something else.
 */
function whyNotRead<F extends string>(
  candidate: Candidate<F>,
  { kind, columns, rows }: JoinedTable<F>,
): Params | undefined {
  const { sheet, headers } = candidate;
  const fields = columns.map(({ field }) => field);
  const own = headers?.columns.map(({ field }) => field) ?? [];
  const common = fields.filter((field) => own.includes(field)).length;
  const names = (list: readonly F[]) => list.map((field) => kind.fields[field].header);
  const differing = {
    missing: names(fields.filter((field) => !own.includes(field))),
    added: names([...new Set(own.filter((field) => !fields.includes(field)))]),
  };
  if (isComplete(candidate)) return hasRows(candidate) ? differing : undefined;
  if (common >= 2 && common * 2 >= fields.length && holdsRows(candidate)) return differing;
  return common < 2 && sheet.rows.some((row) => isLikeRows(kind, row, { columns, rows }))
    ? { missing: [], added: [], hasNoHeaders: true }
    : undefined;
}

const holdsRows = ({ sheet, headers }: Candidate): boolean =>
  headers !== undefined && sheet.rows.some((row) => row.number > headers.row && holdsData(row, headers));

/** A date and a number where the read sheet has them, as on a further page that has no headers of its own. */
function isLikeRows(
  kind: SheetKind,
  { cells }: SheetRow,
  { columns, rows }: { columns: readonly Column[]; rows: readonly SheetRow[] },
): boolean {
  const typed = columns.filter(
    ({ field }) => NUMBER_TYPES.has(kind.fields[field]?.type) || kind.fields[field]?.type === "date",
  );
  const sample = rows[0]?.cells ?? [];
  const used = typed.filter(({ index }) => !isBlank(sample[index]));
  return (
    used.length >= 2 &&
    used.every(({ index }) => typeof cells[index] === typeof sample[index] && !isBlank(cells[index]))
  );
}
