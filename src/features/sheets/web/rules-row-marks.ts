import type { ColumnMarks, SeenColumns } from "#features/sheets/contract.ts";
import { addMarkedRows } from "#formats/table/marked-rows.ts";

/** Whether the values of each question are billed, in the order of the page; null where it isn't said yet. */
export type Billed = readonly (readonly (boolean | null)[])[];

/** Answers given on the page, by column and value. */
export type GivenMarks = ReadonlyMap<string, boolean>;

export const markKey = (of: string, value: string): string => `${of}\n${value}`;

/** Whether a sheet of the file is read, as chosen on the page. */
const isRead = (sheets: SeenColumns["sheets"], name: string): boolean =>
  sheets.find(({ sheet }) => sheet === name)?.is_read !== false;

/** The questions about rows of the sheets that are read, with those rows only. */
export const findAsked = ({ row_marks: rowMarks, sheets }: Pick<SeenColumns, "row_marks" | "sheets">) =>
  rowMarks
    .map((column) => ({
      ...column,
      values: column.values.flatMap((value) => {
        if (value.by_sheet.length === 0) return [value];
        const read = value.by_sheet.filter(({ sheet }) => isRead(sheets, sheet));
        return read.length === 0 ? [] : [{ ...value, ...addMarkedRows(read) }];
      }),
    }))
    // Where no such value is left, all rows of the column are billed.
    .filter(({ values }) => values.some(({ guess, is_billed }) => guess !== true || is_billed !== null));

/** As answered on the page, else as users chose before, else as the values most likely mean. */
export const findBilled = (rowMarks: readonly ColumnMarks[], given: GivenMarks): Billed =>
  rowMarks.map(({ of, values }) =>
    values.map(({ value, is_billed, guess }) => given.get(markKey(of, value)) ?? is_billed ?? guess),
  );

/** Questions without an answer: none of the column, or of a value that marks its rows. */
export const findUnanswered = (rowMarks: readonly ColumnMarks[], given: GivenMarks): readonly ColumnMarks[] =>
  rowMarks.filter(({ of, values }) => {
    const open = values.filter(
      ({ value, is_billed }) => is_billed === null && !given.has(markKey(of, value)),
    );
    return open.some(({ guess }) => !guess) || open.length === values.length;
  });

/** Questions with a value that only a user can decide on, and didn't yet. */
export const findWaiting = (rowMarks: readonly ColumnMarks[], billed: Billed): readonly ColumnMarks[] =>
  rowMarks.filter((_, at) => billed[at]?.includes(null));

/** Counts the rows with such a value in the sheets that are read. */
export function countWaiting(
  { numbers, sheets }: Pick<SeenColumns, "numbers" | "sheets">,
  billed: Billed,
): number {
  if (!numbers) return 0;
  const isWaiting = (row: number) =>
    numbers.marks.some((values, question) => billed[question]?.[values[row] ?? -1] === null);
  return numbers.sheets.filter((sheet, row) => sheets[sheet]?.is_read !== false && isWaiting(row)).length;
}

/** The answers of some questions as they are suggested or were changed on the page. */
export const acceptAnswers = (
  accepted: readonly ColumnMarks[],
  { rowMarks, billed, given }: { rowMarks: readonly ColumnMarks[]; billed: Billed; given: GivenMarks },
): GivenMarks =>
  new Map([
    ...given,
    ...rowMarks.flatMap((column, at) =>
      accepted.includes(column)
        ? column.values.map(
            ({ value }, index) => [markKey(column.of, value), billed[at]?.[index] ?? false] as const,
          )
        : [],
    ),
  ]);

/** Answers that differ from the saved ones. */
export const changedAnswers = (rowMarks: readonly ColumnMarks[], billed: Billed) =>
  rowMarks.flatMap(({ of, files_like, values }, at) =>
    values.flatMap(({ value, is_billed }, index) => {
      const now = billed[at]?.[index] ?? null;
      return now === null || now === is_billed ? [] : [{ of, files_like, value, is_billed: now }];
    }),
  );
