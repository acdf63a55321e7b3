import type { InvoiceCounts, ListedUpload, UploadSummary } from "#features/invoices/contract.ts";
import { formatSum, sumAmounts } from "#features/invoices/web/tables/money.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const words = uploadWords.results;

type Counted = Pick<UploadSummary, "counts" | "invoices"> &
  Partial<Pick<ListedUpload, "fixes">> & {
    /** Whether it can't go on before the company is connected again. */
    isLost?: boolean;
  };

/** Adds the invoices posted from files that fixed an upload's problem rows. */
export function withFixes({ invoices, fixes = [] }: Counted): InvoiceCounts {
  const posted = fixes.reduce((sum, fix) => sum + fix.posted, 0);
  const fixed = Math.min(posted, invoices.problems);
  if (fixed === 0) return invoices;
  return {
    ...invoices,
    posted: invoices.posted + fixed,
    problems: invoices.problems - fixed,
    amount: sumAmounts([invoices, ...fixes]),
  };
}

/** Progress of an upload, or the outcomes of its invoices, in a few words. */
export function summarizeUpload({ counts, invoices }: Counted): string {
  const { total, posted, problems, unconfirmed, skipped, undone, amount, currencies } = invoices;
  if (total === 0) return counts.open > 0 ? words.reading : words.nonePosted;
  const parts = [words.posted(posted, total)];
  if (posted > 0) parts.push(formatSum(amount, currencies));
  if (problems > 0) parts.push(words.states.needFixing(problems));
  if (unconfirmed > 0) parts.push(words.states.unconfirmed(unconfirmed));
  if (skipped > 0) parts.push(words.skipped(skipped));
  if (undone > 0) parts.push(words.undone(undone));
  return parts.join(" · ");
}

/** State of an upload in at most three words, with its color; what needs a user's attention comes first. */
export function describeState(upload: Counted): { tone: Tone | "ok" | "plain"; text: string } {
  const { counts, isLost = false } = upload;
  const { total, posted, problems, unconfirmed, skipped, undone } = withFixes(upload);
  const { states } = words;
  if (counts.open > 0)
    return isLost ? { tone: "amber", text: states.waiting } : { tone: "green", text: states.working };
  if (problems > 0) return { tone: "red", text: states.needFixing(problems) };
  if (unconfirmed > 0) return { tone: "amber", text: states.unconfirmed(unconfirmed) };
  if (posted > 0) return { tone: "ok", text: states.posted };
  if (undone > 0) return { tone: "plain", text: states.undone };
  if (skipped > 0 && skipped === total) return { tone: "plain", text: states.skipped };
  return { tone: counts.problems > 0 ? "red" : "amber", text: states.nothing };
}

/** Color of an upload's notice and of the rule at its left. */
export function uploadTone(upload: Counted): Tone {
  const { tone } = describeState(upload);
  return tone === "ok" || tone === "plain" ? "gray" : tone;
}
