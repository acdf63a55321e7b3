import type { InvoiceCounts, UploadSummary } from "#features/invoices/contract.ts";
import { summaryOf } from "#features/invoices/web/results/upload-summary.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useEffect, useRef } from "react";

/** Least milliseconds between two messages on how far an upload is. */
const PROGRESS_NEWS_MS = 15_000;

/** Announces the progress of uploads in process, and how they end; those that end together in one message. */
export function useUploadNews(uploads: readonly UploadSummary[] | undefined) {
  const announce = useAnnounce();
  const openBefore = useRef(new Map<string, number>());
  const lastNews = useRef(0);
  useEffect(() => {
    const moved = (uploads ?? []).filter(({ id, counts }) => {
      const before = openBefore.current.get(id);
      openBefore.current.set(id, counts.open);
      return before !== undefined && before !== counts.open;
    });
    const ended = moved.filter(({ counts }) => counts.open === 0);
    if (ended.length > 0) announce(endOf(ended));
    const going = moved.find(({ counts }) => counts.open > 0);
    if (!going || Date.now() - lastNews.current < PROGRESS_NEWS_MS) return;
    lastNews.current = Date.now();
    announce(summaryOf(going), "passing");
  }, [uploads, announce]);
}

function endOf(ended: readonly UploadSummary[]): string {
  const words = uploadWords.results;
  const [first, ...others] = ended;
  if (first && others.length === 0) return words.finished(first.filename, summaryOf(first));
  return words.finishedTogether(ended.length, summaryOf(sumOf(ended)));
}

/** Several uploads as one. */
function sumOf(uploads: readonly UploadSummary[]): Pick<UploadSummary, "counts" | "invoices"> {
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
      amount: sumOfMoney(all.map(({ amount }) => amount)),
      currencies: [...new Set(all.flatMap(({ currencies }) => currencies))],
    },
  };
}

/** In whole cents, which no sum rounds. */
const sumOfMoney = (amounts: readonly string[]): string =>
  (amounts.reduce((cents, amount) => cents + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
