import { auditBy, type Audited } from "#features/audit/index.ts";
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
  findShipNotices,
  holdNotice,
  isNotified,
  lockOrder,
  releaseInvoices,
  renewDocuments,
  settleOrder,
  voidCartons,
  findRetailerName,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict } from "#platform/errors.ts";

/** Records what no user does, in the company's audit trail. */
export const auditSystem = (ctx: ShippingCtx, realmId: string) =>
  auditBy(ctx, { userId: null, realmId, requestId: `labels ${ctx.ids.uuid()}` });

/** Tracking numbers of a purchase; null for all of them. */
type Numbers = readonly string[] | null;
/** Labels of a void that UPS voided, and those that it keeps; the others are in doubt. */
export type VoidOutcome = { voided: Numbers; kept: Numbers };

/** Whether a number of a purchase is among some of it. */
export const covers = (numbers: Numbers, number: string): boolean => numbers?.includes(number) ?? true;

/** Records a void that UPS is asked for, until which is settled no notice of its labels leaves, nor their invoice; null for a settled one. */
export async function markVoidAsked(
  tx: Db,
  { realmId, id }: ShipmentId,
  asked: StoredShipment["void_asked"],
): Promise<void> {
  await changeShipment(tx, { realmId, id }, { void_asked: asked && JSON.stringify(asked) });
  await holdNotice(tx, { realmId, shipmentId: id }, { isHeld: asked !== null });
}

export const labelsBeingVoided = (poNumber: string) =>
  conflict(
    "labels_being_voided",
    `The labels of PO # ${poNumber} are being voided. Wait until UPS confirms it.`,
  );

export const labelsVoided = (poNumber: string) =>
  conflict(
    "labels_voided",
    `The labels of PO # ${poNumber} are voided: UPS won't accept them. Make new ones.`,
  );

/**
 * Records that UPS voided labels of a purchase, or keeps them; a void that was asked for waits until that is known of each of its
 * labels. When none is left, its order is open again and its ship notice is withdrawn; else the notice leaves the voided cartons
 * out. The retailer's invoice of voided labels doesn't leave. What is voided is in the trail, whenever UPS confirms it; a void that
 * no user here asked for is mailed too.
 * @param by null for a void at UPS's own page
 * @returns whether the purchase had labels to settle
 */
export async function settleVoid(
  ctx: ShippingCtx & Partial<Audited>,
  tx: Db,
  id: ShipmentId,
  { voided, kept, by }: VoidOutcome & { by: string | null },
): Promise<boolean> {
  const found = await findShipment(tx, id);
  if (!found) return false;
  const order = await lockOrder(tx, id.realmId, found.order_id);
  const shipment = await findShipment(tx, id);
  if (shipment?.state !== "made") return false;
  const now = ctx.clock.now();
  const live = (await findTrackingNumbers(tx, id.realmId, [id.id]))
    .filter((label) => label.voided_at === null)
    .map((label) => label.tracking_number);
  const newlyVoided = live.filter((number) => covers(voided, number));
  const good = live.filter((number) => !newlyVoided.includes(number));
  const { void_asked: waiting } = shipment;
  if (waiting && !good.some((number) => covers(waiting.numbers, number) && !covers(kept, number))) {
    await markVoidAsked(tx, id, null);
    await releaseInvoices(ctx, tx, { realmId: id.realmId, orderId: order.id });
  }
  await publishShipments(tx, id.realmId);
  if (newlyVoided.length === 0) return true;
  const [notice] = await findShipNotices(tx, id.realmId, [id.id]);
  await markVoided(tx, id, { numbers: newlyVoided, now });
  await voidCartons(tx, id.realmId, { shipmentId: id.id, numbers: new Set(newlyVoided) });
  const isFullyVoided = good.length === 0;
  await changeShipment(tx, id, { ...(isFullyVoided && { state: "voided" }), voided_at: now, voided_by: by });
  await renewDocuments(ctx, tx, order, id.id);
  // Labels that are being made for another part settle the order once they are.
  if (order.state !== "labelling") await settleOrder(ctx, tx, order);
  const { audit = auditSystem(ctx, id.realmId).audit } = ctx;
  await audit(tx, {
    action: by === null ? "labels.voided_at_ups" : "labels.void",
    after: {
      po_number: order.po_number,
      shipment: shipment.number,
      voided: newlyVoided.join(", "),
      kept: good.length,
      ...(by !== null && { by }),
    },
  });
  if (by !== null) return true;
  await notifyContacts(ctx, tx, order, {
    numbers: newlyVoided,
    change: isNotified(notice) ? "voided_after_notice" : good.length > 0 ? "partly_voided" : "voided",
  });
  return true;
}

/** @param numbers to void @throws UpsError */
export async function voidAtUps(
  ctx: ShippingCtx,
  { realm_id: realmId, number }: StoredShipment,
  numbers: Numbers,
): Promise<{ voided: Numbers; kept: string[] }> {
  const answer = await callUps(ctx, realmId, (ups, { token }) =>
    ups.voidShipment(token, number ?? "", numbers ?? undefined),
  );
  // UPS may answer without the packages when it voided all of them.
  if (answer.state === "voided" && numbers === null) return { voided: null, kept: [] };
  const pick = (isVoided: boolean) =>
    answer.packages.filter((pkg) => pkg.isVoided === isVoided).map((pkg) => pkg.trackingNumber);
  return { voided: pick(true), kept: pick(false) };
}

type Change = "voided" | "voided_after_notice" | "partly_voided" | "given_up" | "doubled";

/** Mails what happened to labels without a user's doing. */
export async function notifyContacts(
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
