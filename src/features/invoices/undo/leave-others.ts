import type { Invoice } from "#integrations/intuit/wire.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { isRecent } from "#features/invoices/undo/read-recently.ts";
import { judgeInvoice } from "#features/invoices/undo/rules.ts";
import { endInBooks, leftAs, type UndoSettlement } from "#features/invoices/undo/rules-settlement.ts";
import { writeUndo } from "#features/invoices/undo/send-undo.ts";
import type { UndoEntry, UndoingEntry, UndoWork } from "#features/invoices/undo/store-ledger.ts";

type Reading<Entry> = {
  entries: readonly Entry[];
  /** Last day of the closed period, YYYY-MM-DD. */
  closedThrough: string | null;
};

/** Reads posted invoices from the books and notes why some are left. @returns those that may be undone */
export async function leaveOthers(
  ctx: InvoicesCtx,
  work: UndoWork,
  { entries, closedThrough }: Reading<UndoEntry>,
): Promise<UndoEntry[]> {
  const judge = (entry: UndoEntry, found: Invoice | undefined) => judgeUnsent(entry, found, closedThrough);
  return settleByBooks(ctx, work, { entries, judge });
}

/** Of one whose undo never went out, all that is otherwise in the books is others' doing. */
function judgeUnsent(entry: UndoEntry, found: Invoice | undefined, closedThrough: string | null) {
  const left = judgeInvoice(entry, found, closedThrough);
  return left && leftAs(entry, left);
}

/**
 * Looks in the books for invoices of a batch that was sent long ago or never, before it is repeated: what was sent and is
 * gone is undone, and what others touched is left. @returns those that are there as we posted them, or were just sent,
 * by calls of a dead worker that may still be under way
 */
export async function leaveTouched(
  ctx: InvoicesCtx,
  work: UndoWork,
  { entries, closedThrough }: Reading<UndoingEntry>,
): Promise<UndoingEntry[]> {
  const isFresh = ({ sentAt }: UndoingEntry) => sentAt !== null && isRecent(ctx, sentAt);
  const old = entries.filter((entry) => !isFresh(entry));
  if (old.length === 0) return [...entries];
  const judge = (entry: UndoingEntry, found: Invoice | undefined) =>
    entry.sentAt === null
      ? judgeUnsent(entry, found, closedThrough)
      : endInBooks(entry, found, { action: work.undo.action, closedThrough });
  const untouched = await settleByBooks(ctx, work, { entries: old, judge });
  return entries.filter((entry) => isFresh(entry) || untouched.includes(entry));
}

type Judge<Entry> = (entry: Entry, found: Invoice | undefined) => UndoSettlement | null;

/** Settles what the books tell the end of. @returns the others */
async function settleByBooks<Entry extends UndoEntry>(
  ctx: InvoicesCtx,
  work: UndoWork,
  { entries, judge }: { entries: readonly Entry[]; judge: Judge<Entry> },
): Promise<Entry[]> {
  const { data } = await ctx.books(work.upload.realmId).findInvoicesById(entries.map(({ qboId }) => qboId));
  const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
  const judged = entries.map((entry) => ({ entry, settlement: judge(entry, found.get(entry.qboId)) }));
  await writeUndo(
    ctx,
    work,
    judged.flatMap(({ settlement }) => settlement ?? []),
  );
  return judged.flatMap(({ entry, settlement }) => (settlement ? [] : [entry]));
}
