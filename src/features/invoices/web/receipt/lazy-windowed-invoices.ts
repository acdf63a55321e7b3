import { lazy } from "react";

/** The rows in view of a long receipt, loaded only for one. */
export const WindowedInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/receipt/windowed-invoices.tsx")).WindowedInvoices,
}));
