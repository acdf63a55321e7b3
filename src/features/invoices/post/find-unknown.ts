import { findInBooks } from "#features/invoices/post/find-in-books.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { leaveClaimed } from "#features/invoices/post/store-claims.ts";
import { findUnknown, settleUnknown } from "#features/invoices/post/store-unknown.ts";

/** Invoices of unknown end are looked for this far back, and this many of them: each is a call. */
const LOOK_BACK_MS = 30 * 24 * 3_600_000;
const MOST = 200;

/**
 * Looks once in the books for the invoices of a company of which QuickBooks never told whether they were stored, and
 * settles as posted those that are surely there. Before an upload is checked, so that nothing of it is sent twice.
 */
export async function findUnknownInvoices(ctx: InvoicesCtx, realmId: string): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - LOOK_BACK_MS);
  for (const { uploadId, invoice } of await findUnknown(ctx.db, realmId, { since, limit: MOST })) {
    const upload = { realmId, id: uploadId };
    const settlement = await findInBooks(ctx, upload, invoice);
    if (settlement?.state !== "posted") continue;
    const now = ctx.clock.now();
    await withSummary(ctx, upload, async (tx) => {
      const [free] = await leaveClaimed(tx, upload, [settlement]);
      if (free?.state === "posted") await settleUnknown(tx, upload, { settlement, now });
    });
  }
}
