import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { keyOf, ReceiptColumns, ReceiptRow } from "#features/invoices/web/receipt/receipt-row.tsx";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { WINDOW_FROM } from "#features/invoices/web/results/result-table.tsx";
import { SectionHead } from "#web/kit/section-head.tsx";
import { TextTable } from "#web/kit/tables/text-table.tsx";
import { usePrinting } from "#web/kit/use-printing.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";

/** So many invoices need no region of their own to scroll in. */
const SHORT = 25;

type Props = {
  /** Those that have been read for the screen. */
  invoices: readonly ReceiptInvoice[];
  /** All of them, once they have been read to be printed. */
  printed: readonly ReceiptInvoice[] | null;
  /** How many the receipt has. */
  count: number;
};

/** The invoices of a receipt with what became of each: of many only those in view are drawn, on paper all of them. */
export function ReceiptInvoices({ invoices, printed, count }: Props) {
  const isPrinting = usePrinting();
  const shown = isPrinting ? (printed ?? invoices) : invoices;
  const isComplete = isPrinting && shown.length > WINDOW_FROM;
  const isWindowed = !isPrinting && shown.length > WINDOW_FROM;
  return (
    <ReceiptColumns
      data-complete={isComplete || undefined}
      data-windowed={isWindowed || undefined}
      data-short={shown.length <= SHORT || undefined}
    >
      <SectionHead title={words.invoices} />
      {isPrinting && shown.length < count ? <p>{words.notAllPrinted(shown.length, count)}</p> : null}
      {isWindowed ? (
        <WindowedInvoices invoices={shown} />
      ) : (
        // On paper a table of its own: rows added to the one on the screen are put in one by one, each after a look at
        // all that follow it.
        <TextTable key={isComplete ? "paper" : "screen"} label={words.invoices} heads={words.invoiceHeads}>
          {shown.map((invoice) => (
            <ReceiptRow key={keyOf(invoice)} invoice={invoice} />
          ))}
        </TextTable>
      )}
    </ReceiptColumns>
  );
}

const ROW_HEIGHT_GUESS = 38;

/** A table that draws the rows in view; blank ones hold the room of the others. */
function WindowedInvoices({ invoices }: { invoices: readonly ReceiptInvoice[] }) {
  const scroll = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler may leave this one alone: its rows are memoized
  const virtualizer = useVirtualizer({
    count: invoices.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT_GUESS,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <TextTable label={words.invoices} heads={words.invoiceHeads} rowCount={invoices.length} scroll={scroll}>
      <Room height={above} />
      {items.map(({ index }) => {
        const invoice = invoices[index];
        return invoice ? (
          <ReceiptRow
            key={keyOf(invoice)}
            invoice={invoice}
            index={index}
            measure={virtualizer.measureElement}
          />
        ) : null;
      })}
      <Room height={below} />
    </TextTable>
  );
}

const Room = ({ height }: { height: number }) =>
  height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null;
