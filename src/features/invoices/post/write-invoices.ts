import { createInvoices, VENDOR, type BooksInvoice } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { createCommand, findRivals, loadDrafts } from "#features/invoices/ledger/store-writes.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { jobEnding, uploadForRun } from "#features/invoices/post/work-on-upload.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import type { WriteJob } from "#platform/writes/operation.ts";
import { runWrites } from "#platform/writes/run-writes.ts";

/**
 * Invoices per call, and concurrent calls. Intuit accepts 30 per batch, though its documents disagree; three
 * concurrent batches reach its limit of 40 a minute. Single calls are limited to 10 at once.
 */
const CONCURRENCY = { together: 25, callsTogether: 3, callsAlone: 8 };

/** Runs the planned writes of an upload, or of its undo, each exactly once, and keeps its summary up to date. */
export async function writeInvoices<Body, Request, Answer>(
  ctx: InvoicesCtx,
  { run, stop, sliceEnds }: RunWork,
  writes: Pick<WriteJob<Body, Request, Answer>, "command" | "operation" | "reconcileFrom" | "onStored">,
): Promise<Ending> {
  const progress = createProgress(ctx, uploadForRun(run));
  try {
    const end = await runWrites(ctx, {
      ...writes,
      vendor: VENDOR,
      policy: ctx.writePolicy,
      concurrency: CONCURRENCY,
      withFence: (write) => withFence(ctx.db, run, write),
      stop,
      sliceEnds,
      onProgress: progress.noteChange,
    });
    return jobEnding(end);
  } finally {
    await progress.end();
  }
}

/** Invoices of an upload that QuickBooks answered, until Tracking gets them. */
export function collectPosted(ctx: InvoicesCtx, { realmId }: Pick<UploadId, "realmId">) {
  let made: BooksInvoice[] = [];
  return {
    add: (invoice: BooksInvoice) => void made.push(invoice),
    publish: async () => {
      if (made.length === 0) return;
      const invoices = made;
      made = [];
      try {
        await ctx.onPosted(realmId, invoices);
      } catch (error) {
        // The invoices are posted. Intuit reports them too, and Tracking reads them then, which costs a metered read.
        ctx.log.warn({ err: error, realm: realmId }, "Posted invoices could not be given to Tracking");
      }
    },
  };
}

/** Creates an upload's invoices in the company's books. @param noteMade receives those that QuickBooks answers */
export const createOperation = (
  ctx: InvoicesCtx,
  upload: UploadId,
  noteMade: (invoice: BooksInvoice) => void = () => {},
) =>
  createInvoices(ctx.books(upload.realmId), {
    db: ctx.db,
    realmId: upload.realmId,
    noteMade,
    loadBodies: (writes) => loadDrafts(ctx.db, upload, writes),
    findRivals: () => findRivals(ctx.db, createCommand(upload)),
  });

/** Minimum pause between two counts of the summary; for long uploads, a multiple of a count's duration. */
const SUMMARY_EVERY_MS = 700;
const SUMMARY_SHARE = 10;

/**
 * Refreshes the summary now and then, one count at a time, and once more after the last change, because the
 * next may be a minute away. A failure is logged and stops no work: a call may be about to be sent.
 */
function createProgress(ctx: InvoicesCtx, upload: UploadId) {
  const ended = new AbortController();
  let isBehind = false;
  let following: Promise<void> | null = null;
  const nowMs = () => ctx.clock.now().getTime();

  /** @returns minimum time until the next count, ms */
  async function count(): Promise<number> {
    const startedMs = nowMs();
    isBehind = false;
    try {
      await refreshSummary(ctx, upload);
    } catch (error) {
      ctx.log.warn({ err: error, upload: upload.id }, "The summary of an upload could not be refreshed");
    }
    return Math.max(SUMMARY_EVERY_MS, SUMMARY_SHARE * (nowMs() - startedMs));
  }

  async function follow(counted: Promise<number>): Promise<void> {
    let pauseMs = await counted;
    for (;;) {
      await ctx.clock.sleep(pauseMs, ended.signal);
      if (!isBehind || ended.signal.aborted) break;
      pauseMs = await count();
    }
    following = null;
  }

  return {
    noteChange: async () => {
      isBehind = true;
      if (following) return;
      const counted = count();
      following = follow(counted);
      await counted;
    },
    end: async () => {
      ended.abort();
      await following;
    },
  };
}
