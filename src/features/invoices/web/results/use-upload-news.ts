import type { UploadSummary } from "#features/invoices/contract.ts";
import { summaryOf } from "#features/invoices/web/results/upload-summary.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
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
      if (upload.counts.open === 0)
        announce(uploadWords.results.finished(upload.filename, summaryOf(upload)));
      else if (Date.now() - lastNews.current >= PROGRESS_NEWS_MS) {
        lastNews.current = Date.now();
        announce(summaryOf(upload), "passing");
      }
    }
  }, [uploads, announce]);
}
