import type { ListRow } from "#features/admin/lists/contract.ts";
import { showTime, view } from "#features/admin/web/columns.ts";
import { openPath } from "#features/admin/web/paths.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { formatCount } from "#web/kit/format.ts";

const words = adminWords.uploads;

type Upload = ListRow<"uploads">;

export const uploadsView = view("uploads", {
  columns: [
    {
      head: "File and company",
      cell: (row) => row.file,
      to: (row) => openPath(row.key),
      note: (row) => row.company || row.realm_id,
    },
    {
      head: "Uploaded",
      cell: (row) => row.uploaded_by,
      note: (row) => showTime(row.uploaded_at),
      isShort: true,
    },
    {
      head: "Posted",
      cell: (row) => words.posted(formatCount(row.posted), formatCount(row.invoices)),
      isShort: true,
      share: ({ posted, invoices }) => (invoices === 0 ? 0 : posted / invoices),
    },
    { head: "Cause", cell: explain },
  ],
  tone: ({ outcome, state }) => {
    if (state === "stopped" || outcome === "not_posted") return "red";
    return outcome === "in_part" ? "amber" : undefined;
  },
});

/** Explains why invoices of a file are not in QuickBooks, or says that all were posted. */
export function explain({ outcome, state, cause, problems, left_out, skipped, undone }: Upload): string {
  if (outcome === "posted") return skipped > 0 ? words.skipped(skipped) : words.allPosted;
  const codes = problems === "" ? [] : problems.split(", ");
  const reasons = [
    ...(cause === null ? [] : [name(cause)]),
    ...(left_out > 0 ? [words.leftOut(left_out)] : []),
    ...codes.map(name),
    ...(skipped > 0 ? [words.skipped(skipped)] : []),
    ...(undone > 0 ? [words.undone(undone)] : []),
  ].join(", ");
  const head = describe(outcome, state);
  if (head === "") return reasons.charAt(0).toUpperCase() + reasons.slice(1);
  return reasons === "" ? head : `${head}: ${reasons}`;
}

function describe(outcome: Upload["outcome"], state: Upload["state"]): string {
  if (state === "stopped" || state === "waiting") return words.states[state];
  if (outcome === "review" || outcome === "open") return words.outcomes[outcome];
  return "";
}

const name = (code: string): string => words.causes[code] ?? code.replaceAll("_", " ");
