import type { BatchOutcome } from "#integrations/intuit/client.ts";
import { assertHeld, withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { requestBatch } from "#features/invoices/request-batch.ts";
import { findInBooks, resolveUnclear } from "#features/invoices/resolve-unclear.ts";
import { readAnswer } from "#features/invoices/rules-answer.ts";
import { endOf, isUnclear, type BatchEnd } from "#features/invoices/rules-end.ts";
import { refusalSentence, STOPPED } from "#features/invoices/rules-refusals.ts";
import { settleBatch } from "#features/invoices/settle-batch.ts";
import { settle, type Held, type Sending, type Settlement } from "#features/invoices/store-ledger.ts";

/** Nobody says how long Intuit remembers a requestid. What was sent longer ago is looked for in the books first. */
const REPLAY_WITHIN_MS = 12 * 3_600_000;

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
  const invoices = batch.replay ? await adoptOld(ctx, upload, batch.invoices) : batch.invoices;
  if (invoices.length === 0) return { kind: "settled" };
  const items = invoices.map(
    ({ batchItem, draft }) => ({ bId: batchItem, operation: "create", Invoice: draft }) as const,
  );
  const requestId = invoices[0]?.batchId ?? "";
  const beforeSend = () => assertHeld(ctx, upload);
  const request = { uploadId: upload.id, items, requestId, replay: batch.replay, beforeSend };
  const answer = await requestBatch(ctx, upload.realmId, request);
  if (answer.kind === "refused") {
    // Refused at the first try, nothing was done; refused at a repeat, the first try may have been.
    if (answer.end.kind === "stop" && !answer.replayed)
      await write(ctx, upload, invoices.map(stoppedBy(STOPPED[answer.end.cause])));
    return answer.end;
  }
  const { end } = await settleBatch<Sending, Settlement>({
    entries: invoices,
    answer,
    read: (invoice, outcome) => {
      const replayed = answer.kind === "answered" && answer.replayed;
      return settlementOf(invoice, outcome, replayed);
    },
    resolve: (unclear) => resolveUnclear(ctx, upload, unclear),
    write: (settlements) => write(ctx, upload, settlements),
  });
  return end;
}

const stoppedBy =
  (message: string) =>
  ({ key }: Sending): Settlement => ({ key, state: "stopped", message });

/** Settles what was sent long ago and is in the books. @returns the invoices that are not there, or not that old */
async function adoptOld(
  ctx: InvoicesCtx,
  upload: Held,
  invoices: readonly Sending[],
): Promise<readonly Sending[]> {
  const left: Sending[] = [];
  for (const invoice of invoices) {
    const isOld = ctx.clock.now().getTime() - invoice.sentAt.getTime() > REPLAY_WITHIN_MS;
    const adopted = isOld ? await findInBooks(ctx, upload, invoice) : null;
    if (adopted) await write(ctx, upload, [adopted]);
    else left.push(invoice);
  }
  return left;
}

async function write(ctx: InvoicesCtx, upload: Held, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await withFence(ctx, upload, (tx) => settle(tx, upload, { settlements, now: ctx.clock.now() }));
}

/** @returns the end of one invoice, an end for the whole upload, or null when it may or may not be in the books */
function settlementOf(
  invoice: Sending,
  outcome: BatchOutcome | undefined,
  replayed: boolean,
): Settlement | BatchEnd | null {
  const { key, docNumber } = invoice;
  if (!outcome) return null;
  if ("ok" in outcome) return { key, state: "posted", message: "", ...readAnswer(invoice, outcome.ok) };
  const { fault } = outcome;
  if (isUnclear(fault)) return null;
  const end = endOf(fault);
  if (end?.kind === "stop") return { key, state: "stopped", message: STOPPED[end.cause], tid: fault.tid };
  if (end) return end;
  // A number that clashes on a repeated send may be our own invoice, made by the send whose answer was lost.
  if (fault.kind === "duplicateDoc" && replayed) return null;
  return { key, state: "rejected", message: refusalSentence(docNumber, fault), tid: fault.tid };
}
