import type { Db } from "#platform/db/connect.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { raiseListVersion } from "#features/invoices/store.ts";
import { requeuePaused, UNDOS, UPLOADS } from "#features/invoices/store-waiting.ts";
import { addUndoUpload } from "#features/invoices/undo/jobs.ts";

/** Lets uploads and undos that waited for a company's new authorisation go on, in the transaction that stores it. */
export async function resumeUploads(tx: Db, realmId: string): Promise<void> {
  // Undos first: an upload of the same file must find their invoices gone, or it would leave them out.
  const undoIds = await requeuePaused(tx, realmId, UNDOS);
  for (const undoId of undoIds) await addUndoUpload(tx, { realmId, undoId });
  const uploadIds = await requeuePaused(tx, realmId, UPLOADS);
  for (const uploadId of uploadIds) await addPostUpload(tx, { realmId, uploadId });
  // After the uploads' rows, as by all who hold both: in another order two would wait for each other for ever.
  if (undoIds.length + uploadIds.length > 0) await raiseListVersion(tx, realmId);
}
