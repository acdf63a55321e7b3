import {
  type OlderUploads,
  olderUploadsQuery,
  PAGE_SIZE,
  uploadsQuery,
} from "#features/invoices/web/queries.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";

/** The most that one call gives. */
const MAX_LIMIT = 200;

/**
 * The uploads of a company as far as they are shown: the newest, and from the first "Show more" on those behind them.
 * What is uploaded meanwhile makes the first page longer, so that nothing falls between it and the next.
 */
export function useUploads(realmId: string, search: string) {
  const [shownOlder, setOlder] = useState<OlderUploads | null>(null);
  // Another search begins with its newest again.
  const older = shownOlder?.search === search ? shownOlder : null;
  const { newest, first, total } = useNewest(realmId, older, search);
  const rest = useInfiniteQuery({
    ...olderUploadsQuery(realmId, older ?? { before: "", count: 0, search }),
    enabled: older !== null,
  });
  const last = first.at(-1);
  return {
    newest,
    uploads: [...first, ...(rest.data?.pages ?? []).flatMap((page) => page.uploads)],
    total,
    error: newest.error ?? rest.error,
    retry: () => void (newest.error ? newest.refetch() : rest.refetch()),
    isLoadingMore: rest.isFetchingNextPage || (older !== null && rest.isPending),
    showMore: () => {
      if (older) void rest.fetchNextPage();
      else if (last) setOlder({ before: last.id, count: total - first.length, search });
    },
  };
}

/** The uploads in front of the older ones, or a page of them. */
function useNewest(realmId: string, older: OlderUploads | null, search: string) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const newest = useQuery(uploadsQuery(realmId, older ? limit : PAGE_SIZE, search));
  const { uploads: first = [], total_count: total = 0 } = newest.data ?? {};
  const wanted = older ? Math.min(MAX_LIMIT, total - older.count) : PAGE_SIZE;
  if (newest.data && wanted > limit) setLimit(wanted);
  return { newest, first, total };
}
