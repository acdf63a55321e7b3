import type { Receipt, ReceiptFilter, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { keyOf, ReceiptColumns, ReceiptRow } from "#features/invoices/web/receipt/receipt-row.tsx";
import { invoiceWords as words } from "#features/invoices/web/receipt/invoice-words.ts";
import { WindowedInvoices } from "#features/invoices/web/receipt/lazy-windowed-invoices.ts";
import { WINDOW_FROM } from "#features/invoices/web/results/result-table.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { SectionHead } from "#web/kit/card.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { usePrinting } from "#web/kit/use-media.ts";
import { useSearch } from "#web/kit/use-search.ts";
import { styled } from "@mui/material/styles";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";

/** So many invoices need no region of their own to scroll in. */
const SHORT = 25;

type Props = {
  realmId: string;
  receipt: Receipt;
  /** All of them, once they have been read to be printed. */
  printed: readonly ReceiptInvoice[] | null;
};

/**
 * The invoices of a receipt with what became of each, narrowed by state and text: of many only those in view are drawn, on
 * paper all of them.
 */
export function ReceiptInvoices({ realmId, receipt, printed }: Props) {
  const [filter, setFilter] = useState<ReceiptFilter>("all");
  const [typed, setTyped, search] = useSearch();
  const query = useInfiniteQuery({
    ...receiptQuery(realmId, receipt.upload_id, { filter, search }),
    // What is listed stays until its successor is there.
    placeholderData: keepPreviousData,
  });
  const invoices = query.data?.pages.flatMap((page) => page.invoices) ?? [];
  return (
    <>
      <Listing
        invoices={invoices}
        printed={printed}
        count={receipt.read.invoices}
        narrow={
          <>
            <Filters label={words.filters} value={filter} options={optionsOf(receipt)} onChange={setFilter} />
            <SearchField
              label={words.search}
              placeholder={words.searchFor}
              value={typed}
              onChange={setTyped}
            />
          </>
        }
      />
      {query.isSuccess && invoices.length === 0 ? <p role="status">{words.noMatch}</p> : null}
      <FailedCall
        error={query.error}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
      />
      {query.hasNextPage ? (
        <div data-print="never">
          <BusyButton
            label={words.more}
            isBusy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          />
        </div>
      ) : null}
    </>
  );
}

const FILTERS: readonly ReceiptFilter[] = ["all", "posted", "not_posted"];

function optionsOf({ read, posted }: Receipt) {
  const counts = { all: read, posted, not_posted: { invoices: read.invoices - posted.invoices } };
  return FILTERS.map((value) => ({
    value,
    label: words.filterLabels[value],
    count: counts[value].invoices,
  }));
}

type ListingProps = {
  invoices: readonly ReceiptInvoice[];
  printed: readonly ReceiptInvoice[] | null;
  /** How many the receipt has. */
  count: number;
  narrow: ReactNode;
};

function Listing({ invoices, printed, count, narrow }: ListingProps) {
  const isPrinting = usePrinting();
  const shown = isPrinting ? (printed ?? invoices) : invoices;
  const isLong = shown.length > WINDOW_FROM;
  return (
    <ReceiptColumns {...lookOf(shown.length, isPrinting)}>
      <SectionHead title={words.invoices} actions={<Narrow data-print="never">{narrow}</Narrow>} />
      {isPrinting && shown.length < count ? <p>{words.notAllPrinted(shown.length, count)}</p> : null}
      {isLong && !isPrinting ? (
        <Suspense fallback={<Spinner label={words.loading} />}>
          <WindowedInvoices invoices={shown} />
        </Suspense>
      ) : (
        // On paper a table of its own: rows added to the one on the screen are put in one by one, each after a look at
        // all that follow it.
        <AllInvoices key={isLong ? "paper" : "screen"} invoices={shown} />
      )}
    </ReceiptColumns>
  );
}

/** What the styles of the columns go by. */
function lookOf(count: number, isPrinting: boolean) {
  if (count > WINDOW_FROM) return isPrinting ? { "data-complete": true } : { "data-windowed": true };
  return count <= SHORT ? { "data-short": true } : {};
}

function AllInvoices({ invoices }: { invoices: readonly ReceiptInvoice[] }) {
  if (invoices.length === 0) return null;
  return (
    <TextTable label={words.invoices} heads={words.invoiceHeads}>
      {invoices.map((invoice) => (
        <ReceiptRow key={keyOf(invoice)} invoice={invoice} />
      ))}
    </TextTable>
  );
}

const Narrow = styled("div")({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 24px" });
