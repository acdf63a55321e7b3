import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun, cancelCause } from "#platform/runs/store.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import type { Cause, Ending } from "#platform/runs/types.ts";

/** Work that writes to one company's books runs one at a time; companies never wait for each other. */
const lane = (realmId: string) => `books:${realmId}`;

/** Checks or posts an upload, depending on its stage. */
export const postUploadRun = defineRun({ kind: "invoices.post-upload", lane, isCancelable: true });

/** The upload is the run's subject; the run's kind is the undo action. */
export const undoRuns = {
  void: defineRun({ kind: "invoices.void-upload", lane, isCancelable: true }),
  delete: defineRun({ kind: "invoices.delete-upload", lane, isCancelable: true }),
};

export const UNDO_KINDS: readonly string[] = [undoRuns.void.kind, undoRuns.delete.kind];

/** Kinds of runs that change a company's books for its users. */
export const BOOKS_KINDS: readonly string[] = [postUploadRun.kind, ...UNDO_KINDS];

export const toUndoAction = (kind: string): UndoAction => (kind === undoRuns.void.kind ? "void" : "delete");

type Requested = { realmId: string; uploadId: string; requestedBy: string };

/** Queues an upload unless it is already queued. */
export const addPostUpload = (
  ctx: Ctx,
  tx: Db,
  { realmId, uploadId, requestedBy }: Requested,
): Promise<void> =>
  addRun(tx, postUploadRun, {
    realmId,
    id: ctx.ids.uuid(),
    subject: uploadId,
    requestedBy,
    requestedAt: ctx.clock.now(),
  });

/** Ending of a canceled run: what is not sent yet is never sent. @param by the user who canceled it */
export const canceled = (by: string): Ending => ({
  state: "stopped",
  cause: cancelCause(by),
});

/** Causes that end when a company is reconnected or QuickBooks answers. */
export const OUTAGES = ["reconnect", "no_answer"];

/**
 * Causes for which a run waits for others indefinitely; after any other cause it soon continues by itself.
 */
export const PAUSES: readonly string[] = [...OUTAGES, "waiting_for_undo"];

/** State of a waiting run as shown to users. */
export const waitingState = (cause: Cause | null) =>
  cause && PAUSES.includes(cause.code) ? "paused" : "queued";
