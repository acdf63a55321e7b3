import {
  currentActor,
  currentCompany,
  currentUser,
  withAudit,
  type Caller,
} from "#features/companies/index.ts";
import { acceptUpload } from "#features/invoices/accept/accept-upload.ts";
import * as contract from "#features/invoices/check/contract.ts";
import { readCheck } from "#features/invoices/check/read-check.ts";
import { allowDuplicates, checkAgain, dropCheck, postCheck } from "#features/invoices/check/change-check.ts";
import {
  listCheckErrors,
  listCheckInvoices,
  readCheckInvoice,
} from "#features/invoices/check/list-invoices.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

export function checkRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.checkInvoices, async ({ file, query }, call) =>
    acceptUpload(withAudit(ctx, call), currentCompany(call), {
      file,
      uploadedBy: currentActor(call),
      mode: query.mode,
      stage: "checking",
      fixes: query.fixes ?? null,
    }),
  );

  mount(contract.readCheck, async ({ params }, call) =>
    readCheck(ctx, currentCompany(call).realmId, params.upload_id),
  );

  mount(contract.listCheckInvoices, async ({ params }, call) =>
    listCheckInvoices(ctx, uploadFrom(call, params)),
  );

  mount(contract.readCheckInvoice, async ({ params }, call) =>
    readCheckInvoice(ctx, uploadFrom(call, params), params.seq),
  );

  mount(contract.listCheckErrors, async ({ params, query }, call) =>
    listCheckErrors(ctx, uploadFrom(call, params), query),
  );

  mount(contract.checkAgain, (input, call) =>
    checkAgain(withAudit(ctx, call), seenBy(call, input), input.body),
  );

  mount(contract.postCheck, (input, call) => postCheck(withAudit(ctx, call), seenBy(call, input)));

  mount(contract.allowDuplicates, (input, call) =>
    allowDuplicates(withAudit(ctx, call), seenBy(call, input)),
  );

  mount(contract.dropCheck, ({ params }, call) =>
    dropCheck(withAudit(ctx, call), currentCompany(call).realmId, params.upload_id),
  );
}

const uploadFrom = (call: { caller: Caller }, { upload_id: id }: { upload_id: string }) => ({
  realmId: currentCompany(call).realmId,
  id,
});

type Seen = { params: { upload_id: string }; query: { revision: number } };

/** The check as the user saw it, and the user. */
const seenBy = (call: { caller: Caller }, { params, query }: Seen) => ({
  realmId: currentCompany(call).realmId,
  id: params.upload_id,
  revision: query.revision,
  requestedBy: currentUser(call).email,
});
