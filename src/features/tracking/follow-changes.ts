import { addEvent } from "#features/programs/index.ts";
import { takeInvoiceChanges } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { lockFollowed } from "#features/tracking/store.ts";
import { listInvoiceNumbers, markInvoicesDirty } from "#features/tracking/store-packages.ts";
import { addProofs } from "#features/tracking/store-proofs.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * Marks the invoices of packages that changed for another comparison, and starts the proofs of those that were delivered, each
 * with an event for the company's webhooks.
 */
export const followChanges = (
  ctx: TrackingCtx,
  realmId: string,
  fenced: (write: (tx: Db) => Promise<void>) => Promise<void>,
): Promise<void> =>
  fenced(async (tx) => {
    await lockFollowed(tx, realmId);
    const changed = await takeInvoiceChanges(tx, realmId);
    const numbersIn = (of: typeof changed) => of.map(({ number }) => number);
    await markInvoicesDirty(tx, realmId, numbersIn(changed));
    const delivered = numbersIn(changed.filter(({ state }) => state === "delivered"));
    for (const number of await addProofs(tx, realmId, { numbers: delivered, now: ctx.clock.now() })) {
      const invoice_numbers = await listInvoiceNumbers(tx, realmId, number);
      const data = { tracking_number: number, invoice_numbers };
      await addEvent(ctx, tx, { realmId, event: "package.delivered", data });
    }
  });
