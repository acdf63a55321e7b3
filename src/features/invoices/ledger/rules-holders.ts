import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { HeldRun } from "#platform/runs/types.ts";

/**
 * Whether others than this ledger knows of may have worked on a run. Not when it was added while this process had the
 * ledger open: then the ledger is no copy from before, and an equal invoice in the books is another user's.
 */
export const mayHaveHolders = (
  { openedAt, clock }: Pick<InvoicesCtx, "openedAt" | "clock">,
  { needsReconcile, requestedAt }: Pick<HeldRun, "needsReconcile" | "requestedAt">,
): boolean =>
  needsReconcile === "taken_over" ||
  (needsReconcile === "first" && (requestedAt <= openedAt || requestedAt > clock.now()));
