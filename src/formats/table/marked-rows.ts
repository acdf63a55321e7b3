/** Rows with one value, as ranges, with their money and the first of them. */
export type MarkedRows<Example> = {
  rows: string;
  count: number;
  amount: string | null;
  examples: Example[];
};

/** Enough to recognize what a question is about. */
export const MAX_EXAMPLES = 5;

/** Adds up the rows of several sheets. */
export function addMarkedRows<Example>(parts: readonly MarkedRows<Example>[]): MarkedRows<Example> {
  const amounts = parts.flatMap(({ amount }) => amount ?? []);
  const cents = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
  return {
    rows: parts.map(({ rows }) => rows).join(", "),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    amount: amounts.length === 0 ? null : (cents / 100).toFixed(2),
    examples: parts.flatMap(({ examples }) => examples).slice(0, MAX_EXAMPLES),
  };
}
