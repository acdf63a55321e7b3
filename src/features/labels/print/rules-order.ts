import type { PrintOrder } from "#features/labels/print/contract.ts";
import type { LabelRange } from "#features/labels/print/rules-ranges.ts";
import type { Group } from "#features/labels/print/rules-separators.ts";

/** A label's place in its upload, and what it may be sorted by. */
export type LabelKey = { seq: number; poNumber: string; markFor: string };

/** Labels that are printed one behind the other, and what they have in common. */
export type Batch = { group: Group; seqs: number[] };

/** As people sort numbers: PO 9 before PO 10. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Chosen labels in the order they are printed in, those of one purchase order or store together as far as they follow. */
export function sortLabels(
  keys: readonly LabelKey[],
  ranges: readonly LabelRange[],
  order: PrintOrder,
): Batch[] {
  const kind = order === "store" ? "store" : "po";
  const valueOf = ({ poNumber, markFor }: LabelKey) => (kind === "store" ? markFor : poNumber);
  const bySeq = new Map(keys.map((key) => [key.seq, key]));
  const chosen = ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => bySeq.get(first + at)).filter(
      (key) => key !== undefined,
    ),
  );
  if (order !== "file")
    chosen.sort((one, other) => compare(valueOf(one), valueOf(other)) || one.seq - other.seq);
  const batches: Batch[] = [];
  for (const key of chosen) {
    const before = batches.at(-1);
    if (before?.group.value === valueOf(key)) {
      before.seqs.push(key.seq);
      before.group.count += 1;
    } else batches.push({ group: { kind, value: valueOf(key), count: 1 }, seqs: [key.seq] });
  }
  return batches;
}
