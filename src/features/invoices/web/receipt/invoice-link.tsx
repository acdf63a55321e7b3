import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";

type Props = { invoice: Pick<ReceiptInvoice, "doc_number" | "qbo_doc_number" | "link"> };

/** Number of an invoice; where QuickBooks has a page for it, a link to that. */
export function InvoiceLink({ invoice }: Props) {
  const number = invoice.qbo_doc_number ?? invoice.doc_number ?? "";
  if (!invoice.link) return number;
  return (
    <PlainLink
      href={invoice.link}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={words.inBooks(number)}
      style={{ display: "inline-block", minWidth: 24 }}
    >
      {number || words.noNumber}
    </PlainLink>
  );
}
