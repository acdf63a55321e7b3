import { join } from "node:path";
import type { FoldersCtx } from "#features/orders/ctx.ts";
import type { StoredFolder } from "#features/orders/folders/store.ts";
import { FolderError, type Folder } from "#integrations/folders/folder.ts";
import { openLocalFolder } from "#integrations/folders/local-folder.ts";
import { openSftpFolder, type SftpOptions } from "#integrations/folders/sftp-folder.ts";
import { unseal } from "#platform/crypto/seal.ts";

/** Time for all of one look. A folder that takes longer is worked off in the next ones. */
const TOTAL_MS = 4 * 60_000;

export type FolderSettings = Pick<
  StoredFolder,
  | "realm_id"
  | "kind"
  | "host"
  | "port"
  | "user_name"
  | "auth"
  | "secret_sealed"
  | "host_key"
  | "folder_in"
  | "folder_out"
>;

export const sftpOptions = ({ clock, folders }: FoldersCtx): SftpOptions => ({
  clock,
  answerMs: folders.answerMs,
  totalMs: TOTAL_MS,
  allowPrivate: folders.allowPrivate,
});

/** Names the server and user of a secret: sealed for these, it is opened for no others. */
export const secretPurpose = ({
  realm_id,
  host,
  port,
  user_name,
}: Pick<FolderSettings, "realm_id" | "host" | "port" | "user_name">) =>
  `order folder:${realm_id}:${host}:${port}:${user_name}`;

/** Opens a company's folder. @throws FolderError */
export async function openFolder(ctx: FoldersCtx, settings: FolderSettings): Promise<Folder> {
  const { base } = ctx.folders;
  if (settings.kind === "local") {
    if (base === null) throw new FolderError("folder_refused");
    return openLocalFolder(join(base, settings.realm_id));
  }
  const secret = unseal(ctx.sealingKeys, secretPurpose(settings), settings.secret_sealed);
  const { host, port, user_name: user, host_key: hostKey } = settings;
  return openSftpFolder(
    {
      host,
      port,
      user,
      secret: settings.auth === "key" ? { privateKey: secret } : { password: secret },
      hostKey,
      folderIn: settings.folder_in,
      folderOut: settings.folder_out,
    },
    sftpOptions(ctx),
  );
}
