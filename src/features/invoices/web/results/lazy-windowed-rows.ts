import { lazy } from "react";

/** Loads what draws the rows of a long upload; called early, so that it is there when they are. */
export const loadWindowedRows = () => import("#features/invoices/web/results/windowed-rows.tsx");

export const WindowedRows = lazy(async () => ({ default: (await loadWindowedRows()).WindowedRows }));
