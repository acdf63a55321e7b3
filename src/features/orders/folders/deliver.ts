import type { FoldersCtx } from "#features/orders/folders/ctx.ts";
import { openFolder } from "#features/orders/folders/open-folder.ts";
import { findFolder } from "#features/orders/folders/store.ts";

/**
 * Adds a file to the outgoing folder of a company, as a whole; one of the same name that is there already stays, so a repeated
 * delivery is harmless.
 * @param name a plain file name
 * @returns false for a company without a folder, and for one that is stopped
 * @throws FolderError when the folder doesn't work
 */
export async function deliverToFolder(
  ctx: FoldersCtx,
  realmId: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<boolean> {
  const settings = await findFolder(ctx.db, realmId);
  if (!settings || settings.state === "stopped") return false;
  const folder = await openFolder(ctx, settings);
  try {
    await folder.send(name, bytes);
    return true;
  } finally {
    folder.close();
  }
}
