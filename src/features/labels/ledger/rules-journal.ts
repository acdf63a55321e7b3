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

/** SSCCs of a sheet's own, which may be anywhere in a range: they are passed over, not what is before them. */
const own = z.object({ realm: z.string(), own: z.array(z.string()) });

export const ownLineOf = (realmId: string, ssccs: Iterable<string>) =>
  ({ realm: realmId, own: [...ssccs] }) satisfies z.output<typeof own>;

/** SSCCs that sheets of a company gave themselves. */
export const ownIn = (lines: readonly unknown[], realmId: string): ReadonlySet<string> =>
  seenIn(lines).own.get(realmId) ?? new Set();

/** The first serial behind all that were given by lines of the journal. */
export const nextIn = (lines: readonly unknown[], range: SerialRange): number =>
  seenIn(lines).highest.get(keyOf(range))?.next ?? 0;

const keyOf = ({ realmId, prefix, extension }: SerialRange) => `${realmId} ${prefix} ${extension}`;

/** `next`: behind all blocks. `isFixed`: another work may use some of the last block too, although one of them failed. */
type Highest = { next: number; isFixed: boolean };

/** What lines say: the end of each range, and each company's SSCCs of its sheets' own. */
type Seen = { count: number; highest: Map<string, Highest>; own: Map<string, Set<string>> };

/** Lines only grow in number: each is looked at once. */
const seenOf = new WeakMap<readonly unknown[], Seen>();

function seenIn(lines: readonly unknown[]): Seen {
  const seen = seenOf.get(lines) ?? { count: 0, highest: new Map(), own: new Map() };
  for (; seen.count < lines.length; seen.count += 1) {
    const line = lines[seen.count];
    addBlock(seen, line);
    addOwn(seen, line);
  }
  seenOf.set(lines, seen);
  return seen;
}

function addBlock({ highest }: Seen, line: unknown): void {
  const { data } = block.safeParse(line);
  if (!data) return;
  const key = keyOf({ ...data, realmId: data.realm });
  const { next, isFixed } = highest.get(key) ?? { next: 0, isFixed: false };
  if (!data.unused) highest.set(key, { next: Math.max(data.next, next), isFixed: data.first < next });
  // Where others took numbers behind it since then, it stays a gap. What is before it is not known any more.
  else if (data.next === next && !isFixed) highest.set(key, { next: data.first, isFixed: true });
}

function addOwn({ own: of }: Seen, line: unknown): void {
  const { data } = own.safeParse(line);
  if (!data) return;
  const known = of.get(data.realm) ?? new Set();
  for (const sscc of data.own) known.add(sscc);
  of.set(data.realm, known);
}
