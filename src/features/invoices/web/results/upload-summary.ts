import type { UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const words = uploadWords.results;

/** How far an upload is, or what became of its rows, in a few words. */
export function summaryOf({ counts }: Pick<UploadSummary, "counts">): string {
  const { completed, problems, skipped, undone, open, total } = counts;
  if (open > 0) return words.working(total - open, total, problems);
  const parts = [words.summary(completed, problems)];
  if (skipped) parts.push(words.skipped(skipped));
  if (undone) parts.push(words.undone(undone));
  return parts.join(", ");
}

/** The colour that goes with the summary: that of the rows one should look at first. */
export function toneOf({ counts }: Pick<UploadSummary, "counts">): Tone {
  if (counts.problems > 0) return "red";
  if (counts.open > 0) return "green";
  return counts.completed > 0 ? "grey" : "blue";
}

/** What an address names an upload's rows by. */
export const uploadAnchor = ({ id }: Pick<UploadSummary, "id">): string => `upload-${id}`;
