import { isForInvoice } from "#features/packages/rules-states.ts";
import { changePackage, lockPackage, type PackageId, type StoredPackage } from "#features/packages/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { publishChange } from "#platform/events/change-feed.ts";

/**
 * Stores what UPS says of a package, in an answer or in an event. Notes whether its invoices and its label's purchase must be
 * compared with it.
 * @param read derives what changes; null for nothing. It isn't called for a package that isn't followed any more.
 * @returns whether something changed that an invoice may need
 */
export const savePackage = (
  { db, clock }: Pick<Ctx, "db" | "clock">,
  id: PackageId,
  read: (known: StoredPackage) => Partial<StoredPackage> | null,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const known = await lockPackage(tx, id);
    const change = known?.next_poll_at ? read(known) : null;
    if (!known || !change) return false;
    const next = { ...known, ...change };
    const isNewState = next.state !== known.state;
    const isFirstScan = known.scanned_at === null && next.scanned_at !== null;
    const invoiceChanged = known.of_invoice && isForInvoice(known, next);
    const labelChanged = known.of_label && (isFirstScan || (isNewState && next.state === "voided"));
    await changePackage(tx, id, {
      ...change,
      ...(isNewState && { state_at: clock.now() }),
      ...(invoiceChanged && { invoice_changed: true }),
      ...(labelChanged && { label_changed: true }),
    });
    // If the package's invoices are compared with it, the page is notified after that.
    if (known.of_invoice && !invoiceChanged)
      await publishChange(tx, { realmId: id.realm_id, kind: "tracking" });
    if (known.of_label && (isNewState || isFirstScan))
      await publishChange(tx, { realmId: id.realm_id, kind: "orders" });
    return invoiceChanged;
  });
