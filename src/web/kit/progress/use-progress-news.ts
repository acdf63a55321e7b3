import { useAnnounce } from "#web/kit/live-region.tsx";
import type { Progress } from "#web/kit/progress/progress.ts";
import { progressWords } from "#web/kit/progress/words.ts";
import { useEffect, useRef } from "react";

/** Announces the progress of an upload to assistive technology: a progress bar's changes are not read out by themselves. */
export function useProgressNews(progress: Progress, filename: string) {
  const announce = useAnnounce();
  const announced = useRef<string | null>(null);
  const news = newsOf(progress, filename);
  useEffect(() => {
    if (news !== null && news !== announced.current) announce(news, "passing");
    announced.current = news;
  }, [news, announce]);
}

/** What is worth saying about a state; null while idle. */
export function newsOf({ phase, upload, full }: Progress, filename: string): string | null {
  if (phase === "idle") return null;
  if (full) return progressWords.complete;
  if (phase === "processing") return progressWords.processing;
  const quarter = Math.min(75, Math.floor(upload / 25) * 25);
  return quarter === 0 ? progressWords.uploading(filename) : progressWords.percent(quarter);
}
