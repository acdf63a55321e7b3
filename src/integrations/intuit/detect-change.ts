import type { Invoice } from "#integrations/intuit/wire.ts";
import { decimalToCents } from "#platform/money.ts";

/** Another user's change to a posted invoice, or another reason that forbids its removal. */
export type InvoiceChange = "deleted" | "voided" | "paid" | "edited" | "closed_period";

/** Ways for other users to remove an invoice from the books. */
export type GoneReason = Extract<InvoiceChange, "voided" | "deleted">;

/** QuickBooks gives this token to every new invoice; old ledger rows have none. */
export const FIRST_SYNC_TOKEN = "0";

/**
 * Compares an invoice in the books with QuickBooks' answer to our write. Other users' changes come first,
 * because they are the most useful reason.
 * @param found the current invoice in the books, undefined if it is not there
 * @param closedThrough last day of the closed period, YYYY-MM-DD
 * @returns null if it is as we posted it and may be removed
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

/**
 * Whether a reason means that the invoice is no longer in the books: uploading the file again then creates it
 * again.
 */
export const isGone = (reason: string | null): reason is GoneReason =>
  reason === "voided" || reason === "deleted";

/** A void sets all amounts to zero and records that in the memo. */
export const isVoided = ({
  TotalAmt,
  Balance,
  PrivateNote,
}: Pick<Invoice, "TotalAmt" | "Balance" | "PrivateNote">) =>
  TotalAmt === 0 && (Balance ?? 0) === 0 && (PrivateNote ?? "").includes("Voided");

/** Whether an invoice is paid at least in part. Its deposit lowers the balance from the start, and isn't a payment. */
export const isPaid = ({ TotalAmt, Deposit = 0, Balance, LinkedTxn }: Invoice) =>
  (Balance !== undefined && decimalToCents(Balance) < decimalToCents(TotalAmt - Deposit)) ||
  (LinkedTxn ?? []).some(({ TxnType }) => TxnType === "Payment" || TxnType === "CreditMemo");
