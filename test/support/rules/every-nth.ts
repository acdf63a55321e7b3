/** Selects the cases of a test that has many: all of them in `npm test -- full`, every nth in `npm test`. */
export const everyNth = <T>(cases: readonly T[], n: number): T[] =>
  process.env.EVERY_CASE === "1" ? [...cases] : cases.filter((_, at) => at % n === 0);

/** The same for the numbers from 0. */
export const everyNthNumber = (count: number, n: number): number[] => everyNth([...Array(count).keys()], n);
