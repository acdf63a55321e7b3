import type { Db } from "#platform/db/connect.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { requeuePausedUploads } from "#features/invoices/store.ts";

/** Lets the uploads that waited for a company's new authorisation go on, in the transaction that stores it. */
export async function resumeUploads(tx: Db, realmId: string): Promise<void> {
  for (const uploadId of await requeuePausedUploads(tx, realmId)) {
    await addPostUpload(tx, { realmId, uploadId });
  }
}
