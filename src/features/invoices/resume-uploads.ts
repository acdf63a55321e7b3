import type { Db } from "#platform/db/connect.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { requeuePausedUploads } from "#features/invoices/store.ts";
import { addUndoUpload } from "#features/invoices/undo/jobs.ts";
import { requeuePausedUndos } from "#features/invoices/undo/store.ts";

/** Lets uploads and undos that waited for a company's new authorisation go on, in the transaction that stores it. */
export async function resumeUploads(tx: Db, realmId: string): Promise<void> {
  // Undos first: an upload of the same file must find their invoices gone, or it would leave them out.
  for (const { id } of await requeuePausedUndos(tx, realmId)) {
    await addUndoUpload(tx, { realmId, undoId: id });
  }
  for (const uploadId of await requeuePausedUploads(tx, realmId)) {
    await addPostUpload(tx, { realmId, uploadId });
  }
}
