import type { Problem } from "#formats/table/problem.ts";
import type { Change } from "#features/invoices/ledger/tables.ts";

/** One invoice as a check planned it, or as it would be planned now. */
export type Comparable = {
  key: string;
  docNumber: string | null;
  rows: readonly number[];
  state: string;
  /** Equal for equal drafts. */
  draftFingerprint: string;
};

/** Maximum number of listed changes; the others are counted. */
const MAX_CHANGES = 20;

/**
 * Lists differences between the check and what would be posted now, one per invoice; empty if there are none.
 * An invoice that stays rejected or skipped does not count, even for a different reason.
 * @param now consumed one at a time: all errors of a large file take more than 100 MB
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
    // The same invoice would be posted.
    if (earlier?.state === entry.state && earlier.draftFingerprint === entry.draftFingerprint) continue;
    const code = changeCode(earlier, entry);
    add(code, entry, code === "rejected" ? entry.errors : []);
  }
  // Columns were matched differently meanwhile, so its rows belong to other invoices now.
  for (const entry of left.values()) if (entry.state === "ready") add("gone", entry);
  return count > MAX_CHANGES ? [...listed, { code: "more", count: count - MAX_CHANGES }] : listed;
}

type Code = Exclude<Change["code"], "more">;

function changeCode(old: Comparable | undefined, now: Comparable): Code {
  if (now.state === "rejected" || now.state === "skipped") return now.state;
  return old?.state === "rejected" ? "ready" : "differs";
}
