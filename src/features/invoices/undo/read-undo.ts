import { readChanges, readClosedThrough } from "#features/books/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { AppError, conflict } from "#platform/errors.ts";
import { dayOf } from "#formats/text/phrases.ts";
import { currenciesOf } from "#features/invoices/ledger/rules-currencies.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { endOf } from "#integrations/intuit/fault-meaning.ts";
import { undoneSentence } from "#features/invoices/results/sentences-results.ts";
import { findUpload } from "#features/invoices/ledger/store.ts";
import type { UndoStatus } from "#features/invoices/undo/contract.ts";
import { MAX_LISTED, readRun, sumOf, skippedToWire } from "#features/invoices/undo/read-run.ts";
import { undoCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { isOpen, leftBecause, neverPosted, type Left } from "#features/invoices/undo/rules.ts";
import { noUpload, uploadAtWork } from "#features/invoices/undo/start-undo.ts";
import { findLatestUndo } from "#features/invoices/ledger/store-undos.ts";
import { findUndoEntries, type UndoEntry } from "#features/invoices/undo/store-ledger.ts";

/**
 * What an undo of an upload would do, from the books as they are now, and how its latest undo went. Nothing is written.
 * @throws AppError 404 when the company has no such upload; 409 while it is being worked on or must be connected again;
 * 503 when QuickBooks cannot be read
 */
export async function readUndo(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<UndoStatus> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload || upload.phase !== "post") throw noUpload();
  if (isOpen(upload.state)) throw uploadAtWork();
  const undo = await findLatestUndo(ctx.db, realmId, uploadId);
  const run = undo && (await readRun(ctx, undo));
  if (undo && isOpen(undo.state)) return { preview: null, run };
  const entries = await findUndoEntries(ctx.db, { realmId, id: uploadId });
  const judged = await judgeAll(ctx, realmId, entries);
  return { preview: previewOf(ctx, realmId, judged), run };
}

/** An invoice of the ledger, and why it would be left, null when it would go. */
type Judged = { entry: UndoEntry; left: Left | null };

async function judgeAll(ctx: InvoicesCtx, realmId: string, entries: readonly UndoEntry[]): Promise<Judged[]> {
  const changes = await readBooks(
    ctx,
    realmId,
    entries.filter(({ state }) => state === "posted"),
  );
  return entries.map((entry) => {
    const change = changes.get(entry.qboId) ?? null;
    if (entry.state === "posted") return { entry, left: change && leftBecause(change, entry) };
    return { entry, left: entry.state === "undone" ? leftUndone(entry) : neverPosted(entry.state) };
  });
}

async function readBooks(ctx: InvoicesCtx, realmId: string, posted: readonly UndoEntry[]) {
  if (posted.length === 0) return new Map<string, never>();
  try {
    const closedThrough = await readClosedThrough(ctx, realmId);
    return await readChanges(ctx, realmId, { posted, closedThrough });
  } catch (error) {
    throw error instanceof IntuitError ? unreadable(error) : error;
  }
}

function unreadable(error: IntuitError): AppError {
  const end = endOf(error);
  if (end?.kind === "reconnect") {
    const detail = "This company must be connected to QuickBooks again before its invoices can be read.";
    return conflict("reconnect_needed", detail);
  }
  if (end?.kind === "stop") return conflict("books_refused", undoCauseSentence({ code: end.cause }, ""));
  const detail = "QuickBooks could not be read just now. Try again in a minute.";
  return new AppError({ status: 503, code: "books_unreadable", detail, retryAfterSeconds: 60, cause: error });
}

function leftUndone({ message, action, undoneAt, number }: UndoEntry): Left {
  const ours =
    action && undoneAt ? undoneSentence({ invoices: 1, action, day: dayOf(undoneAt), number }) : "Undone.";
  return { reason: "undone", sentence: message || ours };
}

function previewOf(ctx: InvoicesCtx, realmId: string, judged: readonly Judged[]): UndoStatus["preview"] {
  const share = ({ entry }: Judged) => ({ invoices: 1, amountCents: entry.amountCents ?? 0 });
  const stays = judged.flatMap(({ entry, left }) => (left ? [{ entry, left }] : []));
  const byReason = [...Map.groupBy(stays, ({ left }) => left.reason)];
  const inBooks = stays.filter(({ entry }) => entry.state === "posted");
  const outside = stays.filter(({ entry }) => entry.state !== "posted");
  return {
    goes: sumOf(judged.filter(({ left }) => !left).map(share)),
    stays: sumOf(stays.map(share)),
    currencies: currenciesOf(judged.map(({ entry }) => entry)),
    stays_by_reason: byReason.map(([reason, group]) => ({ reason, ...sumOf(group.map(share)) })),
    staying: [...inBooks, ...outside]
      .slice(0, MAX_LISTED)
      .map(({ entry, left }) => skippedToWire(ctx, realmId, { entry, ...left })),
  };
}
