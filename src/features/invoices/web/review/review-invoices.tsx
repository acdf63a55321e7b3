import type { ReviewInvoice, UploadCheck } from "#features/invoices/check/contract.ts";
import { OpenedInvoice } from "#features/invoices/web/review/opened-invoice.tsx";
import { reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { type RecordColumn, type RecordFilter, RecordTable } from "#features/sheets/web/index.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount, formatDay } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import { toned } from "#web/theme/tone.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

/** What would be posted, invoice by invoice, each opening to its lines. */
export function ReviewInvoices({ realmId, check }: { realmId: string; check: UploadCheck }) {
  const { data, error, isPending, refetch } = useQuery(reviewInvoicesQuery(realmId, check));
  return (
    <section aria-label={words.title}>
      <h3>{words.title}</h3>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data ? (
          <RecordTable
            label={words.tableOf(check.filename)}
            searchLabel={words.search}
            rows={data.invoices}
            columns={COLUMNS}
            filters={FILTERS}
            keyOf={({ seq }) => seq}
            openLabel={(invoice) => words.linesOf(nameOf(invoice))}
            opened={({ seq, currency }) => (
              <OpenedInvoice realmId={realmId} check={check} seq={seq} currency={currency} />
            )}
          />
        ) : null}
      </Loading>
    </section>
  );
}

/** What users call an invoice: its number, else its rows in the file. */
const nameOf = ({ doc_number, rows }: ReviewInvoice) => doc_number ?? words.inRows(rows);

const { heads, states } = words;

const COLUMNS: RecordColumn<ReviewInvoice>[] = [
  { head: heads.number, text: ({ doc_number }) => doc_number ?? words.noNumber },
  { head: heads.customer, text: ({ customer }) => customer },
  { head: heads.date, text: ({ date }) => formatDay(date), order: ({ date }) => timeOf(date) },
  { head: heads.due, text: ({ due_date }) => formatDay(due_date), order: ({ due_date }) => timeOf(due_date) },
  { head: heads.lines, isNumber: true, text: ({ lines }) => formatCount(lines), order: ({ lines }) => lines },
  {
    head: heads.amount,
    isNumber: true,
    text: ({ amount, currency }) => formatMoney(amount, currency),
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

const TONES = { answer: "amber", fix: "red", skipped: "grey", held: "grey" } as const;

/** Success is the normal case, and stays plain text. */
function State({ state }: ReviewInvoice) {
  if (state === "ready") return <>✓ {states.ready}</>;
  return (
    <Box
      component="span"
      sx={[
        (theme) => toned(theme, TONES[state]),
        { display: "inline-block", px: 1, borderRadius: "4px", fontSize: "0.8125rem", whiteSpace: "nowrap" },
      ]}
    >
      {states[state]}
    </Box>
  );
}
