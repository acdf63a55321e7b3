import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { acceptUpload } from "#features/invoices/accept/accept-upload.ts";
import * as contract from "#features/invoices/check/contract.ts";
import { addEqualInvoices, dropCheck, postCheck, readCheck } from "#features/invoices/check/read-check.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

export function checkRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.checkInvoices, async ({ file, query }, call) =>
    acceptUpload(withAudit(ctx, call), currentCompany(call), {
      file,
      uploadedBy: currentUser(call).email,
      mode: query.mode,
      phase: "check",
    }),
  );

  mount(contract.readCheck, async ({ params }, call) =>
    readCheck(ctx, currentCompany(call).realmId, params.upload_id),
  );

  mount(contract.postCheck, async ({ params, query }, call) => {
    const { realmId } = currentCompany(call);
    const requestedBy = currentUser(call).email;
    await postCheck(withAudit(ctx, call), {
      realmId,
      id: params.upload_id,
      revision: query.revision,
      requestedBy,
    });
    return {};
  });

  mount(contract.addEqualInvoices, async ({ params, query }, call) => {
    const { realmId } = currentCompany(call);
    const requestedBy = currentUser(call).email;
    await addEqualInvoices(withAudit(ctx, call), {
      realmId,
      id: params.upload_id,
      revision: query.revision,
      requestedBy,
    });
    return {};
  });

  mount(contract.dropCheck, async ({ params }, call) => {
    await dropCheck(withAudit(ctx, call), currentCompany(call).realmId, params.upload_id);
    return {};
  });
}
