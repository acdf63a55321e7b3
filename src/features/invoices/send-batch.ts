import type { BatchOutcome } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { decimalToCents } from "#platform/money.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { resolveUnclear } from "#features/invoices/resolve-unclear.ts";
import { refusalSentence, stopSentence } from "#features/invoices/rules-refusals.ts";
import { settle, type Held, type Sending, type Settlement } from "#features/invoices/store-ledger.ts";

/** How a batch ended for the whole upload: go on, wait for a person to reconnect, or stop with a reason. */
export type BatchEnd = { kind: "settled" } | { kind: "reconnect" } | { kind: "stop"; reason: string };

/** Waits before the same batch is asked for again; QuickBooks answers a repeated requestid with its first answer. */
const REPLAY_AFTER_MS = [1_000, 4_000, 15_000, 45_000];

/** `unclear`: no try brought a clear answer. `refused`: QuickBooks turned the whole batch away. */
type Answer =
  | { kind: "answered"; outcomes: readonly BatchOutcome[]; replayed: boolean }
  | { kind: "unclear" }
  | { kind: "refused"; end: BatchEnd; replayed: boolean };

/**
 * Sends a batch that the ledger already holds as being sent, and writes how each invoice ended. Called again for a
 * batch whose answer was lost, it replays it: same requestid, same places, same bodies. An invoice whose end is not
 * known stays as it is in the ledger, never as something to send anew.
 * @param batch.replay true when an earlier worker may have sent it
 */
export async function sendBatch(
  ctx: InvoicesCtx,
  upload: Held,
  batch: { invoices: readonly Sending[]; replay: boolean },
): Promise<BatchEnd> {
  const answer = await askUntilClear(ctx, upload, batch);
  if (answer.kind === "refused") {
    // Refused at the first try, nothing was done; refused at a repeat, the first try may have been.
    if (answer.end.kind === "stop" && !answer.replayed) {
      const message = answer.end.reason;
      await write(
        ctx,
        upload,
        batch.invoices.map(({ key }) => ({ key, state: "stopped", message })),
      );
    }
    return answer.end;
  }
  const settlements: Settlement[] = [];
  const open: Sending[] = [];
  let end: BatchEnd = { kind: "settled" };
  for (const invoice of batch.invoices) {
    const outcome =
      answer.kind === "answered" ? answer.outcomes.find(({ bId }) => bId === invoice.batchItem) : undefined;
    const replayed = answer.kind === "answered" && answer.replayed;
    const settled = settlementOf(invoice, outcome, replayed);
    if (settled === null) open.push(invoice);
    else if ("kind" in settled) end = settled;
    else settlements.push(settled);
  }
  await write(ctx, upload, settlements);
  return end.kind === "settled" ? resolveAll(ctx, upload, open) : end;
}

async function resolveAll(ctx: InvoicesCtx, upload: Held, open: readonly Sending[]): Promise<BatchEnd> {
  for (const invoice of open) {
    try {
      await write(ctx, upload, [await resolveUnclear(ctx, upload, invoice)]);
    } catch (error) {
      const end = endOf(error);
      if (!end) throw error;
      return end;
    }
  }
  return { kind: "settled" };
}

async function write(ctx: InvoicesCtx, upload: Held, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await withFence(ctx, upload, (tx) => settle(tx, upload, { settlements, now: ctx.clock.now() }));
}

async function askUntilClear(
  ctx: InvoicesCtx,
  upload: Held,
  batch: { invoices: readonly Sending[]; replay: boolean },
): Promise<Answer> {
  const items = batch.invoices.map(
    ({ batchItem, draft }) => ({ bId: batchItem, operation: "create", Invoice: draft }) as const,
  );
  const requestId = batch.invoices[0]?.batchId ?? "";
  let replayed = batch.replay;
  for (const wait of [...REPLAY_AFTER_MS, null]) {
    try {
      const { data } = await ctx.books(upload.realmId).batch(items, { requestId });
      if (!data.some(isStillRunning)) return { kind: "answered", outcomes: data, replayed };
    } catch (error) {
      const end = endOf(error);
      if (end) return { kind: "refused", end, replayed };
      if (!(error instanceof IntuitError && isUnclear(error))) throw error;
      ctx.log.warn(
        { upload: upload.id, batch: requestId, tid: error.tid, kind: error.kind },
        "A batch got no clear answer",
      );
    }
    replayed = true;
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  return { kind: "unclear" };
}

/** @returns the end of one invoice, an end for the whole upload, or null when it may or may not be in the books */
function settlementOf(
  { key, docNumber }: Sending,
  outcome: BatchOutcome | undefined,
  replayed: boolean,
): Settlement | BatchEnd | null {
  if (!outcome) return null;
  if ("ok" in outcome) {
    const { Id, DocNumber, TotalAmt } = outcome.ok;
    const books = { qboId: Id, qboDocNumber: DocNumber ?? null, qboTotalCents: decimalToCents(TotalAmt) };
    return { key, state: "posted", message: "", ...books };
  }
  const { fault } = outcome;
  if (isUnclear(fault)) return null;
  const end = endOf(fault);
  if (end?.kind === "stop") return { key, state: "stopped", message: end.reason, tid: fault.tid };
  if (end) return end;
  // A number that clashes on a repeated send may be our own invoice, made by the send whose answer was lost.
  if (fault.kind === "duplicateDoc" && replayed) return null;
  return { key, state: "rejected", message: refusalSentence(docNumber, fault), tid: fault.tid };
}

const isUnclear = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);
const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");
const isStillRunning = (outcome: BatchOutcome) => "fault" in outcome && isBusy(outcome.fault);

function endOf(error: unknown): BatchEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  const reason = stopSentence(error);
  return reason ? { kind: "stop", reason } : null;
}
