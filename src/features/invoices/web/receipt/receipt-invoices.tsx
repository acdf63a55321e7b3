import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { formatMoney } from "#features/invoices/web/money.ts";
import { InvoiceLink } from "#features/invoices/web/invoice-link.tsx";
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

const nowrap = { whiteSpace: "nowrap" } as const;

// Rows keep their identity when more are read, so only the new ones are drawn.
const InvoiceRow = memo(function InvoiceRow({ invoice }: { invoice: ReceiptInvoice }) {
  return (
    <tr>
      <td style={nowrap}>{invoice.rows}</td>
      <td style={nowrap}>
        <InvoiceLink invoice={invoice} />
      </td>
      <td style={{ overflowWrap: "anywhere", minWidth: "8rem" }}>{invoice.customer}</td>
      <td style={nowrap}>{formatMoney(invoice.amount, invoice.currency)}</td>
      <td style={nowrap}>{formatMoney(invoice.qbo_total, invoice.currency)}</td>
      <td style={{ whiteSpace: "pre-line", overflowWrap: "anywhere", minWidth: "16rem" }}>
        {words.fates[invoice.state]}
        {invoice.sentence ? `\n${invoice.sentence}` : ""}
      </td>
    </tr>
  );
});
