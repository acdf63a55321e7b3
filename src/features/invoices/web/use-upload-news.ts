import type { UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useEffect, useRef } from "react";

/** Least milliseconds between two messages on how far an upload is. */
const PROGRESS_NEWS_MS = 15_000;

/** Says how uploads in process move on, and how they end. */
export function useUploadNews(uploads: readonly UploadSummary[] | undefined) {
  const announce = useAnnounce();
  const openBefore = useRef(new Map<string, number>());
  const lastNews = useRef(0);
  useEffect(() => {
    for (const upload of uploads ?? []) {
      const before = openBefore.current.get(upload.id);
      openBefore.current.set(upload.id, upload.counts.open);
      if (before === undefined || before === upload.counts.open) continue;
      if (upload.counts.open === 0) announce(endOf(upload));
      else if (Date.now() - lastNews.current >= PROGRESS_NEWS_MS) {
        lastNews.current = Date.now();
        announce(progressOf(upload), "passing");
      }
    }
  }, [uploads, announce]);
}

function endOf({ filename, counts }: UploadSummary): string {
  return uploadWords.results.finished(filename, formatCount(counts.completed), formatCount(counts.problems));
}

function progressOf({ counts }: UploadSummary): string {
  const done = formatCount(counts.total - counts.open);
  return uploadWords.results.working(done, formatCount(counts.total), formatCount(counts.problems));
}
