import type { ColumnMarks } from "#features/sheets/contract.ts";

/** Values of each question that are billed, in the order of the page. */
export type Billed = readonly (readonly boolean[])[];

/** Answers given on the page, by column and value. */
export type GivenMarks = ReadonlyMap<string, boolean>;

export const markKey = (of: string, value: string): string => `${of}\n${value}`;

/** As answered on the page, else as users chose before, else as the values most likely mean. */
export const findBilled = (rowMarks: readonly ColumnMarks[], given: GivenMarks): Billed =>
  rowMarks.map(({ of, values }) =>
    values.map(({ value, is_billed, guess }) => given.get(markKey(of, value)) ?? is_billed ?? guess),
  );

/** Counts questions in which a value that marks its rows has no answer. */
export const countUnanswered = (rowMarks: readonly ColumnMarks[]): number =>
  rowMarks.filter(({ values }) => values.some(({ is_billed, guess }) => is_billed === null && !guess)).length;

/** Answers that differ from the saved ones. */
export const changedAnswers = (rowMarks: readonly ColumnMarks[], billed: Billed) =>
  rowMarks.flatMap(({ of, values }, at) =>
    values.flatMap(({ value, is_billed }, index) => {
      const now = billed[at]?.[index] ?? false;
      return now === is_billed ? [] : [{ of, value, is_billed: now }];
    }),
  );
