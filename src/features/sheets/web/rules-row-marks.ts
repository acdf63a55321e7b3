import type { ColumnMarks } from "#features/sheets/contract.ts";

/** Values of each question that are billed. */
export type Billed = readonly (readonly boolean[])[];

/** As users chose before, else as the values most likely mean. */
export const initialBilled = (rowMarks: readonly ColumnMarks[]): Billed =>
  rowMarks.map(({ values }) => values.map(({ is_billed, guess }) => is_billed ?? guess));

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
