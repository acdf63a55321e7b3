import type { LedgerInvoice } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";

const words = uploadWords.invoice;

type Props = { invoice: Pick<LedgerInvoice, "doc_number" | "qbo_doc_number" | "link"> };

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
