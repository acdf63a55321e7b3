import {
  type OlderUploads,
  olderUploadsQuery,
  PAGE_SIZE,
  uploadsQuery,
} from "#features/invoices/web/queries.ts";
import { Line, UploadResults } from "#features/invoices/web/results/upload-results.tsx";
import { useUploadAnnouncements } from "#features/invoices/web/results/use-upload-announcements.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { booksAddress } from "#web/kit/boot.ts";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { useSearch } from "#web/kit/use-search.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";

const words = uploadWords.results;

type Props = {
  realmId: string | null;
  /** Whether the company must be connected again before its uploads go on. */
  isLost?: boolean;
  /** A line below the heading, whose space is kept while it loads. */
  note?: ReactNode;
};

/** Uploads of a company, newest first, with the outcomes of their invoices. */
export function ResultsList({ realmId, isLost = false, note }: Props) {
  const [typed, setTyped, search] = useSearch();
  if (!realmId) {
    return (
      <Card title={words.title} sx={near}>
        <p style={{ marginTop: 0 }}>{words.noCompany}</p>
      </Card>
    );
  }
  return (
    <Card
      title={words.title}
      sx={near}
      note={
        note ? (
          <span data-print="never">
            <Suspense fallback={"\u00a0"}>{note}</Suspense>
          </span>
        ) : null
      }
      actions={
        <SearchField label={words.search} placeholder={words.searchFor} value={typed} onChange={setTyped} />
      }
    >
      <Uploads realmId={realmId} search={search} isLost={isLost} />
    </Card>
  );
}

/** Less space than above other sections: the list is the outcome of the card above it. */
const near = { mt: 4 };

type UploadsProps = { realmId: string; search: string; isLost: boolean };

function Uploads({ realmId, search, isLost }: UploadsProps) {
  const { newest, uploads, total, error, retry, isLoadingMore, showMore } = useUploads(realmId, search);
  useUploadAnnouncements(newest.data ? uploads : undefined);
  const books = booksAddress(realmId);
  const isEmpty = newest.data !== undefined && uploads.length === 0;
  return (
    <>
      <FailedCall error={error} onRetry={retry} />
      {newest.isPending ? <Skeleton isBusy label={words.loading} columns={7} /> : null}
      {isEmpty ? <Empty isSearch={search !== ""} /> : null}
      {uploads.length > 0 ? (
        <>
          <Heads />
          {uploads.map((upload) => (
            <UploadResults key={upload.id} realmId={realmId} upload={upload} isLost={isLost} />
          ))}
        </>
      ) : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, mt: 2 }}>
        {total > uploads.length ? (
          <>
            <Button variant="outlined" size="small" disabled={isLoadingMore} onClick={showMore}>
              {words.showMore}
            </Button>
            <span>{words.showing(uploads.length, total)}</span>
          </>
        ) : null}
        {uploads.length > 0 && books ? (
          <PlainLink data-print="never" href={books}>
            {words.books}
          </PlainLink>
        ) : null}
      </Box>
    </>
  );
}

function Empty({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <p role="status">{words.noMatch}</p>;
  return (
    <>
      <p style={{ margin: 0 }}>{words.none}</p>
      <Box component="p" sx={{ m: 0, color: "text.secondary" }}>
        {words.noneHint}
      </Box>
    </>
  );
}

const AT = ["file", "uploaded", "by", "posted", "amount", "state"] as const;

/** Column headers, hidden from screen readers, which read each upload as a separate entry. */
function Heads() {
  return (
    <Line
      aria-hidden="true"
      data-print="never"
      sx={(theme) => ({
        ...typeScale.caption,
        fontWeight: 700,
        color: theme.vars?.palette.text.caption,
        borderBottom: `1px solid ${theme.vars?.palette.line.strong}`,
        [theme.breakpoints.up("lg")]: { minHeight: 36, pl: 1.5 },
        [theme.breakpoints.down("lg")]: { p: 0, "& > span": { display: "none" } },
      })}
    >
      {AT.map((at) => (
        <span key={at} data-at={at}>
          {words.heads[at]}
        </span>
      ))}
    </Line>
  );
}

/** Polls at once when the tab is shown again: while it was hidden it did not poll. Focus alone reads nothing. */
function usePollOnReturn(isPolled: boolean, poll: () => void) {
  const latest = useRef(poll);
  useEffect(() => {
    latest.current = poll;
  });
  useEffect(() => {
    if (!isPolled) return undefined;
    const onChange = () => {
      if (document.visibilityState === "visible") latest.current();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, [isPolled]);
}

/** Limit of one call. */
const MAX_LIMIT = 200;

/**
 * Reads the uploads to show: the newest and, after "Show more", older ones. New uploads extend the first
 * page, so that none is lost between it and the next.
 */
function useUploads(realmId: string, search: string) {
  const [shownOlder, setOlder] = useState<OlderUploads | null>(null);
  // A new search starts with its newest uploads.
  const older = shownOlder?.search === search ? shownOlder : null;
  const [limit, setLimit] = useState(PAGE_SIZE);
  const newest = useQuery(uploadsQuery(realmId, older ? limit : PAGE_SIZE, search));
  const { uploads: first = [], total_count: total = 0, in_process: isPolled = false } = newest.data ?? {};
  usePollOnReturn(isPolled, () => void newest.refetch());
  const wanted = older ? Math.min(MAX_LIMIT, total - older.count) : PAGE_SIZE;
  if (newest.data && wanted > limit) setLimit(wanted);
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
