import { addDecimals, isSameDecimal } from "./decimals.ts";
import type { X12Fault } from "./faults.ts";
import { createReport, type Loop } from "./read-loops.ts";
import { text } from "./values.ts";
import type { Segment, TransactionSet } from "./transaction-set.ts";

/**
 * Compares CTT with what a set has: the count, and the hash total where it is given.
 * @param counted segments that CTT01 counts
 * @param quantities whose sum CTT02 is, as decimal text; null when partners use it for other sums
 */
export function checkTotals(
  set: TransactionSet,
  loop: Loop,
  { counted, quantities }: { counted: number; quantities: () => readonly string[] | null },
): X12Fault[] {
  const faults: X12Fault[] = [];
  const [totals = []] = loop.segments;
  const report = createReport(set, faults);
  const place = { segment: "CTT", position: loop.position };
  if (Number(text(totals, 1)) !== counted)
    report("count_differs", {
      ...place,
      element: 1,
      reference: 354,
      value: text(totals, 1),
      params: { received: counted },
    });
  const hash = text(totals, 2);
  const added = hash === "" ? null : quantities();
  if (added && !isHashTotal(hash, added))
    report("count_differs", {
      ...place,
      element: 2,
      reference: 347,
      value: hash,
      params: { received: addDecimals(added) },
    });
  return faults;
}

/** X12 adds the digits without their points and cuts the sum from the left; partners add the numbers. Both are taken. */
function isHashTotal(hash: string, quantities: readonly string[]): boolean {
  if (isSameDecimal(hash, addDecimals(quantities))) return true;
  const digits = addDecimals(quantities.map((quantity) => quantity.replace(".", "")));
  return Number(digits.slice(-10)) === Number(hash.replace(".", ""));
}

export const writeTotals = (count: number): Segment => ["CTT", String(count)];
