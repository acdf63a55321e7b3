import { currentCompany, type Caller } from "#features/companies/index.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import * as contract from "#features/invoices/receipt/contract.ts";
import { readReceipt } from "#features/invoices/receipt/read-receipt.ts";

export function receiptRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.readReceipt, async ({ params, query }, call) =>
    readReceipt(ctx, currentCompany(call), { uploadId: params.upload_id, ...query }),
  );
}
