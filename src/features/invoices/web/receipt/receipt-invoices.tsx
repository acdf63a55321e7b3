import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { formatMoney } from "#features/invoices/web/money.ts";
import { InvoiceLink } from "#features/invoices/web/receipt/invoice-link.tsx";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { TextTable } from "#features/invoices/web/text-table.tsx";
import { memo } from "react";

/** Every invoice of a receipt with what became of it. */
export function ReceiptInvoices({ invoices }: { invoices: readonly ReceiptInvoice[] }) {
  return (
    <>
      <h3>{words.invoices}</h3>
      <TextTable label={words.invoices} heads={words.invoiceHeads}>
        {invoices.map((invoice) => (
          <InvoiceRow key={`${invoice.rows} ${invoice.doc_number}`} invoice={invoice} />
        ))}
      </TextTable>
    </>
  );
}

// Rows keep their identity when more are read, so only the new ones are drawn.
const InvoiceRow = memo(function InvoiceRow({ invoice }: { invoice: ReceiptInvoice }) {
  return (
    <tr>
      <td>{invoice.rows}</td>
      <td>
        <InvoiceLink invoice={invoice} />
      </td>
      <td style={{ overflowWrap: "anywhere" }}>{invoice.customer}</td>
      <td>{formatMoney(invoice.amount)}</td>
      <td>{formatMoney(invoice.qbo_total)}</td>
      <td style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {words.fates[invoice.state]}
        {invoice.sentence ? `\n${invoice.sentence}` : ""}
      </td>
    </tr>
  );
});
