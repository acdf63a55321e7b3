import type { BatchOutcome } from "#integrations/intuit/client.ts";
import type { IntuitError } from "#integrations/intuit/errors.ts";
import type { BatchAnswer } from "#features/invoices/post/request-batch.ts";
import { endOf, type BatchEnd } from "#features/invoices/post/rules-end.ts";

/** An invoice of a batch whose answer does not tell how it ended. `fault` is what it says of it, null for nothing. */
export type Unclear<Entry> = { entry: Entry; fault: IntuitError | null };

export type Settle<Entry, Settlement> = {
  entries: readonly Entry[];
  answer: Exclude<BatchAnswer, { kind: "refused" }>;
  /** @returns the end of one invoice, an end for all of the work, or null when the books must be asked */
  read(entry: Entry, outcome: BatchOutcome | undefined): Settlement | BatchEnd | null;
  /** Finds out about one that the answer left open. @returns null when it stays open */
  resolve(unclear: Unclear<Entry>): Promise<Settlement | null>;
  write(settlements: readonly Settlement[]): Promise<void>;
};

/**
 * Writes how the invoices of a batch ended: first those the answer tells of, then, one by one, those it left open.
 * @returns how the batch ended for all of the work, how many invoices have their end now, and those that stay open
 */
export async function settleBatch<Entry extends { batchItem: string }, Settlement extends { key: string }>(
  batch: Settle<Entry, Settlement>,
): Promise<{ end: BatchEnd; settled: number; open: Entry[] }> {
  const { settlements, unclear, end } = sortOutcomes(batch);
  if (settlements.length > 0) await batch.write(settlements);
  let settled = settlements.length;
  const open: Entry[] = [];
  if (end.kind !== "settled") return { end, settled, open };
  for (const one of unclear) {
    try {
      const resolved = await batch.resolve(one);
      if (!resolved) {
        open.push(one.entry);
        continue;
      }
      await batch.write([resolved]);
      settled += 1;
    } catch (error) {
      const early = endOf(error);
      if (!early) throw error;
      return { end: early, settled, open };
    }
  }
  return { end, settled, open };
}

/** Tells apart what is settled by the answer, what is still open, and whether it ends all of the work. */
function sortOutcomes<Entry extends { batchItem: string }, Settlement extends { key: string }>({
  entries,
  answer,
  read,
}: Settle<Entry, Settlement>) {
  const settlements: Settlement[] = [];
  const unclear: Unclear<Entry>[] = [];
  let end: BatchEnd = { kind: "settled" };
  for (const entry of entries) {
    const outcome =
      answer.kind === "answered" ? answer.outcomes.find(({ bId }) => bId === entry.batchItem) : undefined;
    const settled = read(entry, outcome);
    const fault = outcome && "fault" in outcome ? outcome.fault : null;
    if (settled === null) unclear.push({ entry, fault });
    else if ("key" in settled) settlements.push(settled);
    else end = settled;
  }
  return { settlements, unclear, end };
}
