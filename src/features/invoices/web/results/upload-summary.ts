import type { UploadSummary } from "#features/invoices/contract.ts";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const words = uploadWords.results;

type Counted = Pick<UploadSummary, "counts" | "invoices">;

/** How far an upload is, or what became of its invoices, in a few words. */
export function summaryOf({ counts, invoices }: Counted): string {
  const { total, posted, problems, unconfirmed, skipped, undone } = invoices;
  if (total === 0) return counts.open > 0 ? words.reading : words.nonePosted;
  const parts = [words.posted(posted, total)];
  if (posted > 0) parts.push(amountOf(invoices));
  if (problems > 0) parts.push(words.states.needFixing(problems));
  if (unconfirmed > 0) parts.push(words.states.unconfirmed(unconfirmed));
  if (skipped > 0) parts.push(words.skipped(skipped));
  if (undone > 0) parts.push(words.undone(undone));
  return parts.join(" · ");
}

/** Money of the posted invoices. */
export const amountOf = ({ amount, currencies }: UploadSummary["invoices"]): string =>
  formatMoney(amount, currencyOfSum(currencies));

/** The state of an upload in at most three words, and what it looks like; what needs a user comes first. */
export function stateOf({ counts, invoices }: Counted): { tone: Tone | "ok" | "plain"; text: string } {
  const { total, posted, problems, unconfirmed, skipped, undone } = invoices;
  const { states } = words;
  if (counts.open > 0) return { tone: "green", text: states.working };
  if (problems > 0) return { tone: "red", text: states.needFixing(problems) };
  if (unconfirmed > 0) return { tone: "amber", text: states.unconfirmed(unconfirmed) };
  if (posted > 0) return { tone: "ok", text: states.posted };
  if (undone > 0) return { tone: "plain", text: states.undone };
  if (skipped > 0 && skipped === total) return { tone: "plain", text: states.skipped };
  return { tone: counts.problems > 0 ? "red" : "amber", text: states.nothing };
}

/** The color of its notice and of the rule at its left. */
export function toneOf(upload: Counted): Tone {
  const { tone } = stateOf(upload);
  return tone === "ok" || tone === "plain" ? "grey" : tone;
}

/** What an address names an upload's rows by. */
export const uploadAnchor = ({ id }: Pick<UploadSummary, "id">): string => `upload-${id}`;
