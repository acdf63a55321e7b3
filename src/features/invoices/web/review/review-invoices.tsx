import type { ReviewInvoice, UploadCheck } from "#features/invoices/check/contract.ts";
import { Duplicates } from "#features/invoices/web/review/duplicates.tsx";
import { OpenedInvoice } from "#features/invoices/web/review/opened-invoice.tsx";
import { nameOf, numberOf } from "#features/invoices/web/review/invoice-name.ts";
import { reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import {
  LeaveOutButton,
  type RecordColumn,
  type RecordFilter,
  RECORDS,
  RecordTable,
} from "#features/sheets/web/index.ts";
import { Card, SectionHead } from "#web/kit/card.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount, formatDay } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

type Props = {
  realmId: string;
  check: UploadCheck;
  again: Again;
  /** The number of an invoice that is to be shown. */
  sought: { text: string } | null;
  onFind: (number: string) => void;
};

/** What would be posted, invoice by invoice, each opening to its lines. */
export function ReviewInvoices({ realmId, check, again, sought, onFind }: Props) {
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
              label={words.tableOf(check.filename)}
              searchLabel={words.search}
              rows={data.invoices}
              columns={COLUMNS}
              filters={FILTERS}
              // Their places change when one before them is left out; their rows never do.
              keyOf={rowsOf}
              sought={sought}
              at={RECORDS}
              openLabel={(invoice) => words.linesOf(nameOf(invoice))}
              toneOf={({ state }) => RULES[state]}
              opened={(invoice) => (
                <>
                  <OpenedInvoice
                    realmId={realmId}
                    check={check}
                    seq={invoice.seq}
                    currency={invoice.currency}
                  />
                  <Box sx={{ ml: { sm: 3 } }}>
                    <LeaveOutButton
                      name={nameOf(invoice)}
                      onClick={() => again.leaveOut(firstRow(invoice))}
                    />
                  </Box>
                </>
              )}
            />
          ) : null}
        </Skeleton>
      </Card>
    </>
  );
}

const rowsOf = ({ rows }: ReviewInvoice) => rows;

/** Of "2, 5-9 and 12" the 2. Each row of an invoice names it. */
const firstRow = ({ rows }: ReviewInvoice) => Number.parseInt(rows, 10);

function moneyOf({ amount, currency }: ReviewInvoice): string {
  return formatMoney(amount, currency);
}

const { heads, states } = words;

const COLUMNS: RecordColumn<ReviewInvoice>[] = [
  { head: heads.number, text: numberOf, isSearched: true },
  { head: heads.customer, text: ({ customer }) => customer, isSearched: true },
  { head: heads.date, text: ({ date }) => formatDay(date), order: ({ date }) => timeOf(date) },
  { head: heads.due, text: ({ due_date }) => formatDay(due_date), order: ({ due_date }) => timeOf(due_date) },
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
    text: moneyOf,
    cell: (invoice) => (invoice.amount === null ? null : <strong>{moneyOf(invoice)}</strong>),
    order: ({ amount }) => Number(amount ?? 0),
  },
  { head: heads.state, text: ({ state }) => states[state], cell: (invoice) => <State {...invoice} /> },
];

const timeOf = (date: string | null) => (date ? Date.parse(date) : 0);

/** `held` invoices are good ones of a file that is posted only as one. */
const FILTERS: RecordFilter<ReviewInvoice>[] = [
  { name: words.filters.all, holds: () => true },
  { name: words.filters.ready, holds: ({ state }) => state === "ready" || state === "held" },
  { name: words.filters.answer, holds: ({ state }) => state === "answer" },
  { name: words.filters.fix, holds: ({ state }) => state === "fix" },
  { name: words.filters.skipped, holds: ({ state }) => state === "skipped" },
];

const TONES = { ready: "ok", answer: "amber", fix: "red", skipped: "grey", held: "grey" } as const;

const RULES = { ready: null, answer: "amber", fix: "red", skipped: "grey", held: "grey" } as const;

const State = ({ state }: ReviewInvoice) => <Chip tone={TONES[state]}>{states[state]}</Chip>;
