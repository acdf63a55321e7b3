import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { answerUnresolved } from "#features/invoices/post/answer-unresolved.ts";
import { cancelUpload } from "#features/invoices/post/cancel-upload.ts";
import * as contract from "#features/invoices/post/contract.ts";
import type { Mount } from "#platform/http/mount.ts";

export function answerRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.cancelUpload, ({ params }, call) =>
    cancelUpload(withAudit(ctx, call), currentCompany(call).realmId, {
      uploadId: params.upload_id,
      by: currentUser(call).email,
    }),
  );
  mount(contract.answerUnresolved, ({ params, body }, call) =>
    answerUnresolved(withAudit(ctx, call), currentCompany(call).realmId, {
      uploadId: params.upload_id,
      seq: params.seq,
      isInBooks: body.is_in_books,
      requestedBy: currentUser(call).email,
    }),
  );
}
