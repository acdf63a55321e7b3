import type { Receipt, ReceiptFilter, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import type { ReceiptUpload } from "#features/invoices/web/receipt/answer-buttons.tsx";
import { invoiceWords as words } from "#features/invoices/web/receipt/invoice-words.ts";
import { receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { invoiceKey, ReceiptColumns, ReceiptRow } from "#features/invoices/web/receipt/receipt-row.tsx";
import { DueLegend } from "#features/invoices/web/tables/due-date.tsx";
import { WINDOW_FROM } from "#features/invoices/web/results/result-table.tsx";
import { SectionHead } from "#web/kit/card.tsx";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { usePrinting } from "#web/kit/use-media.ts";
import { useSearch } from "#web/kit/use-search.ts";
import { styled } from "@mui/material/styles";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";

/** Rows in view, loaded only for a long receipt. */
const WindowedInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/receipt/windowed-invoices.tsx")).WindowedInvoices,
}));

/** Maximum number of invoices without a scroll region. */
const SHORT = 25;

const FILTERS: readonly ReceiptFilter[] = ["all", "posted", "not_posted"];

type Props = {
  realmId: string;
  receipt: Receipt;
  /** Every invoice, once read for printing. */
  printed: readonly ReceiptInvoice[] | null;
};

/**
 * Invoices of a receipt with their outcomes, filtered by state and text. Long tables render only visible
 * rows; printing renders all of them.
 */
export function ReceiptInvoices({ realmId, receipt, printed }: Props) {
  const [filter, setFilter] = useState<ReceiptFilter>("all");
  const [typed, setTyped, search] = useSearch();
  const query = useInfiniteQuery({
    ...receiptQuery(realmId, receipt.upload_id, { filter, search }),
    // Keeps the listed invoices until the next ones are loaded.
    placeholderData: keepPreviousData,
  });
  const invoices = query.data?.pages.flatMap((page) => page.invoices) ?? [];
  const [all, posted] = [receipt.read.invoices, receipt.posted.invoices];
  const upload = useMemo(() => ({ realmId, uploadId: receipt.upload_id }), [realmId, receipt.upload_id]);
  const counts = { all, posted, not_posted: all - posted };
  return (
    <>
      <Listing
        invoices={invoices}
        upload={upload}
        printed={printed}
        count={all}
        narrow={
          <>
            <Filters
              label={words.filters}
              value={filter}
              options={FILTERS.map((value) => ({
                value,
                label: words.filterLabels[value],
                count: counts[value],
              }))}
              onChange={setFilter}
            />
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
      <MoreRows query={query} label={words.more} variant="outlined" />
    </>
  );
}

type ListingProps = {
  invoices: readonly ReceiptInvoice[];
  upload: ReceiptUpload;
  printed: readonly ReceiptInvoice[] | null;
  /** Number of invoices on the receipt. */
  count: number;
  narrow: ReactNode;
};

function Listing({ invoices, upload, printed, count, narrow }: ListingProps) {
  const isPrinting = usePrinting();
  const shown = isPrinting ? (printed ?? invoices) : invoices;
  const isLong = shown.length > WINDOW_FROM;
  return (
    <ReceiptColumns {...columnLook(shown.length, isPrinting)}>
      <SectionHead title={words.invoices} actions={<Narrow data-print="never">{narrow}</Narrow>} />
      {isPrinting && shown.length < count ? <p>{words.notAllPrinted(shown.length, count)}</p> : null}
      {isLong && !isPrinting ? (
        <Suspense fallback={<Spinner label={words.loading} />}>
          <WindowedInvoices invoices={shown} upload={upload} />
        </Suspense>
      ) : (
        // Printing renders a separate table: React would insert the additional rows one by one, slowly.
        <AllInvoices key={isLong ? "paper" : "screen"} invoices={shown} upload={upload} />
      )}
      <DueLegend invoices={shown} />
    </ReceiptColumns>
  );
}

/** Attribute that selects the styles of the columns. */
function columnLook(count: number, isPrinting: boolean) {
  if (count > WINDOW_FROM) return isPrinting ? { "data-complete": true } : { "data-windowed": true };
  return count <= SHORT ? { "data-short": true } : {};
}

function AllInvoices({ invoices, upload }: Pick<ListingProps, "invoices" | "upload">) {
  if (invoices.length === 0) return null;
  return (
    <TextTable label={words.invoices} heads={words.invoiceHeads}>
      {invoices.map((invoice) => (
        <ReceiptRow key={invoiceKey(invoice)} invoice={invoice} upload={upload} />
      ))}
    </TextTable>
  );
}

const Narrow = styled("div")({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 24px" });
