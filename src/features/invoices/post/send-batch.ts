import type { BatchOutcome } from "#integrations/intuit/client.ts";
import { isMaybeInBooks, lookInBooks, unknown } from "#features/invoices/post/find-in-books.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { requestBatch } from "#features/invoices/post/request-batch.ts";
import { resolveUnclear } from "#features/invoices/post/resolve-unclear.ts";
import { readAnswer } from "#features/invoices/post/rules-answer.ts";
import {
  endOf,
  isUnclear,
  MOST_VAIN_ROUNDS,
  saysFailed,
  type BatchEnd,
  type EarlyEnd,
  type Sent,
} from "#features/invoices/post/rules-end.ts";
import { refusalSentence, STOPPED } from "#features/invoices/post/rules-refusals.ts";
import { settleBatch, type Settle } from "#features/invoices/post/settle-batch.ts";
import { leaveClaimed } from "#features/invoices/post/store-claims.ts";
import { settle, type Held, type Sending, type Settlement } from "#features/invoices/post/store-ledger.ts";
import { countVainRound, markSent, markSentAlone } from "#features/invoices/post/store-unclear.ts";

/** Nobody says how long Intuit remembers a requestid. What was sent longer ago is looked for in the books first. */
const REPLAY_WITHIN_MS = 3_600_000;

type Batch = { invoices: readonly Sending[]; replay: boolean };
type Settling = Pick<Settle<Sending, Settlement>, "resolve" | "write"> & {
  /** Keys of the invoices that went out alone in this round at least once without a clear answer. */
  unanswered: ReadonlySet<string>;
};

/**
 * Sends a batch that the ledger already holds as being sent, and writes how each invoice ended. Called again for a
 * batch whose answer was lost, it replays it: same requestid, same places, same bodies; what went out alone since is
 * asked for alone. An invoice whose end is not known stays as it is in the ledger, never as something to send anew.
 * @param batch.replay true when an earlier worker may have sent it
 */
export async function sendBatch(ctx: InvoicesCtx, upload: Held, batch: Batch): Promise<Sent> {
  // One whose worker died before it left was never sent.
  const replay = batch.replay && batch.invoices.some(({ lastSentAt }) => lastSentAt !== null);
  const left = replay ? await adoptOld(ctx, upload, batch.invoices) : batch.invoices;
  const resentAt = ctx.clock.now();
  const invoices = left.map((invoice) => ({ ...invoice, resentAt }));
  const apart = invoices.filter(({ alone }) => alone !== "no");
  const together = invoices.filter(({ alone }) => alone === "no");
  // One that stays open after its tries is enough to wait for in a round.
  let hasty = false;
  const wentAlone = new Set(apart.filter(({ alone }) => alone === "sent").map(({ key }) => key));
  const unanswered = new Set<string>();
  const settling: Settling = {
    unanswered,
    resolve: async (unclear) => {
      const onNoAnswer = () => unanswered.add(unclear.entry.key);
      const repeated = wentAlone.has(unclear.entry.key);
      const settled = await resolveUnclear(ctx, upload, { ...unclear, hasty, repeated, onNoAnswer });
      hasty ||= settled === null;
      return settled;
    },
    write: (settlements) => write(ctx, upload, settlements),
  };
  const first = await sendTogether(ctx, upload, { invoices: together, replay, ...settling });
  if (first.end.kind !== "settled") return first.end;
  const answer = { kind: "unclear" } as const;
  const then = await settleBatch({ entries: apart, answer, read: () => null, ...settling });
  if (then.end.kind !== "settled") return then.end;
  const isOpen = await leaveOpen(ctx, upload, [...first.open, ...then.open]);
  return isOpen ? { kind: "open", silent: first.silent } : { kind: "settled" };
}

/** How a batch ended, what it left open, and whether no try brought any answer. */
type Round = { end: BatchEnd; open: readonly Sending[]; silent: boolean };

async function sendTogether(
  ctx: InvoicesCtx,
  upload: Held,
  { invoices, replay, ...settling }: Batch & Settling,
): Promise<Round> {
  const [first] = invoices;
  if (!first) return { end: { kind: "settled" }, open: [], silent: false };
  const items = invoices.map(
    ({ batchItem, draft }) => ({ bId: batchItem, operation: "create", Invoice: draft }) as const,
  );
  const keys = invoices.map(({ key }) => key);
  const beforeSend = () => markSent(ctx, upload, keys);
  const request = { uploadId: upload.id, items, requestId: first.batchId, replay, beforeSend };
  const answer = await requestBatch(ctx, upload.realmId, request);
  if (answer.kind === "refused") {
    // Refused at the first try, nothing was done; refused at a repeat, the first try may have been.
    if (!answer.replayed) await write(ctx, upload, invoices.map(neverMade(answer.end)));
    return { end: answer.end, open: [], silent: false };
  }
  if (answer.kind === "turnedAway") return sendApart(ctx, upload, { invoices, ...settling });
  const replayed = answer.kind === "answered" && answer.replayed;
  if (answer.kind === "answered") await markFailed(ctx, upload, { invoices, outcomes: answer.outcomes });
  const { end, open } = await settleBatch<Sending, Settlement>({
    entries: invoices,
    answer,
    read: (invoice, outcome) => settlementOf(invoice, outcome, replayed),
    ...settling,
  });
  return { end, open, silent: answer.kind === "unclear" };
}

/**
 * Sends the invoices of a batch that was turned away, each alone. All are marked so before the first: whoever takes the
 * work over must not send the batch again, whose refusal would then tell nothing. When all of the work ends early, only
 * those stay open that QuickBooks gave no answer to.
 */
async function sendApart(
  ctx: InvoicesCtx,
  upload: Held,
  { invoices, ...settling }: Pick<Batch, "invoices"> & Settling,
): Promise<Round> {
  await markAlone(ctx, upload, invoices);
  // Nothing of a batch that was turned away was made, so that nothing is looked for before.
  const entries = invoices.map((invoice) => ({ ...invoice, alone: "sent" as const }));
  const answer = { kind: "unclear" } as const;
  const { end, open } = await settleBatch({ entries, answer, read: () => null, ...settling });
  const unmade = entries.filter(({ key }) => !settling.unanswered.has(key));
  if (end.kind !== "settled") await write(ctx, upload, unmade.map(neverMade(end)));
  return { end, open, silent: false };
}

/**
 * Marks those that QuickBooks says it failed to make, before anything is found out about them: repeated, it makes such an
 * item of a batch anew, and nobody says that the first is not kept.
 */
async function markFailed(
  ctx: InvoicesCtx,
  upload: Held,
  { invoices, outcomes }: { invoices: readonly Sending[]; outcomes: readonly BatchOutcome[] },
): Promise<void> {
  const failed = new Set(
    outcomes.flatMap((outcome) => ("fault" in outcome && saysFailed(outcome.fault) ? [outcome.bId] : [])),
  );
  await markAlone(
    ctx,
    upload,
    invoices.filter(({ batchItem }) => failed.has(batchItem)),
  );
}

async function markAlone(ctx: InvoicesCtx, upload: Held, invoices: readonly Sending[]): Promise<void> {
  if (invoices.length === 0) return;
  const mark = { keys: invoices.map(({ key }) => key), now: ctx.clock.now() };
  await withFence(ctx, upload, (tx) => markSentAlone(tx, upload, mark));
}

/** Counts a round for invoices that stay open, and gives up those that had their last. @returns false when none is left */
async function leaveOpen(ctx: InvoicesCtx, upload: Held, open: readonly Sending[]): Promise<boolean> {
  const isSpent = ({ vainRounds }: Sending) => vainRounds + 1 >= MOST_VAIN_ROUNDS;
  await write(ctx, upload, open.filter(isSpent).map(unknown));
  const waiting = open.filter((invoice) => !isSpent(invoice)).map(({ key }) => key);
  if (waiting.length === 0) return false;
  await withFence(ctx, upload, (tx) => countVainRound(tx, upload, waiting));
  return true;
}

/** The end of what QuickBooks refused before it did anything: it is sent as new once a person has reconnected. */
const neverMade =
  (end: EarlyEnd) =>
  ({ key }: Sending): Settlement =>
    end.kind === "stop"
      ? { key, state: "stopped", message: STOPPED[end.cause] }
      : { key, state: "ready", message: "" };

/**
 * Settles what was sent long ago and is, or may be, in the books: first what surely is, so that it is not taken for
 * another. @returns the invoices that are not there, or not that old
 */
async function adoptOld(
  ctx: InvoicesCtx,
  upload: Held,
  invoices: readonly Sending[],
): Promise<readonly Sending[]> {
  const isOld = ({ sentAt }: Sending) => ctx.clock.now().getTime() - sentAt.getTime() > REPLAY_WITHIN_MS;
  const settled = new Set<Sending>();
  const settleBy = async (find: (invoice: Sending) => Promise<Settlement | null>) => {
    for (const invoice of invoices.filter((one) => isOld(one) && !settled.has(one))) {
      const settlement = await find(invoice);
      if (!settlement) continue;
      await write(ctx, upload, [settlement]);
      settled.add(invoice);
    }
  };
  await settleBy(async (invoice) => {
    const looked = await lookInBooks(ctx, upload, invoice);
    return looked.kind === "ours" ? looked.settlement : null;
  });
  // By now the request may be forgotten, and would make a second one of what was kept otherwise than it was sent.
  await settleBy(async (invoice) => ((await isMaybeInBooks(ctx, upload, invoice)) ? unknown(invoice) : null));
  return invoices.filter((invoice) => !settled.has(invoice));
}

async function write(ctx: InvoicesCtx, upload: Held, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await withFence(ctx, upload, async (tx) => {
    const free = await leaveClaimed(tx, upload, settlements);
    await settle(tx, upload, { settlements: free, now: ctx.clock.now() });
  });
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
