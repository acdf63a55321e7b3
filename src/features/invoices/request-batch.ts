import type { BatchItem, BatchOutcome } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { stopSentence } from "#features/invoices/rules-refusals.ts";

/** How a batch ended for the whole upload: go on, wait for a person to reconnect, or stop with a reason. */
export type BatchEnd = { kind: "settled" } | { kind: "reconnect" } | { kind: "stop"; reason: string };

/**
 * What came of a batch. `unclear`: no try brought a clear answer. `refused`: QuickBooks turned the whole batch away.
 * `replayed` tells that an earlier try may have been done.
 */
export type BatchAnswer =
  | { kind: "answered"; outcomes: readonly BatchOutcome[]; replayed: boolean }
  | { kind: "unclear" }
  | { kind: "refused"; end: BatchEnd; error: unknown; replayed: boolean };

/** Waits before the same batch is asked for again; QuickBooks answers a repeated requestid with its first answer. */
const REPLAY_AFTER_MS = [1_000, 4_000, 15_000, 45_000];

type Batch = {
  uploadId: string;
  items: readonly BatchItem[];
  requestId: string;
  replay: boolean;
  /** Throws when another worker has taken the work meanwhile; nothing is sent then. */
  beforeSend?: () => Promise<void>;
};

/**
 * Sends a batch that the ledger already holds, and repeats it under the same requestid until the answer is clear.
 * @param batch.replay true when an earlier worker may have sent it
 */
export async function requestBatch(ctx: InvoicesCtx, realmId: string, batch: Batch): Promise<BatchAnswer> {
  const { items, requestId, beforeSend } = batch;
  let replayed = batch.replay;
  for (const wait of [...REPLAY_AFTER_MS, null]) {
    try {
      const { data } = await ctx.books(realmId).batch(items, { requestId, beforeSend });
      if (!data.some(isStillRunning)) return { kind: "answered", outcomes: data, replayed };
    } catch (error) {
      const end = endOf(error);
      if (end) return { kind: "refused", end, error, replayed };
      if (!(error instanceof IntuitError && isUnclear(error))) throw error;
      const about = { upload: batch.uploadId, batch: requestId, tid: error.tid, kind: error.kind };
      ctx.log.warn(about, "A batch got no clear answer");
    }
    replayed = true;
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  return { kind: "unclear" };
}

/** Whether it is not known if the write was done. */
export const isUnclear = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);
const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");
const isStillRunning = (outcome: BatchOutcome) => "fault" in outcome && isBusy(outcome.fault);

/** What a failure means for all of an upload, or null when only one invoice is concerned. */
export function endOf(error: unknown): BatchEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  const reason = stopSentence(error);
  return reason ? { kind: "stop", reason } : null;
}
