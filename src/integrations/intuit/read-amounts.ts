import { decimalToCents } from "#platform/money.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";

/**
 * Reads the amounts of an invoice in integer cents. `netCents` is the requested total, without tax added by
 * QuickBooks.
 */
export function readAmounts({ TotalAmt, TxnTaxDetail }: Invoice) {
  const totalCents = decimalToCents(TotalAmt);
  const taxCents = decimalToCents(TxnTaxDetail?.TotalTax ?? 0);
  return { totalCents, taxCents, netCents: totalCents - taxCents };
}
