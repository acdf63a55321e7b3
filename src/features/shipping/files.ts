import type { Audited } from "#features/audit/index.ts";
import { serviceFor } from "#features/shipping/build-shipment.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { serviceName } from "#integrations/ups/service-names.ts";
import { labelsBeingVoided, labelsVoided } from "#features/shipping/settle-void.ts";
import { readSettings } from "#features/shipping/settings.ts";
import {
  countPrint,
  findByFile,
  findLabels,
  findShipments,
  type StoredLabel,
  type StoredShipment,
} from "#features/shipping/store.ts";
import { readFontFile } from "#platform/fonts.ts";
import {
  findOrderBySlip,
  findOrders,
  findPartner,
  listLiveCartons,
  listOpen,
  listOrderShipments,
  nameRetailer,
  readLineStates,
  writeSlip,
  type Pieces,
  type StoredOrder,
} from "#features/orders/index.ts";
import { writeLabelPages } from "#formats/carrier-label/write-label-pages.ts";
import { mergeFiles } from "#formats/pdf/merge-files.ts";
import { conflict, notFound } from "#platform/errors.ts";

export type LabelFile = { bytes: Buffer; format: "pdf" | "zpl" };

const unknown = () => notFound("We can't find this file. Reload the page.");

/** Stored labels by the name that users see. @throws AppError 404 for a name of no file of the company; 409 for voided labels */
export async function readLabelFile(ctx: ShippingCtx, realmId: string, name: string): Promise<LabelFile> {
  const shipment = await findByFile(ctx.db, realmId, name);
  if (!shipment) throw unknown();
  refuseVoided([shipment]);
  const labels = await findGood(ctx, realmId, [shipment.id]);
  await countPrint(ctx.db, realmId, [shipment.id]);
  return writeLabels(labels);
}

/** @throws AppError 409 for labels that UPS doesn't take, or soon won't */
function refuseVoided(shipments: readonly StoredShipment[]): void {
  const shipment = shipments.find(({ state, void_asked: asked }) => state === "voided" || asked !== null);
  if (!shipment) return;
  if (shipment.state !== "voided") throw labelsBeingVoided(shipment.po_number);
  throw labelsVoided(shipment.po_number);
}

const findGood = async (ctx: ShippingCtx, realmId: string, ids: readonly string[]) =>
  (await findLabels(ctx.db, realmId, ids)).filter((label) => label.voided_at === null);

/** Labels of a purchase, for support; this doesn't count as a print. @throws AppError 404 for a purchase without labels */
export async function readShipmentLabels(ctx: ShippingCtx, realmId: string, id: string): Promise<LabelFile> {
  const labels = await findLabels(ctx.db, realmId, [id]);
  if (labels.length === 0) throw unknown();
  return writeLabels(labels);
}

/**
 * Labels of several purchases in one file, in the order asked, each with the packing slips of its order if `slips` is true.
 * @throws AppError 404 for an unknown purchase; 409 for one without labels, with voided ones, or for slips with ZPL labels
 */
export async function printLabels(
  ctx: ShippingCtx & Audited,
  realmId: string,
  { ids, slips }: { ids: readonly string[]; slips: boolean },
): Promise<LabelFile> {
  const shipments = await findShipments(ctx.db, realmId, ids);
  if (shipments.length !== new Set(ids).size) throw unknown();
  if (shipments.some(({ number }) => number === null))
    throw conflict("no_labels", "Some of these orders have no labels. Reload the page.");
  refuseVoided(shipments);
  const labels = await findGood(ctx, realmId, ids);
  const pickOwn = (id: string) => labels.filter((label) => label.shipment_id === id);
  const file = slips
    ? await writeWithSlips(ctx, realmId, shipments, ids.map(pickOwn))
    : writeLabels(ids.flatMap(pickOwn));
  await ctx.db.transaction().execute(async (tx) => {
    await countPrint(tx, realmId, ids);
    await ctx.audit(tx, {
      action: "labels.ship_print",
      after: { labels: labels.length, orders: ids.length },
    });
  });
  return file;
}

/** @param labels of each purchase, in the order to print */
async function writeWithSlips(
  ctx: ShippingCtx,
  realmId: string,
  shipments: readonly StoredShipment[],
  labels: readonly (readonly StoredLabel[])[],
): Promise<LabelFile> {
  if (labels.flat().some(({ format }) => format === "ZPL"))
    throw conflict(
      "mixed_formats",
      "Labels in ZPL and packing slips can't be one file. Print the labels, then download the packing slips.",
    );
  const orders = await findOrders(
    ctx.db,
    realmId,
    shipments.map(({ order_id }) => order_id),
  );
  const files: Buffer[] = [];
  for (const own of labels) {
    const shipment = shipments.find(({ id }) => id === own[0]?.shipment_id);
    const order = orders.find(({ id }) => id === shipment?.order_id);
    const slip = order && shipment && (await writeOrderSlip(ctx, order, shipment));
    files.push(writeLabels(own).bytes, ...(slip ? [slip] : []));
  }
  return { bytes: await mergeFiles(files, "UPS labels and packing slips"), format: "pdf" };
}

/** ZPL goes to thermal printers as UPS made it; a file that mixes both is not made. */
function writeLabels(labels: readonly StoredLabel[]): LabelFile {
  const zpl = labels.filter(({ format }) => format === "ZPL");
  if (zpl.length === 0) {
    const pages = writeLabelPages(
      labels.map(({ bytes }) => bytes),
      "UPS labels",
    );
    return { bytes: Buffer.concat([...pages]), format: "pdf" };
  }
  if (zpl.length < labels.length)
    throw conflict(
      "mixed_formats",
      "Some of these labels are pictures and some are ZPL. Print them one by one.",
    );
  return { bytes: Buffer.concat(zpl.map(({ bytes }) => bytes)), format: "zpl" };
}

/**
 * Packing slip by the name that users see. Its cartons are those of some labels, by default of the latest that aren't voided; without
 * any, it has what is left to ship.
 * @throws AppError 404 for an unknown name, or for labels that aren't the order's
 */
export async function readPackingSlip(
  ctx: ShippingCtx,
  realmId: string,
  { name, shipmentId }: { name: string; shipmentId: string | undefined },
): Promise<Buffer> {
  const order = await findOrderBySlip(ctx.db, realmId, name);
  const [shipment] = shipmentId === undefined ? [] : await findShipments(ctx.db, realmId, [shipmentId]);
  if (shipmentId !== undefined && shipment?.order_id !== order?.id) throw unknown();
  const slip = order && (await writeOrderSlip(ctx, order, shipment));
  if (!slip) throw unknown();
  return slip;
}

/**
 * Writes the packing slips of an order, one for each carton that isn't voided; undefined if its retailer is no longer known.
 * @param of the purchase whose cartons they go into; the latest that isn't voided by default
 */
export async function writeOrderSlip(
  ctx: ShippingCtx,
  order: StoredOrder,
  of?: StoredShipment,
): Promise<Buffer | undefined> {
  const { realm_id: realmId, content } = order;
  const partner = findPartner(ctx.partners, order.partner);
  if (!partner) return undefined;
  const shipments = await listOrderShipments(ctx.db, realmId, [order.id]);
  const shipment = shipments.findLast(({ shipmentId, isVoided }) => (of ? shipmentId === of.id : !isVoided));
  const cartons = shipment ? listLiveCartons(shipment).map(({ contents }) => contents) : [];
  const lines = shipment?.lines ?? (await listLeft(ctx, order));
  const method = serviceName(shipment?.service ?? serviceFor(partner, content));
  const { slip_paper: paper } = await readSettings(ctx, realmId, partner);
  return writeSlip(
    { order: content, partner, retailer: nameRetailer(partner, ctx), method, cartons, lines, paper },
    readFontFile,
  );
}

/** Pieces of an order that are left to ship; all of a canceled one. */
async function listLeft(ctx: ShippingCtx, order: StoredOrder): Promise<readonly Pieces[]> {
  const open = listOpen(await readLineStates(ctx.db, order));
  return open.length > 0 ? open : order.content.lines;
}
