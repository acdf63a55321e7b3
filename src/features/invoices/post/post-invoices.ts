import { createInvoices, VENDOR } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { createsOf, findRivals, loadDrafts } from "#features/invoices/ledger/store-writes.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { driveWrites, type DriveEnd } from "#platform/writes/drive-writes.ts";
import type { Drive } from "#platform/writes/operation.ts";

/**
 * Invoices a call, and calls at once. Intuit takes 30 a batch, and says different things in different places; three
 * batches at once reach its 40 a minute. Single calls are bounded by its 10 at once.
 */
export const CONCURRENCY = { together: 25, callsTogether: 3, callsAlone: 8 };

export type Work = Pick<
  Drive<never, never, never>,
  "withFence" | "look" | "stop" | "sliceEnds" | "onProgress"
>;

/** Brings the planned invoices of an upload into the books, each exactly once. */
export function postInvoices(ctx: InvoicesCtx, upload: UploadId, work: Work): Promise<DriveEnd> {
  return driveWrites(ctx, {
    ...work,
    command: createsOf(upload),
    vendor: VENDOR,
    operation: createsIn(ctx, upload),
    policy: ctx.writePolicy,
    concurrency: CONCURRENCY,
  });
}

/** Between two counts of what the list shows, and how many times as long as the count of a long upload takes. */
const SUMMARY_EVERY_MS = 700;
const SUMMARY_SHARE = 10;

/**
 * Writes what the list shows of an upload now and then, one count at a time. A failure is logged and stops no work: a call
 * may be about to leave.
 */
export function createProgress(ctx: InvoicesCtx, { realmId, id }: UploadId): () => Promise<void> {
  let isCounting = false;
  let dueMs = 0;
  const nowMs = () => ctx.clock.now().getTime();
  return async () => {
    const startedMs = nowMs();
    if (isCounting || startedMs < dueMs) return;
    isCounting = true;
    try {
      await refreshSummary(ctx, realmId, id);
    } catch (error) {
      ctx.log.warn({ err: error, upload: id }, "The summary of an upload could not be refreshed");
    } finally {
      isCounting = false;
      dueMs = nowMs() + Math.max(SUMMARY_EVERY_MS, SUMMARY_SHARE * (nowMs() - startedMs));
    }
  };
}

/** How the creates of an upload are made and found. */
export const createsIn = (ctx: InvoicesCtx, upload: UploadId) =>
  createInvoices(ctx.books(upload.realmId), {
    db: ctx.db,
    realmId: upload.realmId,
    loadBodies: (writes) =>
      loadDrafts(
        ctx.db,
        upload,
        writes.map(({ part }) => part),
      ),
    findRivals: () => findRivals(ctx.db, createsOf(upload)),
  });
