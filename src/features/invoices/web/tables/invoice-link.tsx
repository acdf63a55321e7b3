import type { LedgerInvoice } from "#features/invoices/contract.ts";
import { uploadWords as words } from "#features/invoices/web/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { styled } from "@mui/material/styles";

type Props = { invoice: Pick<LedgerInvoice, "doc_number" | "qbo_doc_number" | "link"> };

/** Number of an invoice; a link if QuickBooks has a page for it. */
export function InvoiceLink({ invoice }: Props) {
  const number = invoice.qbo_doc_number ?? invoice.doc_number ?? "";
  if (!invoice.link) return number;
  return (
    <PlainLink
      href={invoice.link}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={words.invoice.inBooks(number)}
      style={{ display: "inline-block", minWidth: 24 }}
    >
      {number || words.invoice.noNumber}
    </PlainLink>
  );
}

const Reference = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

/** Ids that Intuit's support asks for when a user calls about a problem. */
export function IntuitReference({ tids }: { tids: string | null | undefined }) {
  return tids ? <Reference>{words.intuitReference(tids)}</Reference> : null;
}
