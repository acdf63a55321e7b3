import type { BatchItem, BatchOutcome } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import {
  endOf,
  isBusy,
  isOwnRefusal,
  isUnclear,
  saysFailed,
  type EarlyEnd,
} from "#features/invoices/post/rules-end.ts";

/**
 * What came of a batch. `unclear`: no try brought a clear answer. `turnedAway`: QuickBooks refused this one batch as a
 * whole at the first try, and nothing of it was done. `refused`: it takes nothing of this company now. `replayed` tells
 * that an earlier try may have been done.
 */
export type BatchAnswer =
  | { kind: "answered"; outcomes: readonly BatchOutcome[]; replayed: boolean }
  | { kind: "unclear" }
  | { kind: "turnedAway" }
  | { kind: "refused"; end: EarlyEnd; replayed: boolean };

/** Waits before the same batch is asked for again; QuickBooks answers a repeated requestid with its first answer. */
const REPLAY_AFTER_MS = [1_000, 4_000, 15_000, 45_000];

type Batch = {
  uploadId: string;
  items: readonly BatchItem[];
  requestId: string;
  replay: boolean;
  /**
   * Throws when it must not go out any more; nothing is sent then.
   * @param tries.mayBeDone whether a try of this call may have been done
   */
  beforeSend(tries: { mayBeDone: boolean }): Promise<void>;
};

/**
 * Sends a batch that the ledger already holds, and repeats it under the same requestid until the answer is clear, or
 * tells of items that failed.
 * @param batch.replay true when an earlier worker may have sent it
 */
export async function requestBatch(ctx: InvoicesCtx, realmId: string, batch: Batch): Promise<BatchAnswer> {
  const { items, requestId } = batch;
  let replayed = batch.replay;
  let mayBeDone = false;
  const beforeSend = () => batch.beforeSend({ mayBeDone });
  for (const wait of [...REPLAY_AFTER_MS, null]) {
    try {
      const { data } = await ctx.books(realmId).batch(items, { requestId, beforeSend });
      // Repeated, an item that failed would be made anew, and nobody says that the first is not kept.
      if (!data.some(isStillRunning) || data.some(hasFailed))
        return { kind: "answered", outcomes: data, replayed };
    } catch (error) {
      const end = endOf(error);
      if (end) return { kind: "refused", end, replayed };
      if (!(error instanceof IntuitError)) throw error;
      // After a try that may have been done a refusal tells nothing of that one.
      if (isOwnRefusal(error)) return replayed ? { kind: "unclear" } : { kind: "turnedAway" };
      if (!isUnclear(error)) throw error;
      const about = { upload: batch.uploadId, batch: requestId, tid: error.tid, kind: error.kind };
      ctx.log.warn(about, "A batch got no clear answer");
    }
    replayed = true;
    mayBeDone = true;
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  return { kind: "unclear" };
}

const isStillRunning = (outcome: BatchOutcome) => "fault" in outcome && isBusy(outcome.fault);

const hasFailed = (outcome: BatchOutcome) => "fault" in outcome && saysFailed(outcome.fault);
