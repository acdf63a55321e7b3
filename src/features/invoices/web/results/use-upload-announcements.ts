import type { InvoiceCounts, UploadSummary } from "#features/invoices/contract.ts";
import { summarizeUpload } from "#features/invoices/web/results/upload-summary.ts";
import { sumAmounts } from "#features/invoices/web/tables/money.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useEffect, useRef } from "react";

/** Minimum milliseconds between two announcements of progress. */
const PROGRESS_INTERVAL_MS = 15_000;

const words = uploadWords.results;

/** Announces the progress and the end of uploads; those that end together share one message. */
export function useUploadAnnouncements(uploads: readonly UploadSummary[] | undefined) {
  const announce = useAnnounce();
  const openBefore = useRef(new Map<string, number>());
  const lastProgressAt = useRef(0);
  useEffect(() => {
    const moved = (uploads ?? []).filter(({ id, counts }) => {
      const before = openBefore.current.get(id);
      openBefore.current.set(id, counts.open);
      return before !== undefined && before !== counts.open;
    });
    const ended = moved.filter(({ counts }) => counts.open === 0);
    const [only, ...others] = ended;
    if (only && others.length === 0) announce(words.finished(only.filename, summarizeUpload(only)));
    else if (only) announce(words.finishedTogether(ended.length, summarizeUpload(addUp(ended))));
    const open = moved.find(({ counts }) => counts.open > 0);
    if (!open || Date.now() - lastProgressAt.current < PROGRESS_INTERVAL_MS) return;
    lastProgressAt.current = Date.now();
    announce(summarizeUpload(open), "passing");
  }, [uploads, announce]);
}

/** Combines ended uploads into one. */
function addUp(uploads: readonly UploadSummary[]): Pick<UploadSummary, "counts" | "invoices"> {
  const all = uploads.map(({ invoices }) => invoices);
  const sum = (outcome: Exclude<keyof InvoiceCounts, "amount" | "currencies">) =>
    all.reduce((total, invoices) => total + invoices[outcome], 0);
  return {
    counts: { total: 0, completed: 0, problems: 0, open: 0 },
    invoices: {
      total: sum("total"),
      posted: sum("posted"),
      problems: sum("problems"),
      unconfirmed: sum("unconfirmed"),
      open: 0,
      skipped: sum("skipped"),
      undone: sum("undone"),
      amount: sumAmounts(all),
      currencies: [...new Set(all.flatMap(({ currencies }) => currencies))],
    },
  };
}
