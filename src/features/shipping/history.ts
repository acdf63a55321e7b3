import type { LabelHistory, MadeLabels } from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { countHistory, findNewShipments, findPackages, listMade } from "#features/shipping/store-history.ts";
import { findTrackingNumbers, type StoredShipment } from "#features/shipping/store.ts";
import {
  findOpenCancel,
  findOrders,
  findShipNotices,
  isNotified,
  toNoticeView,
  type StoredOrder,
} from "#features/orders/index.ts";
import { BY_NEED } from "#features/packages/index.ts";
import { badRequest } from "#platform/errors.ts";
import { DAY_MS } from "#platform/time.ts";

/** UPS voids labels for 28 days after they were made. */
const VOIDABLE_MS = 28 * DAY_MS;

type Query = {
  limit: number;
  before?: string | undefined;
  q?: string | undefined;
  show: "all" | "unscanned" | "voided";
};

/** Labels that were made, the latest first, a page at a time. @throws AppError 400 for an invalid cursor */
export async function readHistory(ctx: ShippingCtx, realmId: string, query: Query): Promise<LabelHistory> {
  const { limit, q = "", show } = query;
  const page = { limit: limit + 1, before: readPlace(query.before), q: q.trim(), show };
  const found = await listMade(ctx.db, realmId, page);
  const shown = found.slice(0, limit);
  const numbers = await findTrackingNumbers(
    ctx.db,
    realmId,
    shown.map(({ id }) => id),
  );
  const packages = await findPackages(
    ctx.db,
    realmId,
    shown.map(({ id }) => id),
  );
  const orders = await findOrders(ctx.db, realmId, [...new Set(shown.map((shipment) => shipment.order_id))]);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const notices = await findShipNotices(
    ctx.db,
    realmId,
    shown.map(({ id }) => id),
  );
  const voided = shown.filter(({ state }) => state === "voided");
  const made = await findNewShipments(ctx.db, realmId, [
    ...new Set(voided.map((shipment) => shipment.order_id)),
  ]);
  const last = shown.at(-1);
  return {
    labels: shown.map((shipment) =>
      toMadeLabels(shipment, {
        order: byId.get(shipment.order_id),
        labels: numbers.filter((label) => label.shipment_id === shipment.id),
        packages: packages.filter((followed) => followed.shipment_id === shipment.id),
        notice: notices.find((notice) => notice.shipment_id === shipment.id),
        newer: made.find((newer) => newer.order_id === shipment.order_id && newer.part === shipment.part),
        now: ctx.clock.now(),
      }),
    ),
    next: found.length > limit && last?.made_at ? `${last.made_at.getTime()}-${last.id}` : null,
    counts: await countHistory(ctx.db, realmId),
  };
}

function readPlace(text: string | undefined): { madeAt: Date; id: string } | null {
  if (text === undefined) return null;
  const [, time, id] = /^(\d{1,15})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (time === undefined || id === undefined)
    throw badRequest("invalid_page", "This page doesn't exist. Reload.");
  return { madeAt: new Date(Number(time)), id };
}

type Numbers = Awaited<ReturnType<typeof findTrackingNumbers>>;

type ShipNotice = Awaited<ReturnType<typeof findShipNotices>>[number];
type Packages = Awaited<ReturnType<typeof findPackages>>;
type Around = {
  order: StoredOrder | undefined;
  labels: Numbers;
  packages: Packages;
  notice: ShipNotice | undefined;
  /** Labels that replaced voided ones. */
  newer: { number: string | null } | undefined;
  now: Date;
};

function toMadeLabels(
  shipment: StoredShipment,
  { order, labels, packages, notice, newer, now }: Around,
): MadeLabels {
  const isVoided = shipment.state === "voided";
  const madeAt = shipment.made_at ?? now;
  const scannedAt = firstScan(packages);
  return {
    id: shipment.id,
    order_id: shipment.order_id,
    po_number: shipment.po_number,
    customer_name: shipment.customer_name,
    packing_slip_file: order?.slip_file ?? null,
    label_file: shipment.label_file,
    shipment: shipment.number ?? "",
    ship_date: madeAt.toISOString(),
    packed_at: shipment.requested_at.toISOString(),
    packed_place: shipment.seq,
    carton_count: labels.length,
    tracking_numbers: labels.map((label) => label.tracking_number),
    cost: shipment.charge ? costText(shipment.charge) : "",
    billed_to: shipment.billed_to,
    state: isVoided ? "voided" : labels.some((label) => label.voided_at !== null) ? "partly_voided" : "live",
    ...describeVoid(shipment, newer),
    is_order_open: order?.state === "open",
    is_voiding: !isVoided && shipment.void_asked !== null,
    package_state: BY_NEED.find((state) => packages.some((known) => known.state === state)) ?? null,
    scanned_at: isoText(scannedAt),
    can_void: !isVoided && scannedAt === null && now.getTime() - madeAt.getTime() < VOIDABLE_MS,
    cancellation_asked_at: isVoided || !order ? null : isoText(findOpenCancel(order)),
    reopens: !order?.cancellation_asked_at,
    prints: shipment.prints,
    is_notified: isNotified(notice),
    notice: notice ? toNoticeView(notice, now) : null,
  };
}

const describeVoid = ({ state, voided_at: at, voided_by: by }: StoredShipment, newer: Around["newer"]) => ({
  voided_at: isoText(at),
  voided_by: by ?? "",
  is_voided_at_ups: at !== null && by === null,
  new_shipment: state === "voided" ? (newer?.number ?? null) : null,
});

function firstScan(packages: Packages): Date | null {
  const scans = packages.flatMap(({ scanned_at: at }) => (at ? [at.getTime()] : []));
  return scans.length > 0 ? new Date(Math.min(...scans)) : null;
}

const isoText = (time: Date | null | undefined) => time?.toISOString() ?? null;

const costText = ({ total, currency }: { total: string; currency: string }) =>
  currency === "USD" ? `$${total}` : `${total} ${currency}`;
