import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { ledgerInvoice, share, undoAction, undoReason, uploadCall } from "#features/invoices/contract.ts";

const skippedInvoice = ledgerInvoice.extend({
  reason: undoReason,
  sentence: z.string(),
});
export type SkippedInvoice = z.output<typeof skippedInvoice>;

const skippedShares = z.array(share.extend({ reason: undoReason }));

/** Preview of an undo, from the current books. */
const undoPreview = z.object({
  to_undo: share,
  /** The first few invoices to be undone, in sheet order. */
  first_to_undo: z.array(ledgerInvoice),
  skipped: share,
  /** ISO codes of the invoices' currencies. Sums over several currencies add plain numbers. */
  currencies: z.array(z.string()),
  skipped_by_reason: skippedShares,
  /**
   * The first 1,000 invoices that it would leave, in sheet order; those in the books come before those never posted.
   */
  left: z.array(skippedInvoice),
});

const undoRun = z.object({
  id: z.uuid(),
  action: undoAction,
  /** `paused`: it waits for QuickBooks, or for a reconnection, and resumes automatically. */
  state: z.enum(["queued", "working", "paused", "finished", "stopped"]),
  requested_by: z.string(),
  requested_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** Outcome so far, or why it waits or stopped. */
  sentence: z.string(),
  undone: share,
  skipped: share,
  skipped_by_reason: skippedShares,
  /** The first 1,000 invoices it left, in sheet order. */
  left: z.array(skippedInvoice),
});

export const undoStatus = z.object({
  /** Null while an undo is in progress. */
  preview: undoPreview.nullable(),
  /** The latest undo of this upload. */
  run: undoRun.nullable(),
});
export type UndoStatus = z.output<typeof undoStatus>;
export type UndoRun = z.output<typeof undoRun>;

export const previewUndo = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/undo",
  summary:
    "Returns what undoing an upload would do, from the books as they are now, and how its last undo went",
  ...uploadCall,
  response: undoStatus,
});

export const startUndo = endpoint({
  method: "POST",
  path: "/api/v1/invoices/:upload_id/undo",
  summary: "Undoes an upload in the background: voids or deletes its invoices; repeating it is harmless",
  ...uploadCall,
  body: z.object({ action: undoAction }),
  status: 202,
  response: z.object({ run: undoRun }),
});
