import { addEvent } from "#features/programs/index.ts";
import type { Carton } from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { auditSystem } from "#features/shipping/settle-void.ts";
import { findVendorNumber } from "#features/shipping/settings.ts";
import type { ShipmentResult } from "#features/shipping/shipment-result.ts";
import { shipOperation, type Learned } from "#features/shipping/ship-operation.ts";
import {
  addLabels,
  changeShipment,
  countMade,
  findRequested,
  type StoredShipment,
  publishShipments,
} from "#features/shipping/store.ts";
import {
  fileName,
  addOrderShipment,
  cancelLockedLines,
  lockOrder,
  planNotice,
  settleOrder,
  type ShipFacts,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError } from "#platform/errors.ts";
import { toJson } from "#platform/db/json.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import { cancelCause } from "#platform/runs/store.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { IN_DOUBT } from "#platform/writes/decide.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import { runWrites } from "#platform/writes/run-writes.ts";
import { findOutcomes, refusePlanned, type Command } from "#platform/writes/store.ts";
import { MINUTE_MS } from "#platform/time.ts";

export const VENDOR = "ups";

/** Purchases of one company wait for each other; those of one request are made four at a time. */
export const shipRun = defineRun({
  kind: "labels.ship",
  lane: (realmId) => `ship:${realmId}`,
  isCancelable: true,
});
const AT_ONCE = 4;

/**
 * UPS is searched some times after a call without an answer; after the last time a user is asked.
 * @param waitsMs from the call to each search
 */
export function shipPolicy(waitsMs: readonly number[]): WritePolicy {
  return {
    repeats: "never",
    firstLookMs: waitsMs[0] ?? 0,
    // Nothing is sent again, so nothing depends on what an empty search proves.
    vendorLimitMs: 0,
    indexLagMs: 0,
    outageMs: MINUTE_MS,
    maxRounds: waitsMs.length - 1,
    roundWaitsMs: waitsMs,
    maxUnansweredCalls: 5,
    maxInDoubt: 20,
  };
}

export const shipCommand = (realmId: string, requestId: string): Command => ({
  realmId,
  subject: requestId,
  commandId: requestId,
});

export const shipRuns = (ctx: ShippingCtx): BoundRun[] => [bindRun(shipRun, buyLabels, ctx)];

/**
 * Brings every purchase of a request to its outcome. Safe to run again at any point. Of a canceled request only the
 * purchases that UPS may have made are brought to an end.
 */
async function buyLabels(ctx: ShippingCtx, { run, stop, sliceEnds }: RunWork): Promise<Ending> {
  const { realmId, subject: requestId } = run;
  const command = shipCommand(realmId, requestId);
  const learned: Learned = { made: new Map(), strangers: new Map() };
  const fenced = <T>(write: (tx: Db) => Promise<T>) =>
    withFence(ctx.db, run, async (tx) => {
      const result = await write(tx);
      await saveOutcomes(ctx, tx, { command, learned });
      return result;
    });
  const { canceledBy } = run;
  if (canceledBy)
    await fenced(async (tx) => {
      const cause = { ...cancelCause(canceledBy), tid: null };
      await refusePlanned(tx, command, { cause, now: ctx.clock.now() });
    });
  const end = await runWrites(ctx, {
    command,
    vendor: VENDOR,
    operation: shipOperation(ctx, { realmId, requestId }, learned),
    policy: ctx.shipPolicy,
    // Each purchase is sent as soon as it is checked, which takes UPS some calls.
    concurrency: { callsAlone: AT_ONCE, checked: 1 },
    withFence: fenced,
    reconcileFrom: null,
    stop,
    sliceEnds,
    onProgress: () => Promise.resolve(),
  });
  if (end.kind === "done") return { state: "done" };
  if (end.kind !== "waiting") return { state: "queued" };
  return { state: "waiting", cause: { code: IN_DOUBT.code }, dueAt: end.until };
}

/**
 * Records what became of purchases, in the transaction that settles their writes: labels and their bytes, the state of the
 * order, and why one failed.
 */
async function saveOutcomes(
  ctx: ShippingCtx,
  tx: Db,
  { command, learned }: { command: Command; learned: Learned },
): Promise<void> {
  const { realmId } = command;
  const settled = new Map((await findOutcomes(tx, command)).map((write) => [write.part, write]));
  if (settled.size === 0) return;
  for (const shipment of await findRequested(tx, realmId, command.commandId)) {
    const write = settled.get(shipment.id);
    if (!write || shipment.state !== "making") continue;
    const id = { realmId, id: shipment.id };
    if (write.state === "done") {
      const labels = learned.made.get(shipment.id);
      if (!labels) throw new Error(`Labels of ${shipment.id} were settled without their pictures.`);
      await saveMade(ctx, tx, shipment, labels);
    } else if (write.state === "refused") {
      await changeShipment(tx, id, { state: "failed", cause: toStored(write.cause) });
      await settleOrder(ctx, tx, await lockOrder(tx, realmId, shipment.order_id));
    } else {
      const stranger = learned.strangers.get(shipment.id);
      const theirs = stranger ? JSON.stringify(stranger) : null;
      await changeShipment(tx, id, { state: "asked", cause: toStored(write.cause), theirs });
    }
    await publishShipments(tx, realmId);
  }
}

const toStored = (cause: object | null) => JSON.stringify(cause ?? IN_DOUBT);

/**
 * Stores the labels of a purchase, updates its order, queues webhook messages, plans the retailer's ship
 * notice, and cancels the pieces that the user isn't shipping.
 */
export async function saveMade(
  ctx: ShippingCtx,
  tx: Db,
  shipment: StoredShipment,
  { number, labels, charge }: ShipmentResult,
): Promise<void> {
  const { realm_id: realmId, id, order_id: orderId, po_number: poNumber } = shipment;
  const ending = labels.some(({ image }) => image.format === "ZPL") ? "zpl" : "pdf";
  const order = await lockOrder(tx, realmId, orderId);
  const packed = repack(shipment, labels.length);
  const earlier = await countMade(tx, realmId, orderId);
  await changeShipment(
    tx,
    { realmId, id },
    {
      state: "made",
      cause: null,
      theirs: null,
      cartons: toJson(packed),
      number,
      made_at: ctx.clock.now(),
      charge: charge && JSON.stringify(charge),
      label_file: fileName(order, `${earlier === 0 ? "labels" : `labels-${earlier + 1}`}.${ending}`),
    },
  );
  await addLabels(
    tx,
    { realmId, id },
    {
      labels: labels.map(({ trackingNumber, image }) => ({
        tracking_number: trackingNumber,
        format: image.format,
        bytes: image.bytes,
      })),
      now: ctx.clock.now(),
    },
  );
  await addEvent(ctx, tx, {
    realmId,
    event: "labels.made",
    data: {
      po_number: poNumber,
      shipment_id: id,
      shipment_number: number,
      tracking_numbers: labels.map(({ trackingNumber }) => trackingNumber),
    },
  });
  const cartons = listCartons(packed, labels);
  await addOrderShipment(tx, order, {
    shipmentId: id,
    shippedAt: ctx.clock.now(),
    service: shipment.body.service,
    cartons: cartons.map((carton) => ({ ...carton, isVoided: false })),
    lines: shipment.lines,
  });
  const state = await settleOrder(ctx, tx, order);
  const facts = await listShipFacts(ctx, tx, { shipment, order, number, cartons });
  await planNotice(ctx, tx, order, { kind: "ship", shipmentId: id, facts });
  if (shipment.cancels && state === "open")
    await cancelLeft(ctx, tx, { ...order, state }, { ...shipment.cancels, by: shipment.requested_by });
}

/** Cancels what a purchase left behind; pieces that went meanwhile stay as they are, since the labels are made. */
async function cancelLeft(
  ctx: ShippingCtx,
  tx: Db,
  order: StoredOrder,
  cancels: Parameters<typeof cancelLockedLines>[3],
): Promise<void> {
  const { realm_id: realmId } = order;
  try {
    await cancelLockedLines({ ...ctx, ...auditSystem(ctx, realmId) }, tx, order, cancels);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "What a purchase left behind was not canceled");
  }
}

/** UPS answers in the order of the packages that it was asked for. */
const listCartons = (cartons: readonly Carton[], labels: ShipmentResult["labels"]): ShipFacts["cartons"] =>
  labels.map(({ trackingNumber }, at) => ({
    trackingNumber,
    weightLb: cartons[at]?.weight ?? 0,
    contents: cartons[at]?.contents ?? null,
  }));

/** Cartons of labels that a user chose. Where they are more or fewer than were packed, what is in each is unknown. */
function repack({ cartons, lines }: StoredShipment, count: number): readonly Carton[] {
  const [first] = cartons;
  if (count === cartons.length || !first) return cartons;
  const contents = count === 1 ? { contents: [...lines] } : {};
  return Array.from({ length: count }, (_, at) => {
    const { length, width, height, weight } = cartons[at] ?? first;
    return { length, width, height, weight, ...contents };
  });
}

async function listShipFacts(
  ctx: ShippingCtx,
  tx: Db,
  {
    shipment: { realm_id: realmId, body, lines: pieces },
    order: { partner },
    number,
    cartons,
  }: { shipment: StoredShipment; order: StoredOrder; number: string } & Pick<ShipFacts, "cartons">,
): Promise<ShipFacts> {
  const { name, address } = body.shipper;
  const { lines, city, state, zip } = address;
  return {
    shipment: number,
    service: body.service,
    cartons,
    lines: pieces,
    shipFrom: { name, lines, city, state, zip },
    vendorNumber: await findVendorNumber({ ...ctx, db: tx }, { realmId, partner }),
  };
}
