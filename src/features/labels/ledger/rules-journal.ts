import * as z from "zod";
import type { SerialRange } from "#features/labels/ledger/store-serials.ts";

/** A block of serials as it is kept outside the database: those from `first` up to, but without, `next`. */
const block = z.object({
  realm: z.string(),
  prefix: z.string(),
  extension: z.number(),
  first: z.number(),
  next: z.number(),
  /** The work that took it failed before its commit: nothing was printed of it. */
  unused: z.boolean().optional(),
});

export const lineOf = ({ realmId, prefix, extension }: SerialRange, first: number, next: number) =>
  ({ realm: realmId, prefix, extension, first, next }) satisfies z.output<typeof block>;

/** The first serial behind all that were given by lines of the journal. */
export const nextIn = (lines: readonly unknown[], range: SerialRange): number =>
  highestOf(lines).get(keyOf(range))?.next ?? 0;

const keyOf = ({ realmId, prefix, extension }: SerialRange) => `${realmId} ${prefix} ${extension}`;

/** `next`: behind all blocks. `isShared`: another work took some of the last block too, so it may be used although one failed. */
type Highest = { next: number; isShared: boolean };
type Seen = { count: number; highest: Map<string, Highest> };

/** Lines only grow in number: each is looked at once. */
const seenOf = new WeakMap<readonly unknown[], Seen>();

function highestOf(lines: readonly unknown[]): ReadonlyMap<string, Highest> {
  const seen = seenOf.get(lines) ?? { count: 0, highest: new Map<string, Highest>() };
  for (; seen.count < lines.length; seen.count += 1) {
    const { data } = block.safeParse(lines[seen.count]);
    if (!data) continue;
    const key = keyOf({ ...data, realmId: data.realm });
    const before = seen.highest.get(key) ?? { next: 0, isShared: false };
    if (!data.unused)
      seen.highest.set(key, { next: Math.max(data.next, before.next), isShared: data.first < before.next });
    // Where others took numbers behind it since then, it stays a gap.
    else if (data.next === before.next && !before.isShared)
      seen.highest.set(key, { next: data.first, isShared: false });
  }
  seenOf.set(lines, seen);
  return seen.highest;
}
