/** One invoice as a check left it, or as the books would have it now. */
export type Comparable = {
  key: string;
  docNumber: string | null;
  rows: readonly number[];
  state: string;
  /** Equal for equal drafts. */
  draftMark: string;
  texts: string;
};

/** At most this many sentences; the rest is counted. */
const MOST = 20;

/**
 * What differs between two checks of one file, a sentence an invoice. Empty when the same would be posted.
 */
export function changesBetween(before: readonly Comparable[], now: readonly Comparable[]): string[] {
  const known = new Map(before.map((entry) => [entry.key, entry]));
  const sentences = now.flatMap((entry) => {
    const old = known.get(entry.key);
    return old && same(old, entry) ? [] : [sentence(old, entry)];
  });
  if (sentences.length <= MOST) return sentences;
  return [...sentences.slice(0, MOST), `And ${sentences.length - MOST} more invoices changed.`];
}

const same = (one: Comparable, other: Comparable) =>
  one.state === other.state && one.draftMark === other.draftMark && one.texts === other.texts;

function sentence(old: Comparable | undefined, now: Comparable): string {
  const name = now.docNumber ? `Invoice ${now.docNumber}` : `The invoice of row ${now.rows[0]}`;
  if (now.state === "rejected") return `${name} can no longer be posted: ${now.texts}`;
  if (now.state === "skipped") return `${name} was posted meanwhile.`;
  if (old?.state === "rejected") return `${name} can be posted now.`;
  return `${name} would be posted differently now, because QuickBooks, or your remembered names, columns or dates, changed since the check.`;
}
