import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { postUploadRun, undoRuns } from "#features/invoices/runs.ts";
import { postUpload } from "#features/invoices/post/post-upload.ts";
import { undoUpload } from "#features/invoices/undo/undo-upload.ts";

/** Binds each kind of invoice run to its work. */
export const invoiceRuns = (ctx: InvoicesCtx): BoundRun[] => [
  bindRun(postUploadRun, postUpload, ctx),
  bindRun(undoRuns.void, undoUpload, ctx),
  bindRun(undoRuns.delete, undoUpload, ctx),
];
