import type { Audited } from "#features/audit/index.ts";
import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
import { recoverMade } from "#features/labels/carrier/ship-operation.ts";
import { saveMade } from "#features/labels/carrier/ship-run.ts";
import {
  changeShipment,
  findKnownNumbers,
  findShipment,
  type ShipmentId,
} from "#features/labels/carrier/store.ts";
import { lockOrder, reopenOrder } from "#features/orders/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { Shipment } from "#integrations/ups/shipment.ts";
import { AppError, badRequest, conflict, notFound } from "#platform/errors.ts";

type Answer = { answer: "create_again" | "tracking_number"; trackingNumber: string };

/**
 * Settles a purchase of which neither UPS's answer nor any search shows the outcome, as a user says: the order is open again,
 * or its labels are those of a tracking number, which UPS must give.
 * @throws AppError 404 for an unknown purchase; 409 for one that is settled; 400 for a number without labels of this order
 */
export async function answerShipment(
  ctx: ShippingCtx & Audited,
  id: ShipmentId,
  { answer, trackingNumber }: Answer,
): Promise<void> {
  const found = await findShipment(ctx.db, id);
  if (!found) throw notFound("This company has no such labels. Reload the page.");
  if (found.state !== "asked") throw settled();
  const made = answer === "tracking_number" ? await readMade(ctx, found, trackingNumber) : null;
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, id.realmId, found.order_id);
    const shipment = await findShipment(tx, id);
    if (shipment?.state !== "asked") throw settled();
    await ctx.audit(tx, {
      action: "labels.ship_answer",
      after: { po_number: shipment.po_number, answer, shipment: made?.number ?? "" },
    });
    if (!made) {
      await changeShipment(tx, id, {
        state: "failed",
        cause: JSON.stringify({ code: "abandoned", params: {}, tid: null }),
      });
      await reopenOrder(ctx, tx, order);
      return;
    }
    await saveMade(ctx, tx, shipment, made);
  });
}

const settled = () => conflict("labels_settled", "This was answered already. Reload the page.");

async function readMade(
  ctx: ShippingCtx,
  { realm_id: realmId, body }: { realm_id: string; body: Pick<Shipment, "label"> },
  typed: string,
) {
  const number = typed.replaceAll(/\s/g, "").toUpperCase();
  if (!/^1Z[0-9A-Z]{16}$/.test(number))
    throw badRequest(
      "invalid_tracking_number",
      "A UPS tracking number has 1Z and 16 letters or digits behind it.",
    );
  try {
    const made = await callUps(ctx, realmId, (ups, { token }) => recoverMade(ups, token, number, body.label));
    if (!made) throw badRequest("no_labels", `UPS has no labels for ${number} that can be used.`);
    const known = await findKnownNumbers(
      ctx.db,
      realmId,
      made.labels.map((label) => label.trackingNumber),
    );
    if (known.size > 0)
      throw conflict("labels_known", `The labels of ${number} are in your history already.`);
    return made;
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    const [fault] = error.faults;
    throw new AppError({
      status: fault ? 409 : 503,
      code: fault ? "ups_refused" : "ups_unavailable",
      detail: fault
        ? `UPS says: ${fault.message} (${fault.code}).`
        : "UPS isn't answering. Try again in a few minutes.",
      cause: error,
    });
  }
}
