import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** Says how a check ends; once it is posted the list of uploads is read again and the check closes. */
export function useCheckNews(realmId: string, check: UploadCheck | undefined, onPosted: () => void) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!check) return;
    if (announced.current === check.state) return;
    announced.current = check.state;
    // A check may be done before the first look at it.
    if (check.state === "checked") announce(resultOf(check));
    if (check.state === "failed") announce(check.reason || words.failed, "assertive");
    if (check.state !== "posted") return;
    announce(words.posted(check.filename));
    void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), "list"] });
    onPosted();
  }, [check, realmId, announce, queries, onPosted]);
}

function resultOf({ filename, report, changes }: UploadCheck): string {
  if (changes.length > 0) return words.changesTitle;
  const ready = formatCount(report?.ready.invoices ?? 0);
  return words.checked(filename, ready, formatCount(report?.rejected.invoices ?? 0));
}
