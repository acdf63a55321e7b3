import { lazy } from "react";

/** Loaded when it is first opened. */
export const UndoDialog = lazy(async () => ({
  default: (await import("#features/invoices/web/undo/undo-dialog.tsx")).UndoDialog,
}));
