import type { Audited } from "#features/audit/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { noteVoidRefused, promiseVoid } from "#features/shipping/promises.ts";
import { labelsBeingVoided, markVoidAsked, settleVoid, voidAtUps } from "#features/shipping/settle-void.ts";
import {
  findByNumber,
  findShipment,
  findTrackingNumbers,
  type StoredShipment,
} from "#features/shipping/store.ts";
import { lockOrder, releaseInvoices } from "#features/orders/index.ts";
import { isScanned, pollSooner, trackPackage } from "#features/packages/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { AppError, conflict, notFound } from "#platform/errors.ts";

type Which = { poNumber: string; shipment: string; trackingNumber: string | null; by: string };

const normal = (typed: string) => typed.replaceAll(/\s/g, "").toUpperCase();

/**
 * Voids the labels of a purchase at UPS, or one of them, and opens its order again once none is left. What is asked of UPS is
 * stored before: when the answer is lost, a poll settles it by UPS's state, or asks again. Safe to repeat: UPS says of a voided
 * label that it is.
 * @returns numbers of packages that UPS did not void
 * @throws AppError 404 for unknown labels; 409 when UPS refuses, or while another void of the purchase waits; 503 when it does not answer
 */
export async function voidLabels(
  ctx: ShippingCtx & Audited,
  realmId: string,
  { poNumber, shipment: typed, trackingNumber, by }: Which,
): Promise<string[]> {
  const shipment = await findByNumber(ctx.db, realmId, { poNumber, number: normal(typed) });
  if (!shipment) throw unknown();
  if (shipment.state === "voided") return [];
  const numbers = trackingNumber === null ? null : [normal(trackingNumber)];
  const labels = await findTrackingNumbers(ctx.db, realmId, [shipment.id]);
  if (numbers && !labels.some((label) => numbers.includes(label.tracking_number))) throw unknown();
  const id = { realmId, id: shipment.id };
  const asked = { by, at: ctx.clock.now().toISOString(), numbers };
  const isRepeated = await ctx.db.transaction().execute(async (tx) => {
    await lockOrder(tx, realmId, shipment.order_id);
    const waiting = (await findShipment(tx, id))?.void_asked;
    if (waiting && String(waiting.numbers) !== String(numbers)) throw labelsBeingVoided(poNumber);
    await markVoidAsked(tx, id, asked);
    await releaseInvoices(ctx, tx, { realmId, orderId: shipment.order_id });
    return Boolean(waiting);
  });
  await promiseVoid(ctx.journal, { realm: realmId, shipment: shipment.number ?? "", ...asked });
  const { voided, kept } = await askToVoid(ctx, shipment, { ...asked, isRepeated });
  const isSettled = await ctx.db.transaction().execute((tx) => settleVoid(ctx, tx, id, { voided, kept, by }));
  return isSettled ? kept : [];
}

const unknown = () => notFound("We can't find these labels. Reload the page.");

async function askToVoid(
  ctx: ShippingCtx,
  shipment: StoredShipment,
  { numbers, by, isRepeated }: { numbers: string[] | null; by: string; isRepeated: boolean },
): ReturnType<typeof voidAtUps> {
  const { realm_id: realmId, id } = shipment;
  try {
    return await voidAtUps(ctx, shipment, numbers);
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    const [fault] = error.faults;
    const forget = async () => {
      await ctx.db
        .transaction()
        .execute((tx) => settleVoid(ctx, tx, { realmId, id }, { voided: [], kept: numbers, by }));
      await noteVoidRefused(ctx.journal, { realm: realmId, shipment: shipment.number ?? "", numbers });
    };
    if (error.kind === "refused" && fault) {
      await forget();
      const isGone = await wasScanned(ctx, shipment);
      throw conflict(
        "void_refused",
        `UPS says: ${fault.message} (${fault.code}). ${isGone ? "It was scanned: UPS has the package." : "The labels are still valid."}`,
      );
    }
    if (error.kind === "auth") {
      // UPS may have done what an earlier call asked: that waits until the account is connected again.
      if (!isRepeated) await forget();
      throw conflict(
        "ups_not_connected",
        "UPS no longer accepts the connection to your account. Reconnect it in Settings.",
      );
    }
    const labels = await findTrackingNumbers(ctx.db, realmId, [id]);
    const polled = labels.map((label) => label.tracking_number);
    await pollSooner(ctx.db, realmId, { now: ctx.clock.now(), numbers: polled });
    throw new AppError({
      status: 503,
      code: "ups_unavailable",
      detail:
        "UPS didn't answer. We'll find out whether it voided the labels, and ask again if it didn't. History shows the outcome.",
      retryAfterSeconds: 30,
      cause: error,
    });
  }
}

/** A refusal doesn't say why: UPS's tracking may. The next poll records it, so that the refusal stays on the page. */
async function wasScanned(ctx: ShippingCtx, { realm_id: realmId, number }: StoredShipment): Promise<boolean> {
  try {
    const found = await trackPackage(ctx, { realm_id: realmId, number: number ?? "" }, { withProof: false });
    return isScanned(found?.state);
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS didn't say whether a package was scanned");
    return false;
  }
}
