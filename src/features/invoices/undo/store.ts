import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { UploadState } from "#features/invoices/tables.ts";
import { raiseListVersion } from "#features/invoices/store.ts";
import type { UndoAction } from "#features/invoices/undo/contract.ts";
import type { UndoState, UndoTables } from "#features/invoices/undo/tables.ts";

const tables = (db: Db) => db.withTables<UndoTables>();

/** One wish to undo an upload. */
export type Undo = {
  realmId: string;
  id: string;
  uploadId: string;
  action: UndoAction;
  state: UndoState;
  reason: string;
  requestedBy: string;
  requestedAt: Date;
  finishedAt: Date | null;
};

export async function addUndo(tx: Db, undo: Undo): Promise<void> {
  await tables(tx)
    .insertInto("upload_undo")
    .values({
      realm_id: undo.realmId,
      id: undo.id,
      upload_id: undo.uploadId,
      action: undo.action,
      state: undo.state,
      reason: undo.reason,
      requested_by: undo.requestedBy,
      requested_at: undo.requestedAt,
      finished_at: undo.finishedAt,
    })
    .execute();
  await raiseListVersion(tx, undo.realmId);
}

export async function findLatestUndo(db: Db, realmId: string, uploadId: string): Promise<Undo | null> {
  const row = await tables(db)
    .selectFrom("upload_undo")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", uploadId)
    .orderBy("requested_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toUndo(row) : null;
}

/** The undo of an upload that waits, and why. */
export async function findWaitingUndo(
  db: Db,
  realmId: string,
  uploadId: string,
): Promise<Pick<Undo, "id" | "reason"> | null> {
  const row = await tables(db)
    .selectFrom("upload_undo")
    .select(["id", "reason"])
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", uploadId)
    .where("state", "in", ["paused", "queued"])
    .where("reason", "<>", "")
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether invoices of the very same file, or those that the upload is known to wait for, are being taken out of the
 * books, and if that waits.
 */
export async function findUndoAhead(
  db: Db,
  upload: { realmId: string; id: string; sha256: string; behindUndo: string | null },
): Promise<"queued" | "paused" | null> {
  const { rows } = await sql<{ waits: boolean }>`select upload_undo.reason <> '' as waits from upload_undo
    join upload on upload.realm_id = upload_undo.realm_id and upload.id = upload_undo.upload_id
    where upload.realm_id = ${upload.realmId} and upload.id <> ${upload.id}::uuid
      and (upload.sha256 = ${upload.sha256} or upload_undo.id = ${upload.behindUndo}::uuid)
      and upload_undo.state in ('queued', 'working', 'paused')`.execute(db);
  if (rows.length === 0) return null;
  return rows.every(({ waits }) => waits) ? "paused" : "queued";
}

/** Holds an upload for this transaction, so that two wishes to undo it wait for each other. @returns its state */
export async function lockUpload(
  tx: Db,
  upload: { realmId: string; id: string },
): Promise<UploadState | null> {
  const { rows } = await sql<{ state: UploadState }>`select state from upload
    where realm_id = ${upload.realmId} and id = ${upload.id}::uuid and phase = 'post' for update`.execute(tx);
  return rows[0]?.state ?? null;
}

/**
 * Takes an undo to work on it: raises the upload's fence, so that a worker who held it before can write no more. The
 * upload's row is locked first, as by those who write under the fence.
 * @returns null when there is nothing left to do; `hadWaited` tells that it waited until now
 */
export async function claimUndo(
  db: Db,
  { realmId, undoId }: { realmId: string; undoId: string },
): Promise<{ undo: Undo; fence: number; hadWaited: boolean } | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ fence: number }>`update upload set fence = fence + 1
      where realm_id = ${realmId} and id = (select upload_id from upload_undo
        where realm_id = ${realmId} and id = ${undoId}::uuid and state in ('queued', 'working', 'paused'))
      returning fence`.execute(tx);
    const own = tables(tx)
      .selectFrom("upload_undo")
      .selectAll()
      .where("realm_id", "=", realmId)
      .where("id", "=", undoId)
      .where("state", "in", ["queued", "working", "paused"]);
    const row = await own.forUpdate().executeTakeFirst();
    if (!row || !rows[0]) return null;
    const undo = toUndo({ ...row, state: "working", reason: "" });
    await setUndoState(tx, undo, undo);
    return { undo, fence: rows[0].fence, hadWaited: row.state === "paused" };
  });
}

type Ending = { state: UndoState; reason: string; finishedAt: Date | null };

export async function setUndoState(tx: Db, undo: Undo, ending: Ending): Promise<void> {
  await tables(tx)
    .updateTable("upload_undo")
    .set({ state: ending.state, reason: ending.reason, finished_at: ending.finishedAt })
    .where("realm_id", "=", undo.realmId)
    .where("id", "=", undo.id)
    .execute();
  await raiseListVersion(tx, undo.realmId);
}

function toUndo(row: {
  realm_id: string;
  id: string;
  upload_id: string;
  action: UndoAction;
  state: UndoState;
  reason: string;
  requested_by: string;
  requested_at: Date;
  finished_at: Date | null;
}): Undo {
  return {
    realmId: row.realm_id,
    id: row.id,
    uploadId: row.upload_id,
    action: row.action,
    state: row.state,
    reason: row.reason,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    finishedAt: row.finished_at,
  };
}
