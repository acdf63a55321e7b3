import { findLink } from "#features/carrier/index.ts";
import { findUpsState, hasService, type Company } from "#features/companies/index.ts";
import { serviceFor } from "#features/shipping/build-shipment.ts";
import { pickSize } from "#features/shipping/packing/contract.ts";
import type {
  CanceledOrder,
  CarrierSettings,
  Carton,
  OpenOrder,
  OpenOrders,
  OrderLabels,
} from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { failure, meantAddress } from "#features/shipping/sentences.ts";
import { SERVICE_LIST, serviceName } from "#integrations/ups/service-names.ts";
import { readSettings } from "#features/shipping/settings.ts";
import { findLastCartons } from "#features/shipping/store-search.ts";
import { findFreePart } from "#features/shipping/request-labels.ts";
import { findLatest, listLiveParts, type Stranger } from "#features/shipping/store.ts";
import {
  findCancelNotices,
  findPartner,
  isCancelNotified,
  listCanceled,
  listOrders,
  findRetailerName,
  findLineStates,
  findOpenCancel,
  showWaiting,
  fingerprintItems,
  placeText,
  type LineState,
  type Order,
  type Partner,
  toNoticeView,
  type StoredOrder,
  isXml,
  listDue,
} from "#features/orders/index.ts";

/** Open orders on one page; more are unusual, and the earliest are shown first. */
const MAX_OPEN = 2_000;
const MAX_CANCELED = 100;
/** Notices of one download. */
const MAX_NOTICES = 200;

/** Open and canceled orders of a company with what is known of their labels. */
export async function readOpenOrders(ctx: ShippingCtx, { realmId }: Company): Promise<OpenOrders> {
  const [partner] = ctx.partners;
  const settings = await readSettings(ctx, realmId, partner);
  const link = await findLink(ctx.db, realmId);
  const upsState = await findUpsState(ctx.db, realmId);
  const orders = await listOrders(ctx.db, realmId, { states: ["open", "labelling"], limit: MAX_OPEN });
  const latest = new Map(
    (
      await findLatest(
        ctx.db,
        realmId,
        orders.map(({ id }) => id),
      )
    ).map((shipment) => [shipment.order_id, shipment]),
  );
  const lastCartons = await findLastCartons(
    ctx.db,
    realmId,
    orders.map(({ content }) => fingerprintItems(content)),
  );
  const states = await findLineStates(ctx.db, realmId, orders);
  const parts = Map.groupBy(
    await listLiveParts(
      ctx.db,
      realmId,
      orders.map(({ id }) => id),
    ),
    (shipment) => shipment.order_id,
  );
  const due = await listDue(ctx.db, realmId, { now: ctx.clock.now(), limit: MAX_NOTICES });
  return {
    open: orders.map((order) =>
      toOpen(ctx, order, {
        latest: latest.get(order.id),
        states: states.get(order.id) ?? [],
        parts: (parts.get(order.id) ?? []).map(({ part }) => part),
        // Cartons for all its items; those for the rest of an order differ.
        lastCartons: parts.has(order.id) ? undefined : lastCartons.get(fingerprintItems(order.content)),
        // The settings are about the first retailer's labels.
        payer: (order.partner === partner.id ? settings : findPartner(ctx.partners, order.partner))?.billing,
        upsState,
      }),
    ),
    cancelled: await readCanceled(ctx, realmId),
    blocked: findBlock({
      isOffered: ctx.ups !== null,
      isLinked: link !== undefined,
      canConnect: await hasService(ctx.db, { realmId, service: "tracking", now: ctx.clock.now() }),
      upsState,
      from: settings.ship_from,
    }),
    account_ending: link?.account.slice(-4) ?? "",
    services: [...SERVICE_LIST],
    presets: settings.presets,
    due_notices: due.flatMap(({ id, document }) => (isXml(document) ? [] : [id])),
    due_xml_notices: due.flatMap(({ id, document }) => (isXml(document) ? [id] : [])),
  };
}

function findBlock({
  isOffered,
  isLinked,
  canConnect,
  upsState,
  from,
}: {
  isOffered: boolean;
  isLinked: boolean;
  canConnect: boolean;
  upsState: string;
  from: object | null;
}): OpenOrders["blocked"] {
  if (!isOffered) return "not_offered";
  if (upsState === "reconnect_needed") return "reconnect_needed";
  if (!isLinked) return canConnect ? "not_connected" : "not_offered";
  return from === null ? "no_ship_from" : null;
}

function nameService(
  partner: Partner | undefined,
  order: Order,
): Pick<OpenOrder, "service" | "unknown_service"> {
  const code = partner ? serviceFor(partner, order) : "";
  const signature = order.isSignatureRequired ? ", signature required" : "";
  return {
    service: `${code === "" ? `"${order.serviceCode}"` : serviceName(code)}${signature}`,
    unknown_service: code === "" ? order.serviceCode : null,
  };
}

type Latest = Awaited<ReturnType<typeof findLatest>>[number];

type Known = {
  latest: Latest | undefined;
  states: readonly LineState[];
  /** Part numbers of its live purchases. */
  parts: readonly number[];
  /** Cartons of the latest labels for the same items. */
  lastCartons: readonly Carton[] | undefined;
  payer: CarrierSettings["billing"] | undefined;
  upsState: string;
};

function toOpen(
  ctx: ShippingCtx,
  order: StoredOrder,
  { latest, states, parts, lastCartons, payer, upsState }: Known,
): OpenOrder {
  const { content } = order;
  const partner = findPartner(ctx.partners, order.partner);
  const { shipTo } = content;
  return {
    id: order.id,
    po_number: order.po_number,
    retailer: findRetailerName(ctx, order.partner),
    customer_name: order.customer_name,
    packing_slip_file: order.slip_file,
    place: placeText(shipTo),
    lines: content.lines.map(({ line, buyerSku, description, quantity, unit }) => ({
      line,
      sku: buyerSku,
      description,
      quantity,
      open: states.find((state) => state.line === line)?.open ?? quantity,
      unit,
    })),
    next_shipment: findFreePart(parts),
    last_cartons: lastCartons ? lastCartons.map(pickSize) : null,
    ship_by: content.shipBy,
    ...nameService(partner, content),
    billed_to: payer === "third_party" ? findRetailerName(ctx, order.partner) : null,
    ship_to: { ...shipTo, lines: [...shipTo.lines] },
    labels: latest && isOfOpenPart(order, latest) ? toLabels(latest, upsState) : null,
    waiting: showWaiting(order),
    cancellation_asked_at: findOpenCancel(order)?.toISOString() ?? null,
  };
}

/** Labels that were made are of no interest for what is left of an order; they are in the history. */
const isOfOpenPart = ({ state }: StoredOrder, latest: Latest): boolean =>
  latest.state !== "voided" && !(latest.state === "made" && state === "open");

/** Said of labels that are being made while UPS refuses the account's login. */
const WAITS = { code: "ups_waits", params: {}, tid: null };

function toLabels(shipment: Latest, upsState: string): OrderLabels {
  const { id, state } = shipment;
  const cause = state === "making" && upsState === "reconnect_needed" ? WAITS : shipment.cause;
  const { error, correct } = cause ? failure(cause) : { error: "", correct: null };
  const isChecked = state === "making" && shipment.is_in_doubt;
  return {
    id,
    state: isChecked ? "checking" : state === "voided" ? "failed" : state,
    cartons: [...shipment.cartons],
    error,
    correct,
    meant: cause && state === "failed" ? meantAddress(cause) : null,
    next_check_at: isChecked ? (shipment.due_at?.toISOString() ?? null) : null,
    shipment: shipment.number ?? "",
    label_file: shipment.label_file,
    theirs: state === "asked" && shipment.theirs ? showStranger(shipment.theirs) : null,
  };
}

const showStranger = ({ number, ship_to: lines, place, cartons, weights, ...facts }: Stranger) => ({
  number,
  ship_to: [...lines],
  place,
  cartons,
  weights: [...weights],
  service: facts.service,
  made_at: facts.made_at,
  differs: [...facts.differs],
});

async function readCanceled(ctx: ShippingCtx, realmId: string): Promise<CanceledOrder[]> {
  const orders = await listCanceled(ctx.db, realmId, MAX_CANCELED);
  const notices = await findCancelNotices(
    ctx.db,
    realmId,
    orders.map(({ id }) => id),
  );
  const now = ctx.clock.now();
  return orders.map((order) =>
    toCanceled(ctx, order, { notice: notices.find((notice) => notice.order_id === order.id), now }),
  );
}

type Cancellation = Awaited<ReturnType<typeof findCancelNotices>>[number];

const toCanceled = (
  ctx: ShippingCtx,
  order: StoredOrder,
  { notice, now }: { notice: Cancellation | undefined; now: Date },
): CanceledOrder => ({
  id: order.id,
  po_number: order.po_number,
  retailer: findRetailerName(ctx, order.partner),
  customer_name: order.customer_name,
  cancelled_at: order.cancelled_at?.toISOString() ?? "",
  packing_slip_file: order.slip_file,
  cancelled_by: order.cancelled_by ?? "",
  can_restore: !isCancelNotified(notice),
  notice: notice ? toNoticeView(notice, now) : null,
});
