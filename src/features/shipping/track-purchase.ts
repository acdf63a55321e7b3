import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { findHeldNumbers } from "#features/shipping/store-search.ts";
import type { StoredShipment } from "#features/shipping/store.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";
import { DAY_MS } from "#platform/time.ts";

/** Finds packages at UPS with a purchase's own reference. @throws UpsError */
export const trackPurchase = (ctx: ShippingCtx, shipment: StoredShipment): Promise<TrackedPackage[]> =>
  callUps(ctx, shipment.realm_id, (ups, { token, account }) => {
    // Under another account nothing is found, which would say nothing.
    if (account !== shipment.body.shipper.account)
      throw new UpsError({ kind: "refused", message: "The UPS account of this purchase isn't connected" });
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const from = day(shipment.requested_at.getTime() - DAY_MS);
    const scope = { account, from, to: day(ctx.clock.now().getTime() + DAY_MS) };
    return ups.trackReference(token, shipment.reference, scope);
  });

/** Finds those of them that are not voided, and that no purchase here has. @throws UpsError */
export async function findUnknownPackages(
  ctx: ShippingCtx,
  shipment: StoredShipment,
): Promise<TrackedPackage[]> {
  const live = (await trackPurchase(ctx, shipment)).filter(({ state }) => state !== "voided");
  const held = await findHeldNumbers(
    ctx.db,
    live.map(({ trackingNumber }) => trackingNumber),
  );
  return live.filter(({ trackingNumber }) => !held.has(trackingNumber));
}
