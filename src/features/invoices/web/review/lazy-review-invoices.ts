import { lazy } from "react";

/** The table of invoices, loaded beside the check that it belongs to. */
export const ReviewInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/review/review-invoices.tsx")).ReviewInvoices,
}));
