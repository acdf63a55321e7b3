import type { BatchEnd } from "#features/invoices/post/rules-end.ts";

type LaneEnd = BatchEnd | { kind: "interrupted" };

/**
 * Sends batches in a few lanes; the first batch that ends all of the work, or a process that stops, ends every lane.
 * @param sendNext sends the next batch, null when none is left
 */
export async function runLanes(
  lanes: number,
  stop: AbortSignal,
  sendNext: () => Promise<LaneEnd | null>,
): Promise<LaneEnd> {
  let end: LaneEnd = { kind: "settled" };
  const lane = async () => {
    while (end.kind === "settled") {
      if (stop.aborted) {
        end = { kind: "interrupted" };
        return;
      }
      const batchEnd = await sendNext();
      if (batchEnd === null) return;
      if (batchEnd.kind !== "settled") end = batchEnd;
    }
  };
  // All lanes settle before the job ends, so that no write is left behind by one that failed.
  const settled = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failure = settled.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
  return end;
}
