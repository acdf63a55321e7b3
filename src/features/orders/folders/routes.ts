import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import {
  readFolder,
  readServerKey,
  removeFolder,
  saveFolder,
} from "#features/orders/folders/change-folder.ts";
import * as contract from "#features/orders/folders/contract.ts";
import type { FoldersCtx } from "#features/orders/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

/** The folder from which a company's orders are fetched, for its admin. */
export function folderRoutes(mount: Mount<Caller>, ctx: FoldersCtx): void {
  mount(contract.readFolder, (_input, call) => readFolder(ctx, currentCompany(call)));

  mount(contract.readServerKey, ({ body }) => readServerKey(ctx, body));

  mount(contract.saveFolder, ({ body }, call) =>
    saveFolder(
      withAudit(ctx, call),
      { realmId: currentCompany(call).realmId, by: currentUser(call).email },
      body,
    ),
  );

  mount(contract.removeFolder, (_input, call) => removeFolder(withAudit(ctx, call), currentCompany(call)));
}
