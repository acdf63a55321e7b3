import type { PrintOrder } from "#features/labels/contract.ts";
import type { Group } from "#features/labels/layout/pages.ts";
import type { NumberedCarton } from "#features/labels/types.ts";

/** Sorts numbers naturally: PO 9 before PO 10. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Puts labels in their printing order, and on request the group of an order or store in front of its labels. */
export function* arrangeLabels(
  labels: Iterable<NumberedCarton>,
  { order, separators }: { order: PrintOrder; separators: boolean },
): Generator<NumberedCarton | Group> {
  if (order === "file" && !separators) return yield* labels;
  const kind = order === "store" ? "store" : "po";
  const groupValue = ({ row }: NumberedCarton) => (kind === "store" ? row.markFor : row.poNumber);
  const sorted = [...labels];
  if (order !== "file") sorted.sort((a, b) => compare(groupValue(a), groupValue(b)) || a.seq - b.seq);
  for (let at = 0; at < sorted.length;) {
    const value = groupValue(sorted[at] as NumberedCarton);
    let end = at + 1;
    while (end < sorted.length && groupValue(sorted[end] as NumberedCarton) === value) end += 1;
    if (separators) yield { kind, value, count: end - at };
    yield* sorted.slice(at, end);
    at = end;
  }
}
