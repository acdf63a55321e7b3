import type { SkippedInvoice } from "#features/invoices/undo/contract.ts";
import { IntuitReference } from "#features/invoices/web/tables/intuit-reference.tsx";
import { InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { TextTable } from "#web/kit/tables.tsx";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";

type Props = { title: string; invoices: readonly SkippedInvoice[]; total: number };

/** Invoices that an undo leaves, each with the reason. */
export function StayingTable({ title, invoices, total }: Props) {
  if (invoices.length === 0) return null;
  return (
    <>
      {total > invoices.length ? <p>{words.listed(invoices.length)}</p> : null}
      <TextTable label={title} heads={words.heads}>
        {invoices.map((invoice) => (
          <tr key={invoice.rows}>
            <td data-head={words.heads[0]}>{invoice.rows}</td>
            <td style={{ whiteSpace: "nowrap" }}>
              <InvoiceLink invoice={invoice} />
            </td>
            <td style={{ overflowWrap: "anywhere", minWidth: "8rem" }}>{invoice.customer}</td>
            <td data-head={words.heads[3]}>{formatMoney(invoice.amount, invoice.currency)}</td>
            <td style={{ whiteSpace: "pre-line", minWidth: "14rem" }}>
              {invoice.sentence}
              <IntuitReference tids={invoice.intuit_tid} />
            </td>
          </tr>
        ))}
      </TextTable>
    </>
  );
}
