import { auditBy } from "#features/audit/index.ts";
import { callUps } from "#features/carrier/index.ts";
import { findContacts } from "#features/companies/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import {
  changeShipment,
  findShipment,
  findTrackingNumbers,
  markVoided,
  publishShipments,
  type ShipmentId,
  type StoredShipment,
} from "#features/shipping/store.ts";
import {
  dropCartons,
  findShipNotices,
  holdNotice,
  isNotified,
  lockOrder,
  settleOrder,
  voidCartons,
  withdrawShipNotice,
  findRetailerName,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";

/** Records what no user does, in the company's audit trail. */
export const auditSystem = (ctx: ShippingCtx, realmId: string) =>
  auditBy(ctx, { userId: null, realmId, requestId: `labels ${ctx.ids.uuid()}` });

/** Records a void that UPS is asked for, until which is settled no notice of its labels leaves; null for a settled one. */
export async function markVoidAsked(
  tx: Db,
  { realmId, id }: ShipmentId,
  asked: NonNullable<StoredShipment["void_asked"]> | null,
): Promise<void> {
  await changeShipment(tx, { realmId, id }, { void_asked: asked && JSON.stringify(asked) });
  await holdNotice(tx, { realmId, shipmentId: id }, asked !== null);
}

/**
 * Records that UPS voided labels of a purchase. When none is left, its order is open again and its ship notice is withdrawn;
 * else the notice leaves the voided cartons out. A void that no user here asked for is in the trail and mailed.
 * @param voided numbers that UPS voided; null for all of the purchase
 * @param by null for a void at UPS's own page
 * @returns numbers that are still good; null if nothing changed
 */
export async function settleVoid(
  ctx: ShippingCtx,
  tx: Db,
  id: ShipmentId,
  { voided, by }: { voided: readonly string[] | null; by: string | null },
): Promise<string[] | null> {
  const found = await findShipment(tx, id);
  if (!found) return null;
  const order = await lockOrder(tx, id.realmId, found.order_id);
  const shipment = await findShipment(tx, id);
  if (shipment?.state !== "made") return null;
  const now = ctx.clock.now();
  const live = (await findTrackingNumbers(tx, id.realmId, [id.id]))
    .filter((label) => label.voided_at === null)
    .map((label) => label.tracking_number);
  const gone = voided === null ? live : live.filter((number) => voided.includes(number));
  const kept = live.filter((number) => !gone.includes(number));
  await markVoidAsked(tx, id, null);
  await publishShipments(tx, id.realmId);
  if (gone.length === 0) return kept;
  const [notice] = await findShipNotices(tx, id.realmId, [id.id]);
  await markVoided(tx, id, { numbers: gone, now });
  const cartons = { shipmentId: id.id, numbers: new Set(gone) };
  await voidCartons(tx, id.realmId, cartons);
  const isOver = kept.length === 0;
  await changeShipment(tx, id, { ...(isOver && { state: "voided" }), voided_at: now, voided_by: by });
  if (!isOver) await dropCartons(tx, id.realmId, cartons);
  else await withdrawShipNotice(tx, id.realmId, id.id, now);
  await settleOrder(ctx, tx, order);
  if (by !== null) return kept;
  await auditSystem(ctx, id.realmId).audit(tx, {
    action: "labels.voided_at_ups",
    after: {
      po_number: order.po_number,
      shipment: shipment.number,
      voided: gone.join(", "),
      kept: kept.length,
    },
  });
  await tellContacts(ctx, tx, order, {
    numbers: gone,
    change: isNotified(notice) ? "voided_after_notice" : kept.length > 0 ? "partly_voided" : "voided",
  });
  return kept;
}

/** @returns numbers that UPS voided, null for all. @throws UpsError */
export async function voidAtUps(
  ctx: ShippingCtx,
  { realm_id: realmId, number }: StoredShipment,
  numbers: readonly string[] | null,
): Promise<string[] | null> {
  const answer = await callUps(ctx, realmId, (ups, { token }) =>
    ups.voidShipment(token, number ?? "", numbers ?? undefined),
  );
  // UPS may answer without the packages when it voided all of them.
  if (answer.state === "voided" && numbers === null) return null;
  return answer.packages.filter((pkg) => pkg.isVoided).map((pkg) => pkg.trackingNumber);
}

type Change = "voided" | "voided_after_notice" | "partly_voided" | "given_up" | "doubled";

/** Mails what happened to labels without a user's doing. */
export async function tellContacts(
  ctx: ShippingCtx,
  tx: Db,
  { realm_id: realmId, partner, po_number: po }: StoredOrder,
  about: { numbers: readonly string[]; change: Change },
): Promise<void> {
  const { company, recipients } = await findContacts(tx, realmId);
  const params = { company, retailer: findRetailerName(ctx, partner), po, ...about };
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "ups_labels_changed", realmId, recipient, params });
}
