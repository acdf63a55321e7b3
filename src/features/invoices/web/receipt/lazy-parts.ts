import { lazy } from "react";

/** The control totals, loaded beside the head of the receipt. */
export const ReceiptTotals = lazy(async () => ({
  default: (await import("#features/invoices/web/receipt/receipt-totals.tsx")).ReceiptTotals,
}));

/** The invoices of the receipt, loaded beside it. */
export const ReceiptInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/receipt/receipt-invoices.tsx")).ReceiptInvoices,
}));
