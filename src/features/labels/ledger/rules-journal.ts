import * as z from "zod";
import type { SerialRange } from "#features/labels/ledger/store-serials.ts";

/** A block of serials as it is kept outside the database: those from `first` up to, but without, `next`. */
const block = z.object({
  realm: z.string(),
  prefix: z.string(),
  extension: z.number(),
  first: z.number(),
  next: z.number(),
});

export const lineOf = ({ realmId, prefix, extension }: SerialRange, first: number, next: number) =>
  ({ realm: realmId, prefix, extension, first, next }) satisfies z.output<typeof block>;

/** The first serial that no line of the journal has given. */
export const nextIn = (lines: readonly unknown[], range: SerialRange): number =>
  highestOf(lines).get(keyOf(range)) ?? 0;

const keyOf = ({ realmId, prefix, extension }: SerialRange) => `${realmId} ${prefix} ${extension}`;

/** Lines do not change once they are read: they are looked through once. */
const read = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

function highestOf(lines: readonly unknown[]): ReadonlyMap<string, number> {
  const before = read.get(lines);
  if (before) return before;
  const highest = new Map<string, number>();
  for (const line of lines) {
    const { data } = block.safeParse(line);
    if (!data) continue;
    const key = keyOf({ ...data, realmId: data.realm });
    highest.set(key, Math.max(data.next, highest.get(key) ?? 0));
  }
  read.set(lines, highest);
  return highest;
}
