import { findLink } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { findMadeAt } from "#features/shipping/rules-ours.ts";
import { listLivePurchases } from "#features/shipping/store-search.ts";
import { findUnknownPackages } from "#features/shipping/track-purchase.ts";
import { DAY_MS } from "#platform/time.ts";

const SPAN_MS = 30 * DAY_MS;
/** UPS is asked about one in this many live purchases a day, and about others the next day. */
const PER_CALL = 50;

/**
 * Compares live purchases of the last 30 days with UPS by their own references: UPS may have labels that no purchase here has.
 * @throws UpsError
 */
export async function compareLabels(ctx: ShippingCtx, realmId: string) {
  if (!(await findLink(ctx.db, realmId))) return null;
  const now = ctx.clock.now().getTime();
  const live = await listLivePurchases(ctx.db, realmId, new Date(now - SPAN_MS));
  const calls = Math.ceil(live.length / PER_CALL);
  const first = (Math.floor(now / DAY_MS) * calls) % Math.max(1, live.length);
  const compared = [...live.slice(first), ...live.slice(0, first)].slice(0, calls);
  const differences = [];
  for (const shipment of compared) {
    const packages = await findUnknownPackages(ctx, shipment);
    if (packages.length === 0) continue;
    const madeAt = findMadeAt({ packages });
    differences.push({
      subject: shipment.id,
      code: "unknown_at_ups",
      params: {
        po: shipment.po_number,
        numbers: packages.map(({ trackingNumber }) => trackingNumber).join(", "),
      },
      // The search at the end of the purchase mailed what UPS had then.
      isMailed: madeAt !== null && shipment.searched_at !== null && madeAt <= shipment.searched_at,
    });
  }
  return { subjects: compared.map(({ id }) => id), differences };
}
