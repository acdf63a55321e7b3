import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
import { auditSystem, settleVoid, tellContacts, voidAtUps } from "#features/labels/carrier/settle-void.ts";
import { findHeldNumbers } from "#features/labels/carrier/store-search.ts";
import {
  changeShipment,
  findShipment,
  findTrackingNumbers,
  listToLook,
  type StoredShipment,
  publishShipments,
} from "#features/labels/carrier/store.ts";
import { hastenNotice, lockOrder } from "#features/orders/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const lookRun = defineRun({ kind: "labels.look-at-scans", lane: () => "labels:scans", every: "minute" });

export const scanRuns = (ctx: ShippingCtx): BoundRun[] =>
  ctx.ups ? [bindRun(lookRun, lookAtScans, ctx)] : [];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** UPS publishes no limit. So many shipments a minute are far below the rate at which it was seen to refuse. */
const A_MINUTE = 30;
/** UPS scans a package on the day of its pickup, or the next one. */
const STALE_MS = 2 * DAY_MS;
/** After a failure of UPS, what a company still has to ask waits so long, so that it doesn't keep others from their turn. */
const RETRY_MS = 5 * 60_000;

/**
 * Asks UPS where labels are, those first that were asked about longest ago, each at most once an hour. A failure leaves
 * everything as it was; a refusal of a number concerns that number only. Labels that are voided at UPS are settled here, voids
 * that UPS didn't confirm are asked for again, and labels of a purchase that a user gave up, and that UPS made after all, are
 * voided.
 */
async function lookAtScans(ctx: ShippingCtx, { run, stop }: RunWork): Promise<Ending> {
  const failed = new Set<string>();
  const now = ctx.clock.now().getTime();
  const shipments = await listToLook(ctx.db, {
    before: new Date(now - HOUR_MS),
    since: new Date(now - 30 * DAY_MS),
    limit: A_MINUTE,
  });
  for (const shipment of shipments) {
    if (stop.aborted) return { state: "queued" };
    const { realm_id: realmId, id, state } = shipment;
    const looked = (at: Date) => changeShipment(ctx.db, { realmId, id }, { looked_at: at });
    if (failed.has(realmId)) {
      await looked(new Date(now - HOUR_MS + RETRY_MS));
      continue;
    }
    try {
      await (state === "made" ? lookAtMade(ctx, shipment) : voidOrphan(ctx, shipment));
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      if (error.kind !== "refused") failed.add(realmId);
      ctx.log.warn({ err: error, realm: realmId }, "UPS could not be asked where labels are");
    }
    await looked(ctx.clock.now());
    run.noteProgress?.();
  }
  return { state: "done" };
}

/** Polls labels, and asks UPS again for a void that it has not confirmed. */
async function lookAtMade(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  if (shipment.searched_at === null) await tellDoubled(ctx, shipment);
  await lookAtShipment(ctx, shipment);
  const { realm_id: realmId, id } = shipment;
  const asked = (await findShipment(ctx.db, { realmId, id }))?.void_asked;
  if (!asked) return;
  const { by, numbers } = asked;
  const settle = (voided: readonly string[] | null) =>
    ctx.db.transaction().execute((tx) => settleVoid(ctx, tx, { realmId, id }, { voided, by }));
  try {
    await settle(await voidAtUps(ctx, shipment, numbers));
  } catch (error) {
    if (!(error instanceof UpsError) || error.kind !== "refused") throw error;
    await settle([]);
  }
}

/** Looks once for a second shipment that UPS made by the same call, as behind a gateway that repeats calls: it is paid too. */
async function tellDoubled(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  const { realm_id: realmId, id, po_number: po } = shipment;
  const numbers = await listLive(ctx, shipment);
  const held = await findHeldNumbers(ctx.db, numbers);
  const others = numbers.filter((number) => !held.has(number));
  await ctx.db.transaction().execute(async (tx) => {
    await lockOrder(tx, realmId, shipment.order_id);
    if ((await findShipment(tx, { realmId, id }))?.searched_at !== null) return;
    await changeShipment(tx, { realmId, id }, { searched_at: ctx.clock.now() });
    if (others.length === 0) return;
    const after = { po_number: po, shipment: shipment.number, others: others.join(", ") };
    await auditSystem(ctx, realmId).audit(tx, { action: "labels.doubled_at_ups", after });
    await tellContacts(ctx, tx, realmId, { po, numbers: others, change: "doubled" });
  });
}

/** Numbers of packages with the purchase's own reference that are not voided. @throws UpsError */
const listLive = (ctx: ShippingCtx, { realm_id: realmId, reference, requested_at: at }: StoredShipment) =>
  callUps(ctx, realmId, async (ups, { token, account }) => {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const scope = {
      account,
      from: day(at.getTime() - DAY_MS),
      to: day(ctx.clock.now().getTime() + DAY_MS),
    };
    const tracked = await ups.trackReference(token, reference, scope);
    return tracked.filter(({ state }) => state !== "voided").map((one) => one.trackingNumber);
  });

/** Asks UPS where labels are, and records scans and voids. @throws UpsError */
async function lookAtShipment(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  const { realm_id: realmId, id, made_at: madeAt, void_asked: asked } = shipment;
  const labels = await findTrackingNumbers(ctx.db, realmId, [id]);
  const numbers = labels.filter((one) => one.voided_at === null).map((one) => one.tracking_number);
  const packages = await callUps(ctx, realmId, async (ups, { token }) => {
    const found: (TrackedPackage | null)[] = [];
    for (const number of numbers) {
      const [one] = await ups.track(token, number);
      found.push(one ?? null);
      // One on its way says enough; others are only asked about while none is, or all may be delivered.
      if (isMoving(one) && one?.state !== "delivered") break;
    }
    return found;
  });
  const voided = numbers.filter((_, at) => packages[at]?.state === "voided");
  if (voided.length > 0) {
    const by = asked && (asked.numbers === null || voided.every((one) => asked.numbers?.includes(one)));
    await ctx.db
      .transaction()
      .execute((tx) => settleVoid(ctx, tx, { realmId, id }, { voided, by: by ? asked.by : null }));
    if (voided.length === numbers.length) return;
  }
  const now = ctx.clock.now();
  const left = packages.filter((one) => one?.state !== "voided");
  const isScanned = left.some((one) => isMoving(one));
  const isDelivered = isScanned && left.every((one) => one?.state === "delivered");
  const isStale = now.getTime() - (madeAt ?? now).getTime() >= STALE_MS;
  const scan = isDelivered ? "delivered" : isScanned ? "moving" : isStale ? "stale" : "unscanned";
  if (scan === shipment.scan) return;
  await ctx.db.transaction().execute(async (tx) => {
    const scannedAt = isScanned ? (shipment.scanned_at ?? firstScan(left) ?? now) : null;
    await changeShipment(tx, { realmId, id }, { scan, scanned_at: scannedAt });
    if (isScanned) await hastenNotice(tx, { realmId, shipmentId: id }, now);
    await publishShipments(tx, realmId);
  });
}

/** Whether UPS has a package, or had it. */
export const isMoving = (one: TrackedPackage | null | undefined): boolean =>
  one?.state !== undefined && one.state !== null && !["label_created", "voided"].includes(one.state);

function firstScan(packages: readonly (TrackedPackage | null)[]): Date | null {
  const times = packages.flatMap((one) =>
    (one?.activities ?? []).flatMap(({ at, state }) =>
      at !== null && state !== null && state !== "label_created" ? [Date.parse(at)] : [],
    ),
  );
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/**
 * Voids labels that UPS made for a purchase that a user gave up. They carry its own reference, and belong to no purchase here:
 * anything less may be another program's.
 */
async function voidOrphan(ctx: ShippingCtx, shipment: StoredShipment): Promise<void> {
  const { realm_id: realmId, id, reference, requested_at: requestedAt } = shipment;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const voided = await callUps(ctx, realmId, async (ups, { token, account }) => {
    const now = ctx.clock.now().getTime();
    const scope = { account, from: day(requestedAt.getTime() - DAY_MS), to: day(now + DAY_MS) };
    const tracked = await ups.trackReference(token, reference, scope);
    const waiting = tracked.filter((one) => one.state === "label_created");
    // A user who was shown it said that it is something else.
    const numbers = waiting
      .map((one) => one.trackingNumber)
      .filter((number) => !shipment.theirs?.numbers.includes(number));
    const held = await findHeldNumbers(ctx.db, numbers, id);
    const number = numbers.find((one) => !held.has(one));
    if (number === undefined) return null;
    const answer = await ups.recoverLabels(token, { trackingNumber: number }, shipment.body.label);
    if (answer.state !== "found") return null;
    const { state } = await ups.voidShipment(token, answer.shipmentId);
    return state === "voided" ? answer.shipmentId : null;
  });
  if (voided === null) return;
  ctx.log.info({ realm: realmId, shipment: voided }, "Labels of a purchase that was given up were voided");
  const cause = { code: "abandoned", params: { ...shipment.cause?.params, voided }, tid: null };
  await ctx.db.transaction().execute(async (tx) => {
    await changeShipment(tx, { realmId, id }, { cause: JSON.stringify(cause) });
    const after = { po_number: shipment.po_number, shipment: voided };
    await auditSystem(ctx, realmId).audit(tx, { action: "labels.void_given_up", after });
    const about = { po: shipment.po_number, numbers: [voided], change: "given_up" as const };
    await tellContacts(ctx, tx, realmId, about);
  });
}
