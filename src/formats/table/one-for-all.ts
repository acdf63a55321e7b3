import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import type { ColumnChoices } from "./column.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { isBlank } from "./header-text.ts";
import { isKnown, type Headers } from "./headers.ts";
import { withCell } from "./headings.ts";
import { remark, type Problem } from "./problem.ts";

/** Key of the value that users chose for a field in sheets without its column; no key of a header has such a mark. */
export const valueKey = (field: string): string => `value!${field}`;

/** Whether a sheet has no column for the field that one value can stand for. */
export const isWithout = ({ oneForAll }: SheetKind, { columns }: Pick<Headers, "columns">): boolean =>
  oneForAll !== undefined && !columns.some(({ field }) => field === oneForAll.field);

/**
 * Reads a report without lines, such as QuickBooks' own Invoice List: the total of a record is the amount of its only line,
 * and a value that users chose fills a column that the sheet doesn't have.
 */
export function readAsReport<F extends string>(
  kind: SheetKind<F>,
  sheet: Sheet,
  found: Headers<F>,
  chosen?: ColumnChoices,
): Headers<F> {
  const rule = kind.oneForAll;
  if (!rule || !isKnown(found) || !isWithout(kind, found)) return found;
  const headers = withTotalAsAmount(kind, found);
  const value = chosen?.get(valueKey(rule.field));
  if (value === undefined) return headers;
  const index = sheet.rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const column = { field: rule.field, index, header: kind.fields[rule.field].header };
  return {
    ...headers,
    columns: [...headers.columns, column],
    missing: headers.missing.filter(([field]) => field !== rule.field),
    answer: { ...column, value },
  };
}

/** Without quantities, rates and amounts, the first total is the amount. */
function withTotalAsAmount<F extends string>(kind: SheetKind<F>, headers: Headers<F>): Headers<F> {
  const amount = kind.oneForAll?.amount;
  const [missing] = headers.missing.filter(([field]) => field === amount);
  const total = headers.columns.find(({ field }) => field === kind.oneForAll?.total);
  if (!amount || !missing || !total) return headers;
  return {
    ...headers,
    columns: headers.columns.map((column) => (column === total ? { ...column, field: amount } : column)),
    missing: headers.missing.filter((choice) => choice !== missing),
  };
}

/**
 * Fills the column of the chosen value in rows with money. A row without a date, a number of its record and a text of its
 * own may be a total.
 */
export function fillAnswer<F extends string>(
  { fields }: SheetKind<F>,
  { answer, columns }: Headers<F>,
  rows: SheetRow[],
): SheetRow[] {
  if (!answer) return rows;
  const isNumber = (field: F) => NUMBER_TYPES.has(fields[field].type);
  const isMoney = (field: F) => fields[field].level === "row" && isNumber(field);
  const isOwn = (field: F) =>
    fields[field].type === "date" || (fields[field].level !== undefined && !isNumber(field));
  return rows.map((row) => {
    const filled = columns.flatMap(({ index, field }) => (isBlank(row.cells[index]) ? [] : [field]));
    const isLine = filled.some(isMoney) && filled.some(isOwn);
    return isLine ? withCell(row, answer.index, answer.value) : row;
  });
}

/** Says which value fills the lines of a sheet. */
export const noteAnswer = ({ row, answer }: Headers): Problem[] =>
  answer ? [remark("one_for_all", row, { value: answer.value, params: { header: answer.header } })] : [];
