import { counted, formatCount } from "#web/kit/format.ts";

/** Questions about no column, by their names. */
const PLACE_QUESTIONS: Readonly<Record<string, string>> = {
  "Sheet name": "Should we bill the rows on this sheet?",
  "Heading above": "Should we bill the rows below this heading?",
};

/** UI text for the questions about rows that may not be billed. */
export const rowMarkWords = {
  values: (header: string, column: string | null) =>
    (column === null && PLACE_QUESTIONS[header]) || `Which values of "${header}" should we bill?`,
  hidden: (rows: string, count: number) =>
    count === 1
      ? `Row ${rows} is hidden in your sheet. Should we bill it?`
      : `Rows ${rows} are hidden in your sheet. Should we bill them?`,
  where: (column: string | null, rows: number) =>
    column === null ? counted(rows, "row") : `Column ${column}, ${counted(rows, "row")}`,
  /** A cell that only counts as filled. */
  filled: { filled: "Filled", blank: "Blank" } as Readonly<Record<string, string>>,
  rows: (count: number) => `(${formatCount(count)})`,
  use: "Use",
  useLabel: (header: string) => `Use our suggestion for ${header || "hidden rows"}`,
  leave: "Leave hidden rows out",
  bill: { one: "Bill it", several: "Bill them" },
  billed: (amount: string, left: number, waiting: number) =>
    [
      amount && `To bill: ${amount}`,
      left > 0 && `${counted(left, "row")} left out`,
      waiting > 0 && `${counted(waiting, "row")} not decided yet`,
    ]
      .filter(Boolean)
      .join(" · "),
  hiddenRows: "Hidden rows",
  filesLike: (files: string) => `Files like: ${files}`,
  answer: (isBilled: boolean) => (isBilled ? "Bill" : "Don't bill"),
} as const;
