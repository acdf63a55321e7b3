import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import {
  auditSystem,
  covers,
  notifyContacts,
  settleVoid,
  voidAtUps,
  type VoidOutcome,
} from "#features/shipping/settle-void.ts";
import { findHeldNumbers } from "#features/shipping/store-search.ts";
import {
  changeShipment,
  findLabelsByNumber,
  findShipment,
  listToCheck,
  publishShipments,
  type StoredShipment,
} from "#features/shipping/store.ts";
import { findUnknownPackages, trackPurchase } from "#features/shipping/track-purchase.ts";
import { makeNoticeDue, lockOrder } from "#features/orders/index.ts";
import { clearLabelChange, listLabelChanges, type StoredPackage } from "#features/packages/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { DAY_MS, HOUR_MS } from "#platform/time.ts";

const settleRun = defineRun({ kind: "labels.settle", lane: () => "labels:settle", every: "minute" });

export const settleRuns = (ctx: ShippingCtx): BoundRun[] =>
  ctx.ups ? [bindRun(settleRun, settlePackages, ctx)] : [];

const BATCH_SIZE = 30;
/** Wait of a company's remaining calls after a failure of UPS, so that they don't keep others from their turn. */
const RETRY_MS = 5 * 60_000;

/**
 * Settles purchases by what UPS says of their packages: voided at UPS, or scanned. Then asks UPS what packages don't show, each
 * purchase at most once an hour: labels of a purchase that a user gave up, and that UPS made after all, are voided, and a second
 * shipment of a purchase is found. Voids that UPS didn't confirm are requested again each
 * minute for 30 days, then each hour, so that those that never succeed don't take the turn of other companies.
 */
async function settlePackages(ctx: ShippingCtx, { run, stop }: RunWork): Promise<Ending> {
  const changed = await listLabelChanges(ctx.db, 10 * BATCH_SIZE);
  for (const [realmId, packages] of Map.groupBy(changed, (known) => known.realm_id))
    await settleChanges(ctx, realmId, packages);
  const failed = new Set<string>();
  const now = ctx.clock.now().getTime();
  const times = { before: new Date(now - HOUR_MS), since: new Date(now - 30 * DAY_MS) };
  for (const shipment of await listToCheck(ctx.db, { ...times, limit: BATCH_SIZE })) {
    if (stop.aborted) return { state: "queued" };
    const { realm_id: realmId, id } = shipment;
    const noteChecked = (at: Date) => changeShipment(ctx.db, { realmId, id }, { checked_at: at });
    if (failed.has(realmId)) {
      await noteChecked(new Date(now - HOUR_MS + RETRY_MS));
      continue;
    }
    try {
      if (shipment.void_asked) await voidAgain(ctx, shipment, shipment.void_asked);
      else await (shipment.state === "made" ? findDoubled(ctx, shipment) : voidOrphan(ctx, shipment));
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      if (error.kind !== "refused") failed.add(realmId);
      ctx.log.warn({ err: error, realm: realmId }, "UPS could not be asked about labels");
    }
    await noteChecked(ctx.clock.now());
    run.noteProgress?.();
  }
  return { state: "done" };
}

/** Settles a company's purchases whose packages changed. */
async function settleChanges(
  ctx: ShippingCtx,
  realmId: string,
  packages: readonly StoredPackage[],
): Promise<void> {
  const byNumber = new Map(packages.map((known) => [known.number, known]));
  const labels = await findLabelsByNumber(ctx.db, realmId, [...byNumber.keys()]);
  for (const [id, own] of Map.groupBy(labels, (label) => label.shipment_id)) {
    const live = own.filter((label) => label.voided_at === null).map((label) => label.tracking_number);
    const voided = live.filter((number) => byNumber.get(number)?.state === "voided");
    // UPS doesn't void a label that it has scanned.
    const scanned = live.filter((number) => !voided.includes(number) && byNumber.get(number)?.scanned_at);
    await ctx.db.transaction().execute(async (tx) => {
      const asked = (await findShipment(tx, { realmId, id }))?.void_asked;
      const by = asked && voided.every((number) => covers(asked.numbers, number)) ? asked.by : null;
      if (voided.length > 0 || asked)
        await settleVoid(ctx, tx, { realmId, id }, { voided, kept: scanned, by });
      if (scanned.length > 0) await makeNoticeDue(tx, { realmId, shipmentId: id }, ctx.clock.now());
      await publishShipments(tx, realmId);
    });
  }
  for (const known of packages) await clearLabelChange(ctx.db, known);
}

/** Requests a void again whose answer was lost. */
async function voidAgain(
  ctx: ShippingCtx,
  shipment: StoredShipment,
  { by, numbers }: NonNullable<StoredShipment["void_asked"]>,
): Promise<void> {
  const { realm_id: realmId, id } = shipment;
  const settle = (outcome: VoidOutcome) =>
    ctx.db.transaction().execute((tx) => settleVoid(ctx, tx, { realmId, id }, { ...outcome, by }));
  try {
    await settle(await voidAtUps(ctx, shipment, numbers));
  } catch (error) {
    if (!(error instanceof UpsError) || error.kind !== "refused") throw error;
    await settle({ voided: [], kept: numbers });
  }
}

/** Searches once for a second shipment that UPS made by the same call, as behind a gateway that repeats calls: it is paid too. */
async function findDoubled(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  const { realm_id: realmId, id, po_number: po } = shipment;
  const others = (await findUnknownPackages(ctx, shipment)).map(({ trackingNumber }) => trackingNumber);
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, shipment.order_id);
    if ((await findShipment(tx, { realmId, id }))?.searched_at !== null) return;
    await changeShipment(tx, { realmId, id }, { searched_at: ctx.clock.now() });
    if (others.length === 0) return;
    const after = { po_number: po, shipment: shipment.number, others: others.join(", ") };
    await auditSystem(ctx, realmId).audit(tx, { action: "labels.doubled_at_ups", after });
    await notifyContacts(ctx, tx, order, { numbers: others, change: "doubled" });
  });
}

/**
 * Voids labels that UPS made for a purchase that a user gave up. They carry its own reference, and belong to no purchase here:
 * anything less may be another program's.
 */
async function voidOrphan(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  const { realm_id: realmId, id } = shipment;
  const waiting = (await trackPurchase(ctx, shipment)).filter(({ state }) => state === "label_created");
  // A user who was shown it said that it is something else.
  const numbers = waiting
    .map(({ trackingNumber }) => trackingNumber)
    .filter((each) => !shipment.theirs?.numbers.includes(each));
  const held = await findHeldNumbers(ctx.db, numbers, id);
  const number = numbers.find((each) => !held.has(each));
  if (number === undefined) return;
  const voided = await callUps(ctx, realmId, async (ups, { token }) => {
    const answer = await ups.recoverLabels(token, { trackingNumber: number }, shipment.body.label);
    if (answer.state !== "found") return null;
    const { state } = await ups.voidShipment(token, answer.shipmentId);
    return state === "voided" ? answer.shipmentId : null;
  });
  if (voided === null) return;
  ctx.log.info({ realm: realmId, shipment: voided }, "Labels of a purchase that was given up were voided");
  const cause = { code: "abandoned", params: { ...shipment.cause?.params, voided }, tid: null };
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, shipment.order_id);
    // Another process may have found it at the same time.
    if ((await findShipment(tx, { realmId, id }))?.cause?.params["voided"]) return;
    await changeShipment(tx, { realmId, id }, { cause: JSON.stringify(cause) });
    const after = { po_number: shipment.po_number, shipment: voided };
    await auditSystem(ctx, realmId).audit(tx, { action: "labels.void_given_up", after });
    await notifyContacts(ctx, tx, order, { numbers: [voided], change: "given_up" });
  });
}
