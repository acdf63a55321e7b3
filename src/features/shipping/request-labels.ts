import { findLink } from "#features/carrier/index.ts";
import { buildShipment } from "#features/shipping/build-shipment.ts";
import { pickSize, type Carton } from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { failure } from "#features/shipping/sentences.ts";
import { labelsBeingVoided, labelsVoided } from "#features/shipping/settle-void.ts";
import { readSettings } from "#features/shipping/settings.ts";
import { shipCommand, shipRun, VENDOR } from "#features/shipping/runs.ts";
import { deriveReference } from "#features/shipping/rules-ours.ts";
import { countTurns } from "#features/shipping/store-search.ts";
import { addShipment, findByKey, listLive, type StoredShipment } from "#features/shipping/store.ts";
import {
  afterShipping,
  findPartner,
  fingerprintItems,
  isCanceledBefore,
  listText,
  lockOrder,
  mergePieces,
  moveOrder,
  nameOrder,
  nameRetailer,
  packCartons,
  type Pieces,
  readLineStates,
  requireCancelable,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError, badRequest, conflict } from "#platform/errors.ts";
import { addRun } from "#platform/runs/store.ts";
import { planWrites } from "#platform/writes/store.ts";
import { createHash } from "node:crypto";

/** An order to make labels for. `key` is chosen by the page: the same key never buys again. */
export type PurchaseRequest = {
  orderId: string;
  cartons: readonly Carton[];
  /** Pieces that the cartons leave behind, to be canceled once the labels are made. */
  cancels: readonly Pieces[];
  key: string | null;
  /** Number of the shipment that the caller means; null for the next purchase. */
  part: number | null;
  /** UPS's service for an order whose own is not known. */
  service: string | null;
};
type Request = { realmId: string; by: string };

export type PurchaseResult = { orderId: string; id: string | null; problem: AppError | null };

/**
 * Stores the purchase of labels for several orders and queues it; nothing is sent before that is committed. Each order has its
 * own outcome: one that can't be started does not keep the others.
 */
export async function requestLabels(
  ctx: ShippingCtx & Audited,
  { realmId, by }: Request,
  wanted: readonly PurchaseRequest[],
): Promise<PurchaseResult[]> {
  const link = await findLink(ctx.db, realmId);
  if (!link) throw notConnected();
  const requestId = ctx.ids.uuid();
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (tx) => {
    const started: PurchaseResult[] = [];
    const bought: StoredShipment["id"][] = [];
    // In the order of ids, so that two requests for the same orders do not wait for each other in a circle.
    for (const purchase of wanted.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))) {
      try {
        const place = { requestId, seq: wanted.indexOf(purchase), account: link.account, by, now };
        const { id, isNew } = await begin(ctx, tx, { realmId, purchase, ...place });
        if (isNew) bought.push(id);
        started.push({ orderId: purchase.orderId, id, problem: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        started.push({ orderId: purchase.orderId, id: null, problem: error });
      }
    }
    if (bought.length > 0)
      await addRun(tx, shipRun, {
        realmId,
        id: ctx.ids.uuid(),
        subject: requestId,
        requestedBy: by,
        requestedAt: now,
      });
    return wanted.flatMap((purchase) => started.find(({ orderId }) => orderId === purchase.orderId) ?? []);
  });
}

type Begin = {
  realmId: string;
  purchase: PurchaseRequest;
  requestId: string;
  seq: number;
  account: string;
  by: string;
  now: Date;
};

/** @returns the purchase that the order has, or a new purchase. @throws AppError when none can be started */
async function begin(
  ctx: ShippingCtx & Audited,
  tx: Db,
  { realmId, purchase, requestId, seq, account, by, now }: Begin,
): Promise<{ id: string; isNew: boolean }> {
  const order = await lockOrder(tx, realmId, purchase.orderId);
  const same = await findSame(tx, order, purchase);
  if (same) return { id: same.id, isNew: false };
  const all = await listLive(tx, realmId, order.id);
  const live = all.find((each) => isSame(each.cartons, purchase.cartons)) ?? all[0];
  if (all.some((each) => each.void_asked !== null)) throw labelsBeingVoided(order.po_number);
  // With pieces left to ship, a call with a key of its own buys the next part.
  const isNextPart = order.state === "open" && purchase.key !== null;
  if (live && !isNextPart) {
    if (isSame(live.cartons, purchase.cartons)) return { id: live.id, isNew: false };
    if (order.state !== "open")
      throw conflict(
        "other_cartons",
        `Labels of PO # ${order.po_number} were made with other cartons. They are in History.`,
      );
  }
  const part = findFreePart(all.map((each) => each.part));
  refuseOther(order, { wanted: purchase.part, part });
  if (order.waiting !== null)
    throw conflict(
      "order_waits",
      `A different order came in as PO # ${order.po_number}. Choose one of them first.`,
    );
  if (await isCanceledBefore(ctx, tx, order))
    throw conflict(
      "order_cancelled_before",
      `The retailer was notified that PO # ${order.po_number} is canceled, before the database was restored. Cancel it here: no second notice is sent.`,
    );
  const states = await readLineStates(tx, order);
  const packed = packCartons(states, purchase.cartons);
  if ("problem" in packed) throw badRequest("cartons_not_packed", packed.problem);
  const partner = findPartner(ctx.partners, order.partner);
  if (!partner) throw new Error(`There is no retailer ${order.partner}.`);
  const settings = await readSettings({ ...ctx, db: tx }, realmId, partner);
  const cancels = readCancels(ctx, order, {
    lines: purchase.cancels,
    reason: settings.cancel_reason,
    states: afterShipping(states, packed.lines),
  });
  const reference = deriveReference({
    realmId,
    partner: order.partner,
    poNumber: nameOrder(order),
    turn: await countTurns(tx, realmId, order.id),
  });
  const { content } = order;
  const built = buildShipment({
    order: content,
    partner,
    settings,
    account,
    chosenService: purchase.service,
    reference,
    cartons: purchase.cartons,
  });
  if ("cause" in built) throw badRequest("shipment_not_valid", failure(built.cause).error);
  await moveOrder(tx, order, "labelling");
  const id = ctx.ids.uuid();
  await addShipment(tx, {
    realm_id: realmId,
    id,
    order_id: order.id,
    request_id: requestId,
    seq,
    key: purchase.key,
    po_number: order.po_number,
    customer_name: order.customer_name,
    cartons: purchase.cartons.map((carton, at) => {
      const contents = packed.contents[at];
      return contents ? { ...pickSize(carton), contents: [...contents] } : pickSize(carton);
    }),
    lines: packed.lines,
    cancels,
    part,
    items: isWhole(content, packed.lines) ? fingerprintItems(content) : "",
    body: built.shipment,
    reference,
    checks_address: !order.is_address_confirmed,
    billed_to: settings.billing === "third_party" ? nameRetailer(partner, ctx) : null,
    requested_at: now,
    requested_by: by,
  });
  const fingerprint = createHash("sha256").update(JSON.stringify(built.shipment)).digest("hex");
  const write = { part: id, seq, operation: "ship", requestId: id, fingerprint, vendorKey: null };
  await planWrites(tx, shipCommand(realmId, requestId), { vendor: VENDOR, writes: [write], now });
  await ctx.audit(tx, {
    action: "labels.ship",
    after: {
      po_number: order.po_number,
      cartons: purchase.cartons.length,
      shipment_id: id,
      ...(cancels && { cancels: listText(cancels.lines) }),
    },
  });
  return { id, isNew: true };
}

/**
 * The order's purchase under a key.
 * @throws AppError 409 if the key is another order's, of another part than the caller means, or its labels are voided
 */
async function findSame(
  tx: Db,
  order: StoredOrder,
  { key, part }: PurchaseRequest,
): Promise<StoredShipment | undefined> {
  const same = key === null ? undefined : await findByKey(tx, order.realm_id, key);
  if (same && same.order_id !== order.id)
    throw conflict("key_used", `This key was used for PO # ${same.po_number}. Use a new one.`);
  if (same?.state === "voided") throw labelsVoided(same.po_number);
  // A page that was reloaded may send the key of the part before: that one's labels are none of this part.
  if (same && part !== null && same.part !== part) throw madeMeanwhile(order);
  return same;
}

/** Pieces to cancel with a purchase, and why; null for none. @throws AppError if they can't be canceled */
function readCancels(
  ctx: ShippingCtx,
  order: StoredOrder,
  wanted: Parameters<typeof requireCancelable>[2],
): StoredShipment["cancels"] {
  if (wanted.lines.length === 0) return null;
  return { lines: requireCancelable(ctx, order, wanted), reason: wanted.reason };
}

/** @throws AppError 409 if the caller means another part of an open order than the next one */
function refuseOther(order: StoredOrder, { wanted, part }: { wanted: number | null; part: number }): void {
  if (order.state !== "open" || wanted === null || wanted === part) return;
  throw madeMeanwhile(order);
}

const madeMeanwhile = (order: StoredOrder) =>
  conflict(
    "made_meanwhile",
    `Other labels of PO # ${order.po_number} were made in the meantime. Reload the page to see what is left to ship.`,
  );

/** Whether pieces are all that was ordered. */
const isWhole = ({ lines }: StoredOrder["content"], pieces: readonly Pieces[]): boolean =>
  lines.every(({ line, quantity }) =>
    pieces.some((each) => each.line === line && Number(each.quantity) === Number(quantity)),
  );

/** The first part of an order that no live labels are of. */
export function findFreePart(taken: readonly number[]): number {
  let part = 1;
  while (taken.includes(part)) part += 1;
  return part;
}

/** Whether cartons are those of labels; what a caller leaves out is what they hold. */
function isSame(made: readonly Carton[], wanted: readonly Carton[]): boolean {
  const size = ({ length, width, height, weight }: Carton) => [length, width, height, weight].join("x");
  const hold = ({ contents }: Carton) =>
    contents &&
    mergePieces(contents)
      .map(({ line, quantity }) => `${line}:${Number(quantity)}`)
      .toSorted()
      .join();
  return (
    made.length === wanted.length &&
    made.every((carton, at) => {
      const other = wanted[at];
      if (!other || size(carton) !== size(other)) return false;
      return other.contents === undefined || hold(carton) === hold(other);
    })
  );
}

const notConnected = () =>
  conflict("ups_not_connected", "No UPS account is connected. Connect one in Settings to make labels.");
