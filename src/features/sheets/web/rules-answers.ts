import type { SeenColumn, SeenColumns } from "#features/sheets/contract.ts";
import type { Billed } from "#features/sheets/web/rules-row-marks.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { addColumn, addUp, type FileTotal } from "#formats/table/file-total.ts";

/** Meaning that each column has on the page, in the order of the columns; empty for none. */
export type Meanings = readonly string[];

/** The total of the sheets that are read, with some answers, without rows that wait for one; null where the sheet has no records. */
export function totalWith(
  { numbers, columns, sheets }: Pick<SeenColumns, "numbers" | "columns" | "sheets">,
  meanings: Meanings,
  billed: Billed,
): FileTotal | null {
  if (!numbers) return null;
  const columnsOf = Map.groupBy(columns.keys(), (at) => meanings[at] ?? "");
  return addUp(numbers, columnsOf, {
    isRead: isReadAt(sheets),
    isLeftOut: (question, value) => billed[question]?.[value] !== true,
  });
}

const isReadAt = (sheets: SeenColumns["sheets"]) => (at: number) => sheets[at]?.is_read !== false;

/** Sum of a column, as a plain number, of the sheets that are read; null for a column without one. */
export function sumRead(
  { numbers, sheets }: Pick<SeenColumns, "numbers" | "sheets">,
  { index, sum }: Pick<SeenColumn, "sum"> & { index: number },
): string | null {
  if (sum === null || !numbers || sheets.length === 0) return sum;
  return (addColumn(numbers, index, isReadAt(sheets)) / 100).toFixed(2);
}

const isRead =
  ({ sheets }: Pick<SeenColumns, "sheets">) =>
  (name: string): boolean =>
    sheets.some(({ sheet, is_read }) => is_read && sheet === name);

/** Whether a column is in a sheet that is read. */
export const isInRead = (
  seen: Pick<SeenColumns, "sheets">,
  { sheets }: Pick<SeenColumn, "sheets">,
): boolean => sheets.length === 0 || sheets.some(isRead(seen));

/** Header of a field matched to two columns of one sheet; null if there is none. */
export function doubleField(
  { columns, fields }: Pick<SeenColumns, "columns" | "fields">,
  meanings: Meanings,
): string | null {
  const double = fields.find(({ field }) => {
    const sheets = columns.flatMap((column, at) =>
      meanings[at] === field ? (column.sheets.length > 0 ? column.sheets : [""]) : [],
    );
    return new Set(sheets).size < sheets.length;
  });
  return double?.header ?? null;
}

/** The questions about sheets that repeat each other and are both read. */
export const findOverlaps = (seen: Pick<SeenColumns, "overlaps" | "sheets">): string[] =>
  seen.overlaps.flatMap(({ sheets, question }) => (sheets.every(isRead(seen)) ? question : []));

/** Answers to a question about a column that are worth comparing: its likely meanings, and none. */
export const listAnswers = ({ choices }: SeenColumn): readonly string[] =>
  choices.length === 0 ? [] : [...choices, "ignore"];

/** Money with the sign of its currency; a plain number without one. */
export const formatCents = (cents: number, currency: string | null): string =>
  new Intl.NumberFormat(undefined, {
    minimumFractionDigits: 2,
    ...(currency !== null && /^[A-Z]{3}$/.test(currency) ? { style: "currency", currency } : {}),
  }).format(cents / 100);

/** Cents of an amount as the server writes it, "1,234.50". */
export const toCents = (amount: string): number => Math.round(Number(amount.replaceAll(",", "")) * 100);

/** Whether our suggestion for a column is neither changed nor accepted yet. */
export const isSuggested = (
  { field, guess }: SeenColumn,
  meaning: string | undefined,
  isUsed: boolean,
): boolean => field === null && guess !== null && meaning === guess && !isUsed;

export type FieldChoice = { field: string; header: string; required: boolean; unless: readonly string[] };

/** Headers of required fields without a column, each with its substitutes. */
export function missingFields(fields: readonly FieldChoice[], meanings: Meanings): string[] {
  const headers = new Map(fields.map(({ field, header }) => [field, header]));
  const isThere = (field: string) => meanings.includes(field);
  return fields
    .filter(({ field, required }) => required && !isThere(field))
    .filter(({ unless }) => unless.length === 0 || !unless.every(isThere))
    .map(({ header, unless }) =>
      unless.length === 0
        ? header
        : words.orElse(header, unless.map((field) => headers.get(field) ?? field).join(" and ")),
    );
}
