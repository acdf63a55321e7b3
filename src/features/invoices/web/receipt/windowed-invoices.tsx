import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import type { ReceiptUpload } from "#features/invoices/web/receipt/answer-buttons.tsx";
import { invoiceWords as words } from "#features/invoices/web/receipt/invoice-words.ts";
import { invoiceKey, ReceiptRow } from "#features/invoices/web/receipt/receipt-row.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { useVisibleRows } from "#web/kit/use-visible-rows.ts";
import { useRef } from "react";

const ESTIMATED_ROW_HEIGHT = 38;

type Props = { invoices: readonly ReceiptInvoice[]; upload: ReceiptUpload };

/** A table that renders only visible rows; blank rows keep the height of the others. */
export function WindowedInvoices({ invoices, upload }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const { indexes, above, below, measure } = useVisibleRows({
    count: invoices.length,
    scroll,
    estimatedHeight: ESTIMATED_ROW_HEIGHT,
    overscan: 12,
  });
  return (
    <TextTable label={words.invoices} heads={words.invoiceHeads} rowCount={invoices.length} scroll={scroll}>
      <Spacer height={above} />
      {indexes.map((index) => {
        const invoice = invoices[index];
        return invoice ? (
          <ReceiptRow
            key={invoiceKey(invoice)}
            invoice={invoice}
            upload={upload}
            index={index}
            measure={measure}
          />
        ) : null;
      })}
      <Spacer height={below} />
    </TextTable>
  );
}

const Spacer = ({ height }: { height: number }) =>
  height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null;
