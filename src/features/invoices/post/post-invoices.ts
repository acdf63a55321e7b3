import { createInvoices, VENDOR } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { createsOf, findRivals, loadDrafts } from "#features/invoices/ledger/store-writes.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { endingOfDrive } from "#features/invoices/post/rules-endings.ts";
import { heldBy } from "#features/invoices/post/run-work.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { driveWrites } from "#platform/writes/drive-writes.ts";
import type { Drive } from "#platform/writes/operation.ts";

/**
 * Invoices a call, and calls at once. Intuit takes 30 a batch, and says different things in different places; three
 * batches at once reach its 40 a minute. Single calls are bounded by its 10 at once.
 */
const CONCURRENCY = { together: 25, callsTogether: 3, callsAlone: 8 };

type Writes<Body, Request, Answer> = Pick<Drive<Body, Request, Answer>, "command" | "operation" | "look">;

/** Makes the planned writes of an upload, or of its undo, each exactly once. */
export async function driveUpload<Body, Request, Answer>(
  ctx: InvoicesCtx,
  { run, stop, sliceEnds }: RunWork,
  writes: Writes<Body, Request, Answer>,
): Promise<Ending> {
  const progress = createProgress(ctx, heldBy(run));
  try {
    const end = await driveWrites(ctx, {
      ...writes,
      vendor: VENDOR,
      policy: ctx.writePolicy,
      concurrency: CONCURRENCY,
      withFence: (write) => withFence(ctx.db, run, write),
      stop,
      sliceEnds,
      onProgress: progress.noteChange,
    });
    return endingOfDrive(end);
  } finally {
    await progress.end();
  }
}

/** Between two counts of what the list shows, and how many times as long as the count of a long upload takes. */
const SUMMARY_EVERY_MS = 700;
const SUMMARY_SHARE = 10;

/**
 * Writes what the list shows of an upload now and then, one count at a time, and once more after the last change: the next
 * may be a minute away. A failure is logged and stops no work: a call may be about to leave.
 */
function createProgress(ctx: InvoicesCtx, { realmId, id }: UploadId) {
  const ended = new AbortController();
  let isBehind = false;
  let following: Promise<void> | null = null;
  const nowMs = () => ctx.clock.now().getTime();

  /** @returns how long no other count begins, ms */
  async function count(): Promise<number> {
    const startedMs = nowMs();
    isBehind = false;
    try {
      await refreshSummary(ctx, realmId, id);
    } catch (error) {
      ctx.log.warn({ err: error, upload: id }, "The summary of an upload could not be refreshed");
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

/** How the creates of an upload are made and found. */
export const createsIn = (ctx: InvoicesCtx, upload: UploadId) =>
  createInvoices(ctx.books(upload.realmId), {
    db: ctx.db,
    realmId: upload.realmId,
    loadBodies: (writes) => loadDrafts(ctx.db, upload, writes),
    findRivals: () => findRivals(ctx.db, createsOf(upload)),
  });
