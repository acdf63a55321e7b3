import { decimalToCents } from "#platform/money.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";

/** Amounts of an invoice in integer cents. `netCents` is what was asked for: the total without tax QuickBooks added. */
export function readAmounts({ TotalAmt, TxnTaxDetail }: Invoice) {
  const totalCents = decimalToCents(TotalAmt);
  const taxCents = decimalToCents(TxnTaxDetail?.TotalTax ?? 0);
  return { totalCents, taxCents, netCents: totalCents - taxCents };
}
