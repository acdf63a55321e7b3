import type { Audited } from "#features/audit/index.ts";
import { lockCompany, type Company } from "#features/companies/index.ts";
import type {
  OrderFolder,
  saveFolder as saveFolderCall,
  SftpInput,
} from "#features/orders/folders/contract.ts";
import type { FoldersCtx } from "#features/orders/ctx.ts";
import {
  openFolder,
  secretPurpose,
  sftpOptions,
  type FolderSettings,
} from "#features/orders/folders/open-folder.ts";
import { FAULTS } from "#features/orders/folders/sentences.ts";
import { dropFolder, findFolder, putFolder, type StoredFolder } from "#features/orders/folders/store.ts";
import { FolderError } from "#integrations/folders/folder.ts";
import { readHostKey, type SftpServer } from "#integrations/folders/sftp-folder.ts";
import { seal } from "#platform/crypto/seal.ts";
import { badRequest, conflict } from "#platform/errors.ts";
import type * as z from "zod";

type Input = z.output<typeof saveFolderCall.body>;

export async function readFolder(ctx: FoldersCtx, { realmId }: Company) {
  const folder = await findFolder(ctx.db, realmId);
  return { folder: folder ? toReply(folder) : null, can_be_local: ctx.folders.base !== null };
}

/** Asks a server for its key's fingerprint. @throws AppError 409 when it can't be reached */
export const readServerKey = async (ctx: FoldersCtx, server: SftpServer): Promise<{ host_key: string }> => ({
  host_key: await explain(() => readHostKey(server, sftpOptions(ctx))),
});

/**
 * Saves a company's folder once it could be opened and listed with these settings; then the next poll looks at it.
 * @throws AppError 400 for a missing secret, and for a folder of this machine where none is offered; 409 if it can't be opened
 */
export async function saveFolder(
  ctx: FoldersCtx & Audited,
  { realmId, by }: { realmId: string; by: string },
  input: Input,
): Promise<{ folder: OrderFolder }> {
  const settings =
    input.kind === "local" ? localSettings(ctx, realmId) : await sftpSettings(ctx, realmId, input);
  await explain(async () => {
    const folder = await openFolder(ctx, settings);
    await folder.list().finally(() => folder.close());
  });
  const now = ctx.clock.now();
  const row = { ...settings, state: "active" as const, next_at: now, changed_at: now, changed_by: by };
  await ctx.db.transaction().execute(async (tx) => {
    await lockCompany(tx, realmId);
    const was = await findFolder(tx, realmId);
    await putFolder(tx, row);
    await ctx.audit(tx, {
      action: "orders.save_folder",
      ...(was ? { before: facts(was) } : {}),
      after: facts(settings),
    });
  });
  return { folder: toReply({ ...row, fault: null, polled_at: null }) };
}

export async function removeFolder(ctx: FoldersCtx & Audited, { realmId }: Company): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const was = await findFolder(tx, realmId);
    if (!was || !(await dropFolder(tx, realmId))) return;
    await ctx.audit(tx, { action: "orders.remove_folder", before: facts(was) });
  });
}

const facts = ({ kind, host, port, user_name: user, host_key }: FolderSettings) =>
  kind === "local" ? { kind } : { kind, server: `${host}:${port}`, user, host_key };

function localSettings({ folders }: FoldersCtx, realmId: string): FolderSettings {
  if (folders.base === null)
    throw badRequest("no_local_folders", "Folders on this server can't be used here. Use an SFTP account.");
  const none = { host: "", port: 0, user_name: "", auth: "", secret_sealed: "", host_key: "" } as const;
  return { realm_id: realmId, kind: "local", ...none, folder_in: "in", folder_out: "out" };
}

const OTHER_STORED = {
  key: "Enter the private key of this account. Only a password is stored.",
  password: "Enter the password of this account. Only a private key is stored.",
} as const;

async function sftpSettings(ctx: FoldersCtx, realmId: string, input: SftpInput): Promise<FolderSettings> {
  const { host, port, user, password, private_key: privateKey } = input;
  const place = { realm_id: realmId, host, port, user_name: user };
  const rest = {
    kind: "sftp" as const,
    host_key: input.host_key,
    folder_in: input.folder_in,
    folder_out: input.folder_out,
  };
  const auth = input.auth ?? (privateKey !== undefined ? "key" : password !== undefined ? "password" : null);
  const secret = auth === "key" ? privateKey : password;
  if (auth !== null && secret !== undefined) {
    const sealed = seal(ctx.sealingKeys, secretPurpose(place), secret);
    return { ...place, ...rest, auth, secret_sealed: sealed };
  }
  const was = await findFolder(ctx.db, realmId);
  if (was?.kind !== "sftp" || secretPurpose(was) !== secretPurpose(place))
    throw badRequest("secret_missing", "Enter the password or the private key of this account.");
  if (auth !== null && auth !== was.auth) throw badRequest("secret_missing", OTHER_STORED[auth]);
  return { ...place, ...rest, auth: was.auth, secret_sealed: was.secret_sealed };
}

/** Turns a folder's fault into the sentence for the admin. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderError) throw conflict(`folder_${error.fault}`, FAULTS[error.fault]);
    throw error;
  }
}

const toReply = (
  folder: Pick<StoredFolder, "state" | "fault" | "polled_at"> & FolderSettings,
): OrderFolder => ({
  kind: folder.kind,
  host: folder.host,
  port: folder.port,
  user: folder.user_name,
  auth: folder.auth,
  host_key: folder.host_key,
  folder_in: folder.folder_in,
  folder_out: folder.folder_out,
  state: folder.state,
  problem: folder.fault === null ? "" : FAULTS[folder.fault],
  polled_at: folder.polled_at?.toISOString() ?? null,
});
