import type { Invoice } from "#integrations/intuit/wire.ts";

/** A change by others to an invoice that we posted, or another reason that forbids its removal. */
export type InvoiceChange = "deleted" | "voided" | "paid" | "edited" | "closed_period";

/** Ways in which others remove an invoice from the books. */
export type GoneReason = Extract<InvoiceChange, "voided" | "deleted">;

/** QuickBooks gives every new invoice this one; ledger rows of before it was kept have none. */
export const FIRST_SYNC_TOKEN = "0";

/**
 * Compares an invoice in the books with the state in QuickBooks' answer to our write. Changes by others come first: they
 * are the most useful reason.
 * @param found the invoice as it is in the books now, undefined when it is not there
 * @param closedThrough last day of the closed period, YYYY-MM-DD
 * @returns null when it is as we posted it and may be taken out
 */
export function detectChange(
  posted: { syncToken: string },
  found: Invoice | undefined,
  closedThrough: string | null,
): InvoiceChange | null {
  if (!found) return "deleted";
  const changed = found.SyncToken !== posted.syncToken;
  if (changed && isVoided(found)) return "voided";
  if (isPaid(found)) return "paid";
  if (changed) return "edited";
  return closedThrough && found.TxnDate && found.TxnDate <= closedThrough ? "closed_period" : null;
}

/** Reasons that say the invoice is out of the books: uploading the file again creates it again. */
export const isGone = (reason: string | null): reason is GoneReason =>
  reason === "voided" || reason === "deleted";

/** A void sets all amounts to zero and says so in the memo. */
export const isVoided = ({
  TotalAmt,
  Balance,
  PrivateNote,
}: Pick<Invoice, "TotalAmt" | "Balance" | "PrivateNote">) =>
  TotalAmt === 0 && (Balance ?? 0) === 0 && (PrivateNote ?? "").includes("Voided");

const isPaid = ({ TotalAmt, Balance, LinkedTxn }: Invoice) =>
  (Balance !== undefined && Balance < TotalAmt) ||
  (LinkedTxn ?? []).some(({ TxnType }) => TxnType === "Payment" || TxnType === "CreditMemo");
