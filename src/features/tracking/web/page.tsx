import type { SessionCompany } from "#features/identity/contract.ts";
import type { TrackingView } from "#features/tracking/contract.ts";
import { CheckNow } from "#features/tracking/web/check-now.tsx";
import { formatMoment, isSoon } from "#features/tracking/web/format-time.ts";
import { InvoiceList } from "#features/tracking/web/invoice-list.tsx";
import { InvoicePane } from "#features/tracking/web/invoice-pane.tsx";
import { Offer } from "#features/tracking/web/offer.tsx";
import { trackedInvoiceQuery, trackingQuery, useTracked } from "#features/tracking/web/queries.ts";
import { StatusNotices } from "#features/tracking/web/status-notices.tsx";
import { type Selection, useSelection } from "#features/tracking/web/use-selection.ts";
import { trackingWords as words } from "#features/tracking/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { formatCount } from "#web/kit/format.ts";
import { GroupGate } from "#web/kit/gates.tsx";
import { OneBand } from "#web/kit/notice.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { Sentence } from "#web/kit/sentence.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { SummaryBand } from "#web/kit/summary-band.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { UnpaidNotice } from "#web/kit/unpaid-notice.tsx";
import { useMediaQuery } from "#web/kit/use-media.ts";
import { useSettled } from "#web/kit/use-search.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";

const Days = lazyPart(async () => (await import("#features/tracking/web/days.tsx")).Days);

const head = { title: words.title(boot.product), documentTitle: words.documentTitle };

/** Tracking page: how packages are followed, the invoices that have some, and one of these beside them. */
export function TrackingPage() {
  const { authStatus, company, groups } = useSession();
  if (authStatus === "success" && groups.includes("app") && company)
    return <Followed key={company.id} company={company} />;
  return (
    <>
      <PageHead {...head} />
      <GroupGate group="app">
        <ConnectButton />
      </GroupGate>
    </>
  );
}

type Props = { company: SessionCompany };

/** Below 900 px an invoice is a page of its own. */
export function Followed({ company }: Props) {
  const isWide = useMediaQuery("(min-width: 900px)");
  const followed = useFollowed(company);
  const { selection } = followed;
  const pageId = isWide ? null : selection.invoiceId;
  useHeadingFocus(pageId ?? "list");
  if (pageId !== null) return <InvoicePage realmId={company.id} invoiceId={pageId} selection={selection} />;
  return <Overview company={company} followed={followed} isWide={isWide} />;
}

/** Everything that the page reads, and the shown part of it. */
function useFollowed(company: SessionCompany) {
  const selection = useSelection();
  const [typed, setTyped] = useState("");
  const search = useSettled(typed.trim());
  const tracking = useQuery(trackingQuery(company.id));
  const isOffer = tracking.data?.state === "off" && tracking.data.counts.watched === 0;
  // Known from the session before the first answer.
  const isRead = tracking.data ? !isOffer : company.tracking === true;
  const list = useTracked(company.id, { show: selection.show, day: selection.day, search, isRead });
  const first = useKept(list.data?.pages.flatMap(({ invoices }) => invoices.map(({ id }) => id)) ?? []);
  return { selection, typed, setTyped, tracking, isOffer, list, first };
}

type OverviewProps = Props & { followed: ReturnType<typeof useFollowed>; isWide: boolean };

const A_TIME = "12:00 AM EST";

/** Figures and list; on a wide screen also one invoice. */
function Overview({ company, followed, isWide }: OverviewProps) {
  const { tracking, isOffer, list } = followed;
  // The band has two lines of figures there, and its button below.
  const isPhone = useMediaQuery("(max-width: 599.95px)");
  // One message for both.
  const isUnreadable = tracking.isLoadingError && list.isLoadingError;
  const retry = () => {
    void tracking.refetch();
    if (isUnreadable) void list.refetch();
  };
  return (
    <>
      <PageHead {...head} mark={tracking.data?.state ?? (company.tracking === true ? "on" : "off")}>
        {tracking.data ? (
          <StatusLine company={company} tracking={tracking.data} />
        ) : (
          // Keeps the height of its lines until it is known.
          <span style={{ visibility: "hidden" }}>
            <Sentence>{words.on(company.name)}</Sentence> <Sentence>{words.checked(A_TIME, A_TIME)}</Sentence>{" "}
            <Sentence>{words.settings}</Sentence>
          </span>
        )}
      </PageHead>
      <OneBand>
        <FailedCall error={tracking.error} onRetry={retry} />
        <ReconnectNotice />
        {tracking.data && !isOffer ? <StatusNotices tracking={tracking.data} company={company} /> : null}
        <UnpaidNotice />
      </OneBand>
      {isOffer ? (
        <Offer company={company} />
      ) : (
        <>
          <Skeleton
            isBusy={tracking.isPending}
            label={words.list.loading}
            rows={2}
            columns={4}
            height={isPhone ? 153 : 87}
          >
            {tracking.data ? (
              <>
                <Figures realmId={company.id} tracking={tracking.data} />
                <Box sx={{ minHeight: 94, mt: 3 }}>
                  <Suspense>
                    <Days days={tracking.data.days} selection={followed.selection} />
                  </Suspense>
                </Box>
              </>
            ) : null}
          </Skeleton>
          {isUnreadable ? null : <ListAndPane company={company} followed={followed} isWide={isWide} />}
        </>
      )}
    </>
  );
}

function ListAndPane({ company, followed, isWide }: OverviewProps) {
  const { selection, typed, setTyped, tracking, list, first } = followed;
  const shownId = isWide ? (selection.invoiceId ?? first) : null;
  return (
    <Box sx={beside}>
      <InvoiceList
        query={list}
        counts={tracking.data?.counts}
        selection={selection}
        shownId={shownId}
        typed={typed}
        onType={setTyped}
      />
      {shownId === null ? null : (
        <Pane key={shownId} realmId={company.id} invoiceId={shownId} selection={selection} />
      )}
    </Box>
  );
}

const beside = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 5fr) minmax(0, 7fr)" },
  alignItems: "start",
  columnGap: { md: 4, lg: 6 },
  mt: 3,
} as const;

/** The first of a list, and still the same when others come before it. */
function useKept(ids: readonly string[]): string | null {
  const [kept, keep] = useState<string | null>(null);
  const next = kept !== null && ids.includes(kept) ? kept : (ids[0] ?? null);
  if (next !== kept) keep(next);
  return next;
}

function StatusLine({ company, tracking }: Props & { tracking: TrackingView }) {
  const { isCompanyAdmin } = useSession();
  const { state, checked_at: last, next_check_at: next, changes_read_at: readAt, progress } = tracking;
  if (state === "off") return words.off(company.name);
  const nextText = next === null ? null : isSoon(next) ? words.soon : formatMoment(next);
  const { polled = 0, of = 0 } = progress ?? {};
  return (
    <>
      <Sentence>{words.on(company.name)}</Sentence>{" "}
      <Sentence>
        {progress
          ? words.progress(polled, of)
          : last === null
            ? words.notChecked(nextText)
            : words.checked(formatMoment(last), nextText)}
      </Sentence>{" "}
      {readAt !== null && !isSoon(readAt) ? (
        <>
          <Sentence>{words.changesReadAt(formatMoment(readAt))}</Sentence>{" "}
        </>
      ) : null}
      {isCompanyAdmin ? <TextLink to={words.settingsHref}>{words.settings}</TextLink> : null}
    </>
  );
}

/** A delay of UPS's own ends without anyone. */
const pickMark = ({ attention, delayed }: TrackingView["counts"]) => (attention > delayed ? "red" : "amber");

type FiguresProps = { realmId: string; tracking: TrackingView };

function Figures({ realmId, tracking }: FiguresProps) {
  const { counts, progress, state, check_allowed_at: allowedAt } = tracking;
  const { figures } = words;
  return (
    <SummaryBand
      label={figures.label}
      figures={[
        {
          label: figures.watched,
          value: formatCount(counts.watched),
          note: figures.packages(counts.watched),
        },
        { label: figures.delivered, value: formatCount(counts.delivered), mark: "green" },
        { label: figures.moving, value: formatCount(counts.moving) },
        {
          label: figures.attention,
          value: formatCount(counts.attention),
          ...(counts.attention > 0 ? { mark: pickMark(counts) } : {}),
        },
      ]}
      {...(progress && progress.of > 0
        ? { progress: { label: words.progressBar, percent: (progress.polled / progress.of) * 100 } }
        : {})}
    >
      {state === "on" && tracking.ups_state === "connected" ? (
        <CheckNow realmId={realmId} allowedAt={allowedAt} />
      ) : null}
    </SummaryBand>
  );
}

type PaneProps = { realmId: string; invoiceId: string; selection: Selection };

function Pane({ realmId, invoiceId, selection }: PaneProps) {
  const { data, error, isPending, refetch } = useQuery(trackedInvoiceQuery(realmId, invoiceId));
  return (
    <Box
      component="section"
      {...(data ? { "aria-labelledby": "package-heading" } : { "aria-label": words.invoice.label })}
      sx={{ minWidth: 0, pl: { md: 4, lg: 6 }, borderLeft: 1, borderColor: "divider" }}
    >
      <Loading isBusy={isPending} label={words.invoice.loading}>
        {data ? (
          <InvoicePane realmId={realmId} invoice={data} selection={selection} hasHeading={false} />
        ) : null}
      </Loading>
      <FailedCall error={error} onRetry={() => void refetch()} />
    </Box>
  );
}

/** An invoice on a narrow screen, with a way back to the list. */
function InvoicePage({ realmId, invoiceId, selection }: PaneProps) {
  const { data, error, isPending, refetch } = useQuery(trackedInvoiceQuery(realmId, invoiceId));
  return (
    <>
      <PageHead
        title={data?.customer ?? words.documentTitle}
        crumb={{ to: selection.toList, parent: words.back, here: data?.number || words.invoice.label }}
      />
      <Loading isBusy={isPending} label={words.invoice.loading}>
        {data ? <InvoicePane realmId={realmId} invoice={data} selection={selection} hasHeading /> : null}
      </Loading>
      <FailedCall error={error} onRetry={() => void refetch()} />
    </>
  );
}
