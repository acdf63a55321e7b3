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
  errors: readonly Problem[];
};

/** Changes that are listed; the rest is counted. */
const MAX_CHANGES = 20;

/**
 * What would be posted otherwise than at the check, one change an invoice; empty when the same would be posted. An
 * invoice that stays out both times does not count.
 */
export function changesBetween(before: readonly Comparable[], now: readonly Comparable[]): Change[] {
  const old = new Map(before.map((entry) => [entry.key, entry]));
  const kept = new Set(now.map(({ key }) => key));
  const changes = [
    ...now.flatMap((entry) => {
      const earlier = old.get(entry.key);
      return postsTheSame(earlier, entry) ? [] : [changeOf(entry, codeOf(earlier, entry))];
    }),
    // Other columns were chosen meanwhile: its rows belong to other invoices now.
    ...before
      .filter(({ key, state }) => state === "ready" && !kept.has(key))
      .map((entry) => changeOf(entry, "gone")),
  ];
  if (changes.length <= MAX_CHANGES) return changes;
  return [...changes.slice(0, MAX_CHANGES), { code: "more", count: changes.length - MAX_CHANGES }];
}

const postsTheSame = (old: Comparable | undefined, now: Comparable) =>
  old?.state === now.state && old.draftFingerprint === now.draftFingerprint;

type Code = Exclude<Change["code"], "more">;

function codeOf(old: Comparable | undefined, now: Comparable): Code {
  if (now.state === "rejected" || now.state === "skipped") return now.state;
  return old?.state === "rejected" ? "ready" : "differs";
}

const changeOf = ({ docNumber, rows, errors }: Comparable, code: Code): Change => ({
  code,
  docNumber,
  row: rows[0] ?? 0,
  errors: code === "rejected" ? errors : [],
});
