import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import * as contract from "#features/invoices/undo/contract.ts";
import { readUndo } from "#features/invoices/undo/read-undo.ts";
import { startUndo } from "#features/invoices/undo/start-undo.ts";

export function undoRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.previewUndo, async ({ params }, call) =>
    readUndo(ctx, currentCompany(call).realmId, params.upload_id),
  );

  mount(contract.startUndo, async ({ params, body }, call) => ({
    run: await startUndo(withAudit(ctx, call), currentCompany(call), {
      uploadId: params.upload_id,
      action: body.action,
      requestedBy: currentUser(call).email,
    }),
  }));
}
