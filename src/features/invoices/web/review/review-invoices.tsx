import type { CheckReport, ReviewInvoice, UploadCheck } from "#features/invoices/check/contract.ts";
import { OpenedInvoice } from "#features/invoices/web/review/opened-invoice.tsx";
import { reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { DUPLICATES, invoiceWords as words, reviewWords } from "#features/invoices/web/review/words.ts";
import { DueDate, DueLegend } from "#features/invoices/web/tables/due-date.tsx";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { type RecordColumn, type RecordFilter, RecordTable } from "#features/sheets/web/index.ts";
import { FindLink, LeaveOutButton, RECORDS } from "#features/sheets/web/review.ts";
import { Card, SectionHead } from "#web/kit/card.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount, formatDay } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { LinkButton, TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";

type Props = {
  realmId: string;
  check: UploadCheck;
  again: Again;
  /** Number of the invoice to show. */
  searchFor: { text: string } | null;
  onFind: (number: string) => void;
};

/** Every invoice of a review, each expandable to its lines. */
export function ReviewInvoices({ realmId, check, again, searchFor, onFind }: Props) {
  const { data, error, isPending, refetch } = useQuery(reviewInvoicesQuery(realmId, check));
  const duplicates = check.report?.possible_duplicates ?? [];
  return (
    <>
      {duplicates.length > 0 ? (
        <Duplicates found={duplicates} invoices={data?.invoices ?? []} onFind={onFind} />
      ) : null}
      <Card label={words.title}>
        {data ? null : <SectionHead title={words.title} />}
        <FailedCall error={error} onRetry={() => void refetch()} />
        <Skeleton isBusy={isPending} label={words.loading}>
          {data ? (
            <RecordTable
              title={words.title}
              label={words.tableLabel(check.filename)}
              searchLabel={words.search}
              rows={data.invoices}
              columns={COLUMNS}
              filters={FILTERS}
              // Identified by rows, which stay the same when an earlier invoice is left out; their indexes do
              // not.
              rowKey={({ rows }) => rows}
              searchFor={searchFor}
              at={RECORDS}
              openLabel={(invoice) => words.linesLabel(words.name(invoice))}
              rowTone={({ state }) => RULES[state]}
              opened={(invoice) => (
                <>
                  <OpenedInvoice realmId={realmId} check={check} invoice={invoice} />
                  {invoice.state === "posted" ? null : (
                    <Box sx={{ ml: { sm: 3 } }}>
                      <LeaveOutButton
                        name={words.name(invoice)}
                        // Any of its rows identifies it: the first of "2, 5-9 and 12".
                        onClick={() => again.leaveOut(Number.parseInt(invoice.rows, 10))}
                      />
                    </Box>
                  )}
                </>
              )}
            />
          ) : null}
        </Skeleton>
        <DueLegend invoices={data?.invoices ?? []} />
      </Card>
    </>
  );
}

const { heads, states } = words;

const COLUMNS: RecordColumn<ReviewInvoice>[] = [
  { head: heads.number, text: words.number, isSearched: true },
  { head: heads.customer, text: ({ customer }) => customer, isSearched: true },
  { head: heads.date, text: ({ date }) => formatDay(date), order: ({ date }) => toTime(date) },
  {
    head: heads.due,
    text: ({ due_date }) => formatDay(due_date),
    cell: (invoice) => <DueDate {...invoice} />,
    order: ({ due_date }) => toTime(due_date),
  },
  {
    head: heads.lines,
    isNumber: true,
    phone: "none",
    text: ({ lines }) => formatCount(lines),
    order: ({ lines }) => lines,
  },
  {
    head: heads.amount,
    isNumber: true,
    phone: "first",
    text: ({ amount, currency }) => formatMoney(amount, currency),
    cell: (invoice) =>
      invoice.amount === null ? null : <strong>{formatMoney(invoice.amount, invoice.currency)}</strong>,
    order: ({ amount }) => Number(amount ?? 0),
  },
  {
    head: heads.state,
    text: ({ state }) => states[state],
    cell: (invoice, open) => <State {...invoice} open={open} />,
  },
];

const toTime = (date: string | null) => (date ? Date.parse(date) : 0);

/** `held`: without a problem, in a file that is posted all or nothing. */
const FILTERS: RecordFilter<ReviewInvoice>[] = [
  { name: words.filters.all, holds: () => true },
  { name: words.filters.posted, holds: ({ state }) => state === "posted" },
  { name: words.filters.ready, holds: ({ state }) => state === "ready" || state === "held" },
  { name: words.filters.answer, holds: ({ state }) => state === "answer" },
  { name: words.filters.fix, holds: ({ state }) => state === "fix" },
  { name: words.filters.skipped, holds: ({ state }) => state === "skipped" },
];

const TONES = {
  ready: "ok",
  answer: "amber",
  fix: "red",
  posted: "gray",
  skipped: "gray",
  held: "gray",
} as const;

const RULES = {
  ready: null,
  answer: "amber",
  fix: "red",
  posted: null,
  skipped: "gray",
  held: "gray",
} as const;

function State({ open, ...invoice }: ReviewInvoice & { open: () => void }) {
  const { state, posted } = invoice;
  if (!posted) return <Chip tone={TONES[state]}>{states[state]}</Chip>;
  return (
    <Box component="span" sx={{ typography: "body2", color: "text.secondary" }}>
      {words.postedFrom(formatDay(posted.day))}
      <TextLink to={`?receipt=${posted.upload_id}`}>{posted.filename}</TextLink> {words.postedBy(posted.by)}
      {posted.differs ? (
        <Box
          component="span"
          sx={(theme) => ({
            display: "block",
            typography: "caption",
            color: (theme.vars ?? theme).palette.status.amber.ink,
          })}
        >
          {posted.differs}{" "}
          <LinkButton
            type="button"
            aria-label={words.compareLabel(words.name(invoice))}
            onClick={open}
            style={{ minHeight: 24 }}
          >
            {words.compare}
          </LinkButton>
        </Box>
      ) : null}
    </Box>
  );
}

/** Number of duplicates shown initially; the table of invoices is below. */
const FEW = 3;

type DuplicatesProps = {
  found: CheckReport["possible_duplicates"];
  /** Invoices of the review; empty until loaded. */
  invoices: readonly ReviewInvoice[];
  onFind: (number: string) => void;
};

/** Invoices that resemble each other or a posted one, each with a link to its row in the table. */
function Duplicates({ found, ...more }: DuplicatesProps) {
  return (
    <Card title={reviewWords.duplicates} note={reviewWords.duplicatesHint}>
      <div id={DUPLICATES}>
        <Groups {...more} found={found.slice(0, FEW)} />
        {found.length > FEW ? (
          <Disclosure title={reviewWords.moreDuplicates(found.length - FEW)} my={0}>
            <Groups {...more} found={found.slice(FEW)} />
          </Disclosure>
        ) : null}
      </div>
    </Card>
  );
}

function Groups({ found, invoices, onFind }: DuplicatesProps) {
  const byFirstRow = new Map(invoices.map((invoice) => [Number.parseInt(invoice.rows, 10), invoice]));
  return (
    <ul style={{ marginTop: 0 }}>
      {found.map(({ rows, text }) => {
        const alike = readRows(rows).flatMap((row) => byFirstRow.get(row) ?? []);
        return (
          <li key={`${rows} ${text}`} style={{ overflowWrap: "anywhere" }}>
            {text} {reviewWords.inRows(rows)}.
            {alike.map((invoice) => (
              <Fragment key={invoice.rows}>
                {" "}
                <FindLink name={words.name(invoice)} by={words.number(invoice)} onFind={onFind} />
              </Fragment>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** Parses "2, 5-7 and 12" to 2, 5, 6, 7 and 12. */
const readRows = (rows: string): number[] =>
  [...rows.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first = "", last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
