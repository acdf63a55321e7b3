/** One invoice as a check left it, or as the books would have it now. */
export type Comparable = {
  key: string;
  docNumber: string | null;
  rows: readonly number[];
  state: string;
  /** Equal for equal drafts. */
  draftFingerprint: string;
  texts: string;
};

/** At most this many sentences; the rest is counted. */
const MOST = 20;

/**
 * What would be posted otherwise than at the check, a sentence an invoice; empty when the same would be posted. What is
 * said of an invoice that stays out both times does not count.
 */
export function changesBetween(before: readonly Comparable[], now: readonly Comparable[]): string[] {
  const old = new Map(before.map((entry) => [entry.key, entry]));
  const kept = new Set(now.map(({ key }) => key));
  const sentences = [
    ...now.flatMap((entry) =>
      postsTheSame(old.get(entry.key), entry) ? [] : [sentence(old.get(entry.key), entry)],
    ),
    ...before.filter(({ key, state }) => state === "ready" && !kept.has(key)).map(goneSentence),
  ];
  if (sentences.length <= MOST) return sentences;
  return [...sentences.slice(0, MOST), `And ${sentences.length - MOST} more invoices changed.`];
}

const postsTheSame = (old: Comparable | undefined, now: Comparable) =>
  old?.state === now.state && old.draftFingerprint === now.draftFingerprint;

const nameOf = ({ docNumber, rows }: Comparable) =>
  docNumber ? `Invoice ${docNumber}` : `The invoice of row ${rows[0]}`;

/** Other columns were chosen meanwhile: its rows belong to other invoices now. */
const goneSentence = (entry: Comparable) =>
  `${nameOf(entry)} is no longer read from the file as an invoice of its own.`;

function sentence(old: Comparable | undefined, now: Comparable): string {
  const name = nameOf(now);
  if (now.state === "rejected") return `${name} can no longer be posted: ${now.texts}`;
  if (now.state === "skipped") return `${name} was posted meanwhile.`;
  if (old?.state === "rejected") return `${name} can be posted now.`;
  return `${name} would be posted differently now, because QuickBooks, or your remembered names, columns or dates, changed since the check.`;
}
