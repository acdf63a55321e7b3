import type { Audited } from "#features/audit/index.ts";
import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
import {
  changeShipment,
  findByNumber,
  findTrackingNumbers,
  markVoided,
  publishShipments,
} from "#features/labels/carrier/store.ts";
import { dropCartons, lockOrder, reopenOrder, withdrawShipNotice } from "#features/orders/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { VoidAnswer } from "#integrations/ups/void-shipment.ts";
import { AppError, conflict, notFound } from "#platform/errors.ts";

type Which = { poNumber: string; shipment: string; by: string };

/**
 * Voids the labels of a purchase at UPS and opens its order again. Safe to repeat, also after a lost answer: UPS says of a
 * voided label that it is.
 * @returns numbers of packages that UPS did not void
 * @throws AppError 404 for unknown labels; 409 when UPS refuses; 503 when it does not answer
 */
export async function voidLabels(
  ctx: ShippingCtx & Audited,
  realmId: string,
  { poNumber, shipment: typed, by }: Which,
): Promise<string[]> {
  const number = typed.replaceAll(/\s/g, "").toUpperCase();
  const shipment = await findByNumber(ctx.db, realmId, { poNumber, number });
  if (!shipment) throw notFound("This company has no such labels. Reload the page.");
  if (shipment.state === "voided") return [];
  const numbers = (await findTrackingNumbers(ctx.db, realmId, [shipment.id])).map(
    (one) => one.tracking_number,
  );
  const answer = await askUps(ctx, realmId, number);
  const voided = new Set(answer.packages.filter((one) => one.isVoided).map((one) => one.trackingNumber));
  // UPS may answer without the packages when it voided all of them.
  const kept = answer.state === "voided" ? [] : numbers.filter((one) => !voided.has(one));
  const now = ctx.clock.now();
  const id = { realmId, id: shipment.id };
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, shipment.order_id);
    const current = await findByNumber(tx, realmId, { poNumber, number });
    if (current?.state !== "made") return;
    await markVoided(tx, id, { numbers: kept.length === 0 ? null : [...voided], now });
    await ctx.audit(tx, {
      action: "labels.void",
      after: { po_number: poNumber, shipment: number, kept: kept.length },
    });
    await publishShipments(tx, realmId);
    if (kept.length > 0) return dropCartons(tx, realmId, { shipmentId: shipment.id, numbers: voided });
    await changeShipment(tx, id, { state: "voided", voided_at: now, voided_by: by });
    await reopenOrder(ctx, tx, order);
    await withdrawShipNotice(tx, realmId, shipment.id, now);
  });
  return kept;
}

async function askUps(ctx: ShippingCtx, realmId: string, number: string): Promise<VoidAnswer> {
  try {
    return await callUps(ctx, realmId, (ups, { token }) => ups.voidShipment(token, number));
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    const [fault] = error.faults;
    if (error.kind === "refused" && fault)
      throw conflict(
        "void_refused",
        `UPS says: ${fault.message} (${fault.code}). The labels are still good.`,
      );
    if (error.kind === "auth")
      throw conflict(
        "ups_not_connected",
        "UPS doesn't accept your UPS account anymore. Connect it again in Settings.",
      );
    throw new AppError({
      status: 503,
      code: "ups_unavailable",
      detail: "UPS didn't answer. Void the labels again in a minute: voiding twice is harmless.",
      retryAfterSeconds: 30,
      cause: error,
    });
  }
}
