import type { Audited } from "#features/audit/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { changeShipment, findShipment, type ShipmentId } from "#features/shipping/store.ts";
import { listText, lockOrder, mergePieces, nameContents, type Pieces } from "#features/orders/index.ts";
import { toJson } from "#platform/db/json.ts";
import { badRequest, conflict, notFound } from "#platform/errors.ts";

/**
 * Says what is in each carton of labels that were made without it: packing slips name it from then on, and the ship notice may
 * leave.
 * @throws AppError 404 for unknown labels; 409 if it is known, or a carton was voided; 400 for contents that aren't what was shipped
 */
export async function setContents(
  ctx: ShippingCtx & Audited,
  id: ShipmentId,
  cartons: readonly { contents: readonly Pieces[] }[],
): Promise<void> {
  const found = await findShipment(ctx.db, id);
  if (!found) throw notFound("We can't find these labels. Reload the page.");
  await ctx.db.transaction().execute(async (tx) => {
    await lockOrder(tx, id.realmId, found.order_id);
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
    await nameContents(tx, id.realmId, { shipmentId: id.id, contents });
    await ctx.audit(tx, {
      action: "labels.contents",
      after: { po_number: shipment.po_number, cartons: cartons.length, shipment_id: id.id },
    });
  });
}
