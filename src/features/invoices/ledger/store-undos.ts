import { sql } from "kysely";
import { conflict } from "#platform/errors.ts";
import type { Db } from "#platform/db/connect.ts";
import { findLatestRun, type Run } from "#platform/runs/store.ts";
import { toUndoAction, UNDO_KINDS, waitingState } from "#features/invoices/runs.ts";
import { findUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import type { UploadState } from "#features/invoices/ledger/tables.ts";

/**
 * A request to undo an upload: a run about it, whose kind is the action. `cause`: why it waits, ended early
 * or had nothing to do.
 */
export type Undo = ReturnType<typeof toUndo>;

export async function findLatestUndo(db: Db, upload: UploadId): Promise<Undo | null> {
  const run = await findUndoRun(db, upload);
  return run && toUndo(run);
}

const findUndoRun = (db: Db, { realmId, id }: UploadId) =>
  findLatestRun(db, { realmId, subject: id }, UNDO_KINDS);

/** Finds the waiting undo of an upload, with its cause. */
export async function findWaitingUndo(db: Db, upload: UploadId): Promise<Run | null> {
  const run = await findUndoRun(db, upload);
  return run?.state === "waiting" ? run : null;
}

/** Finds the open undo of another upload of the same file; null if there is none. */
export async function findPendingUndo(db: Db, upload: UploadId & { sha256: string }): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select r.id from upload u
    join run r on r.realm_id = u.realm_id and r.subject = u.id
    where u.realm_id = ${upload.realmId} and u.sha256 = ${upload.sha256} and u.id <> ${upload.id}::uuid
      and r.kind = any (${[...UNDO_KINDS]}::text[]) and r.state in ('queued', 'working', 'waiting')
    order by r.requested_at limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Locks an upload for this transaction, so that concurrent requests to undo it are serialized. @returns its
 * state
 */
export async function lockUpload(tx: Db, upload: UploadId): Promise<UploadState | null> {
  const { rows } = await sql`select from upload
    where realm_id = ${upload.realmId} and id = ${upload.id}::uuid and stage in ('confirmed', 'posting') for update`.execute(
    tx,
  );
  if (rows.length === 0) return null;
  return (await findUpload(tx, upload.realmId, upload.id))?.state ?? null;
}

function toUndo({ kind, subject, state, ...run }: Run) {
  const shown: Exclude<UploadState, "checked"> =
    state === "waiting" ? waitingState(run.cause) : state === "done" ? "finished" : state;
  return { ...run, uploadId: subject, action: toUndoAction(kind), state: shown };
}

/** Whether work on an upload, or on an undo, continues or waits. */
export const isOpen = (state: UploadState) => state === "queued" || state === "working" || state === "paused";

export const undoInProgress = () =>
  conflict("undo_in_process", "An undo of this upload is in progress. Wait until it has finished.");
