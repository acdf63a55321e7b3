import type { CallCtx } from "#features/invoices/ctx.ts";
import { findUnresolved } from "#features/invoices/ledger/store-entries.ts";
import { findLatestUndo, isOpen, lockUpload, undoInProgress } from "#features/invoices/ledger/store-undos.ts";
import { createCommand } from "#features/invoices/ledger/store-writes.ts";
import { lockPlans, noUpload } from "#features/invoices/ledger/store.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { addPostUpload } from "#features/invoices/runs.ts";
import { conflict } from "#platform/errors.ts";
import { changeWrites, type Change } from "#platform/writes/store.ts";

type Answer = { uploadId: string; seq: number; isInBooks: boolean; requestedBy: string };

/**
 * Settles an unresolved invoice by what a user says. One that is in the books may be another user's: it is not linked, so
 * that no undo touches it. One that is not is sent, under its own request id: had the user erred, QuickBooks would repeat
 * its first answer.
 * @throws AppError 404 when the company has no such upload; 409 while it is being worked on or undone, or once the invoice has an
 * outcome
 */
export async function answerUnresolved(ctx: CallCtx, realmId: string, answer: Answer): Promise<void> {
  const { uploadId, seq, isInBooks, requestedBy } = answer;
  const upload = { realmId, id: uploadId };
  await ctx.db.transaction().execute((tx) =>
    withSummary(tx, upload, async () => {
      const state = await lockUpload(tx, upload);
      if (state === null) throw noUpload();
      if (state !== "finished" && state !== "stopped")
        throw conflict("upload_in_process", "This upload is still in progress. Answer when it's finished.");
      await lockPlans(tx, realmId);
      const undo = await findLatestUndo(tx, upload);
      if (undo && isOpen(undo.state)) throw undoInProgress();
      const part = await findUnresolved(tx, upload, seq);
      if (part === null)
        throw conflict("already_answered", "This invoice was settled in the meantime. Reload the page.");
      const open = { part, dueAt: null, rounds: 0, vendorId: null, answer: null };
      const change: Change = isInBooks
        ? { ...open, state: "refused", cause: { code: "in_books", params: {}, tid: null } }
        : { ...open, state: "planned", cause: null };
      const now = ctx.clock.now();
      await changeWrites(tx, createCommand(upload), { changes: [change], now, from: ["unresolved"] });
      if (!isInBooks) await addPostUpload(ctx, tx, { realmId, uploadId, requestedBy });
      await ctx.audit(tx, {
        action: "upload.answer",
        ids: { upload: uploadId },
        after: { seq, in_quickbooks: isInBooks },
      });
    }),
  );
}
