import type { Problem } from "#formats/table/problem.ts";
import type { Change } from "#features/invoices/ledger/tables.ts";

/** One invoice as a check left it, or as the books would have it now. */
export type Comparable = {
  key: string;
  docNumber: string | null;
  rows: readonly number[];
  state: string;
  /** Equal for equal drafts. */
  draftFingerprint: string;
};

/** Changes that are listed; the rest is counted. */
const MAX_CHANGES = 20;

/**
 * Lists what would be posted otherwise than at the check, one change an invoice; empty when the same would be posted. An
 * invoice that stays rejected, or skipped, does not count, also for other reasons.
 * @param now each invoice is released once it is compared: all errors of a large file fill more than 100 MB
 */
export function changesBetween(
  before: readonly Comparable[],
  now: Iterable<Comparable & { errors: readonly Problem[] }>,
): Change[] {
  const left = new Map(before.map((entry) => [entry.key, entry]));
  const listed: Change[] = [];
  let count = 0;
  const add = (code: Code, { docNumber, rows }: Comparable, errors: readonly Problem[] = []) => {
    count += 1;
    if (count <= MAX_CHANGES) listed.push({ code, docNumber, row: rows[0] ?? 0, errors });
  };
  for (const entry of now) {
    const earlier = left.get(entry.key);
    left.delete(entry.key);
    // The same would be posted.
    if (earlier?.state === entry.state && earlier.draftFingerprint === entry.draftFingerprint) continue;
    const code = changeCode(earlier, entry);
    add(code, entry, code === "rejected" ? entry.errors : []);
  }
  // Other columns were chosen meanwhile: its rows belong to other invoices now.
  for (const entry of left.values()) if (entry.state === "ready") add("gone", entry);
  return count > MAX_CHANGES ? [...listed, { code: "more", count: count - MAX_CHANGES }] : listed;
}

type Code = Exclude<Change["code"], "more">;

function changeCode(old: Comparable | undefined, now: Comparable): Code {
  if (now.state === "rejected" || now.state === "skipped") return now.state;
  return old?.state === "rejected" ? "ready" : "differs";
}
