import { lazy } from "react";

/** The table of invoices, loaded beside the check that it belongs to. */
export const ReviewInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/review/review-invoices.tsx")).ReviewInvoices,
}));

/** Wrong cells with their fields, loaded when the check has some. */
export const FixCells = lazy(async () => ({
  default: (await import("#features/invoices/web/review/fix-cells.tsx")).FixCells,
}));

/** Questions about names, loaded when the check has some. */
export const UnknownNames = lazy(async () => ({
  default: (await import("#features/invoices/web/names/unknown-names.tsx")).UnknownNames,
}));
