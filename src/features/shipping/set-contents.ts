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
 * Records the contents of each carton, voided ones too, of labels that were made without contents. From then on packing slips list
 * them, the ship notice can be sent, and the contents of voided cartons are left to ship.
 * @throws AppError 404 for unknown labels; 409 if the contents are known, or all labels are voided; 400 if they differ from what was shipped
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
    const contents = cartons.map((carton) => mergePieces(carton.contents));
    const packed = shipment.cartons.map((carton, at) => ({ ...carton, contents: contents[at] ?? [] }));
    await changeShipment(tx, id, { cartons: toJson(packed) });
    await fillCartons(tx, id.realmId, { shipmentId: id.id, contents });
    await renewDocuments(ctx, tx, order, id.id);
    // While labels are being made for another part, that purchase settles the order when it ends.
    if (order.state !== "labelling") await settleOrder(ctx, tx, order);
    await ctx.audit(tx, {
      action: "labels.contents",
      after: { po_number: shipment.po_number, cartons: cartons.length, shipment_id: id.id },
    });
  });
}
