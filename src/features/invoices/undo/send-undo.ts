import type { BatchOutcome } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { assertHeld, withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { endOf, isUnclear, requestBatch, type BatchEnd } from "#features/invoices/request-batch.ts";
import { resolveUndo } from "#features/invoices/undo/resolve-undo.ts";
import { faultLeft, stopReason, unclear } from "#features/invoices/undo/rules.ts";
import {
  leftAs,
  undoneAs,
  untouched,
  type UndoSettlement,
} from "#features/invoices/undo/rules-settlement.ts";
import { settleUndo, type UndoingEntry, type UndoWork } from "#features/invoices/undo/store-ledger.ts";

type Batch = { entries: readonly UndoingEntry[]; replay: boolean };

/**
 * Voids or deletes a batch of invoices that the ledger already holds as being undone, and writes how each ended. Called
 * again for a batch whose answer was lost, it replays it: same requestid, same places, same bodies.
 * @param batch.replay true when an earlier worker may have sent it
 */
export async function sendUndo(ctx: InvoicesCtx, work: UndoWork, batch: Batch): Promise<BatchEnd> {
  const operation = work.undo.action;
  const items = batch.entries.map(
    ({ batchItem, qboId, syncToken }) =>
      ({ bId: batchItem, operation, Invoice: { Id: qboId, SyncToken: syncToken } }) as const,
  );
  const requestId = batch.entries[0]?.batchId ?? "";
  const beforeSend = () => assertHeld(ctx, work.upload);
  const request = { uploadId: work.upload.id, items, requestId, replay: batch.replay, beforeSend };
  const answer = await requestBatch(ctx, work.upload.realmId, request);
  if (answer.kind === "refused") return refuseAll(ctx, work, { ...answer, entries: batch.entries });
  const settlements: UndoSettlement[] = [];
  const open: UndoingEntry[] = [];
  let end: BatchEnd = { kind: "settled" };
  for (const entry of batch.entries) {
    const outcome =
      answer.kind === "answered" ? answer.outcomes.find(({ bId }) => bId === entry.batchItem) : undefined;
    const settled = settlementOf(work, entry, outcome);
    if (settled === null) open.push(entry);
    else if ("kind" in settled) end = settled;
    else settlements.push(settled);
  }
  await writeUndo(ctx, work, settlements);
  return end.kind === "settled" ? resolveAll(ctx, work, open) : end;
}

/** Writes how invoices ended, under the fence. */
export async function writeUndo(
  ctx: InvoicesCtx,
  work: UndoWork,
  settlements: readonly UndoSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  await withFence(ctx, work.upload, (tx) => settleUndo(tx, work, { settlements, now: ctx.clock.now() }));
}

type Refused = { end: BatchEnd; error: unknown; replayed: boolean; entries: readonly UndoingEntry[] };

/** Refused at the first try, nothing was done; refused at a repeat, the first try may have been. */
async function refuseAll(
  ctx: InvoicesCtx,
  work: UndoWork,
  { end, error, replayed, entries }: Refused,
): Promise<BatchEnd> {
  if (end.kind !== "stop" || !(error instanceof IntuitError)) return end;
  const settlements = entries.map((entry) => (replayed ? leftAs(entry, unclear(entry)) : untouched(entry)));
  await writeUndo(ctx, work, settlements);
  return { kind: "stop", reason: stopReason(error.kind) };
}

/** @returns the end of one invoice, an end for the whole undo, or null when the books must be asked */
function settlementOf(
  { undo }: UndoWork,
  entry: UndoingEntry,
  outcome: BatchOutcome | undefined,
): UndoSettlement | BatchEnd | null {
  if (!outcome) return null;
  if ("ok" in outcome) return undoneAs(entry);
  const { fault } = outcome;
  if (isUnclear(fault) || fault.kind === "stale") return null;
  const end = endOf(fault);
  if (end?.kind === "stop") return { kind: "stop", reason: stopReason(fault.kind) };
  if (end) return end;
  if (fault.kind === "notFound" && undo.action === "delete") return undoneAs(entry);
  return leftAs(entry, faultLeft(entry, fault));
}

async function resolveAll(
  ctx: InvoicesCtx,
  work: UndoWork,
  open: readonly UndoingEntry[],
): Promise<BatchEnd> {
  for (const entry of open) {
    try {
      await writeUndo(ctx, work, [await resolveUndo(ctx, work, entry)]);
    } catch (error) {
      const end = endOf(error);
      if (!end || !(error instanceof IntuitError)) throw error;
      return end.kind === "stop" ? { kind: "stop", reason: stopReason(error.kind) } : end;
    }
  }
  return { kind: "settled" };
}
