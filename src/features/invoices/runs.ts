import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun } from "#platform/runs/store.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import type { Cause } from "#platform/runs/types.ts";

/** Work that writes to one company's books runs one at a time, and companies never wait for each other. */
const lane = (realmId: string) => `books:${realmId}`;

/** Checks an upload, or posts it: its phase says which. */
export const postUploadRun = defineRun({ kind: "invoices.post-upload", lane });

/** The upload is the run's subject, and its kind says how it is undone. */
export const undoRuns = {
  void: defineRun({ kind: "invoices.void-upload", lane }),
  delete: defineRun({ kind: "invoices.delete-upload", lane }),
};

export const UNDO_KINDS: readonly string[] = [undoRuns.void.kind, undoRuns.delete.kind];

export const toUndoAction = (kind: string): UndoAction => (kind === undoRuns.void.kind ? "void" : "delete");

type Requested = { realmId: string; uploadId: string; requestedBy: string };

/** Queues an upload; one that is queued stays single. */
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

/** Causes that end once a company is connected again, or QuickBooks answers. */
export const OUTAGES = ["reconnect", "no_answer"];

/** Causes for which a run waits for others, as long as that takes; it continues by itself soon after any other. */
export const PAUSES: readonly string[] = [...OUTAGES, "waiting_for_undo"];

/** State of a waiting run as users see it. */
export const waitingState = (cause: Cause | null) =>
  cause && PAUSES.includes(cause.code) ? "paused" : "queued";
