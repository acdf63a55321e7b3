import type { Audited } from "#features/audit/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { changeShipment, findShipment, type ShipmentId } from "#features/shipping/store.ts";
import {
  fillCartons,
  listText,
  lockOrder,
  mergePieces,
  renewDocuments,
  settleOrder,
  type Pieces,
} from "#features/orders/index.ts";
import { toJson } from "#platform/db/json.ts";
import { badRequest, conflict, notFound } from "#platform/errors.ts";

/**
 * Says what is in each carton of labels that were made without it, voided ones too: packing slips name it from then on, the ship
 * notice may leave, and what a voided carton held is left to ship.
 * @throws AppError 404 for unknown labels; 409 if it is known, or all are voided; 400 for contents that aren't what was shipped
 */
export async function setContents(
  ctx: ShippingCtx & Audited,
  id: ShipmentId,
  cartons: readonly { contents: readonly Pieces[] }[],
): Promise<void> {
  const found = await findShipment(ctx.db, id);
  if (!found) throw notFound("We can't find these labels. Reload the page.");
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, id.realmId, found.order_id);
    const shipment = await findShipment(tx, id);
    if (shipment?.state !== "made" || shipment.cartons.every(({ contents }) => contents !== undefined))
      throw conflict("contents_known", "These cartons already have contents. Reload the page.");
    const given = mergePieces(cartons.flatMap(({ contents }) => contents));
    const isSame =
      given.length === shipment.lines.length &&
      shipment.lines.every(({ line, quantity }) =>
        given.some((piece) => piece.line === line && Number(piece.quantity) === Number(quantity)),
      );
    if (cartons.length !== shipment.cartons.length || !isSame)
      throw badRequest(
        "contents_differ",
        `The labels are for ${shipment.cartons.length} cartons with ${listText(shipment.lines)}. You entered ${cartons.length} with ${listText(given)}.`,
      );
    const contents = cartons.map((carton) => [...carton.contents]);
    const packed = shipment.cartons.map((carton, at) => ({ ...carton, contents: contents[at] ?? [] }));
    await changeShipment(tx, id, { cartons: toJson(packed) });
    await fillCartons(tx, id.realmId, { shipmentId: id.id, contents });
    await renewDocuments(ctx, tx, order, id.id);
    // Labels that are being made for another part settle the order once they are.
    if (order.state !== "labelling") await settleOrder(ctx, tx, order);
    await ctx.audit(tx, {
      action: "labels.contents",
      after: { po_number: shipment.po_number, cartons: cartons.length, shipment_id: id.id },
    });
  });
}
