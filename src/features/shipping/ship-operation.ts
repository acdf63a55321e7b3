import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { findPurchase } from "#features/shipping/find-purchase.ts";
import { isUsableLabel, type ShipmentResult } from "#features/shipping/shipment-result.ts";
import { notePurchaseNumbers, notePurchaseRefused, promisePurchase } from "#features/shipping/promises.ts";
import {
  changeShipment,
  findRequested,
  findShipment,
  type Stranger,
  type StoredShipment,
} from "#features/shipping/store.ts";
import { findOrders } from "#features/orders/index.ts";
import type { Charge } from "#features/shipping/tables.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { ShippedPackage } from "#integrations/ups/ship.ts";
import type { Address, Shipment } from "#integrations/ups/shipment.ts";
import { HOUR_MS } from "#platform/time.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";

/** Waits before a call is made again that certainly was not done. */
const RETRY_MS = [1_000, 3_000];

/** Most outages of UPS end sooner. A user who is asked earlier may ask UPS's own page, which is away as well. */
const MAX_OUTAGE_MS = 2 * HOUR_MS;

/** UPS says neither that it made a purchase nor that it has none. */
const NOT_SEARCHED: Cause = { code: "not_searched", params: {}, tid: null };

/** Findings of a run about its purchases, by part, to be stored with their outcomes. */
export type Learned = { made: Map<string, ShipmentResult>; strangers: Map<string, Stranger> };

/**
 * Buys labels at UPS, which does not recognize a repeated call. So a purchase is sent once. Before, and after a lost answer,
 * the account's shipments are searched (`find-purchase.ts`): what is surely the purchase's is used, and a user is asked about
 * anything that may be.
 */
export function shipOperation(
  ctx: ShippingCtx,
  { realmId, requestId }: { realmId: string; requestId: string },
  { made, strangers }: Learned,
): Operation<StoredShipment, StoredShipment, ShipmentResult> {
  const take = (part: string, labels: ShipmentResult): Evidence => {
    made.set(part, labels);
    return { kind: "accepted", answer: { id: labels.number, facts: {}, tid: null } };
  };
  /** UPS's answers about addresses, by purchase. */
  const residential = new Map<string, boolean>();
  const search = async ({ write, body }: Item<StoredShipment>): Promise<Evidence | null> => {
    // Numbers that UPS named since the run began are in the store only.
    const current = await findShipment(ctx.db, { realmId, id: body.id });
    const purchase = await findPurchase(ctx, current ?? body);
    strangers.delete(write.part);
    if (purchase.kind === "made") {
      made.set(write.part, purchase.made);
      return { kind: "found", answer: { id: purchase.made.number, facts: {}, tid: null } };
    }
    if (purchase.kind === "absent") return null;
    if (purchase.stranger) strangers.set(write.part, purchase.stranger);
    return { kind: "similar", cause: purchase.cause };
  };
  /** A purchase whose own search UPS refuses, or doesn't answer, does not keep the others of its request. */
  const check = async (item: Item<StoredShipment>): Promise<Evidence | null> => {
    const { body } = item;
    try {
      const found = await search(item);
      if (found || !body.checks_address) return found;
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      if (error.kind === "refused") return { kind: "excluded", cause: toCause(error) };
      if (error.kind === "uncertain") return { kind: "notDone", cause: toCause(error) };
      throw error;
    }
    const checked = await checkAddress(ctx, realmId, body);
    if ("cause" in checked) return { kind: "excluded", cause: checked.cause };
    residential.set(body.id, checked.isResidential);
    return null;
  };
  /** The same of one in doubt: a user is asked about it if UPS answers no search for long. */
  const lookUp = async (item: Item<StoredShipment>): Promise<Evidence | null> => {
    try {
      return await search(item);
    } catch (error) {
      if (!(error instanceof UpsError) || error.kind === "auth" || error.kind === "app") throw error;
      ctx.log.warn({ err: error, realm: realmId, shipment: item.body.id }, "UPS didn't search for labels");
      const now = ctx.clock.now().getTime();
      const isLong = now - (item.write.lastSentAt?.getTime() ?? now) > MAX_OUTAGE_MS;
      if (error.kind === "refused" || isLong) return { kind: "similar", cause: NOT_SEARCHED };
      return { kind: "notDone", cause: toCause(error) };
    }
  };
  return {
    loadBodies: async () =>
      new Map((await findRequested(ctx.db, realmId, requestId)).map((shipment) => [shipment.id, shipment])),
    toRequest: ({ body }) => body,
    sendAlone: async ({ id, order_id: orderId, po_number: po, reference, body }, { beforeSend }) => {
      const [order] = await findOrders(ctx.db, realmId, [orderId]);
      const at = ctx.clock.now().toISOString();
      await promisePurchase(ctx.journal, {
        realm: realmId,
        partner: order?.partner ?? "",
        po,
        reference,
        at,
      });
      await beforeSend();
      const shipTo = { ...body.shipTo, isResidential: residential.get(id) ?? body.shipTo.isResidential };
      try {
        const bought = await buy(ctx, realmId, { ...body, shipTo });
        const numbers = bought.labels.map(({ trackingNumber }) => trackingNumber);
        await notePurchaseNumbers(ctx.journal, reference, numbers);
        return bought;
      } catch (error) {
        if (!(error instanceof UpsError)) throw error;
        // A number that UPS names is kept at once: by it the labels are found again.
        if (error.numbers.length > 0) {
          await notePurchaseNumbers(ctx.journal, reference, error.numbers);
          await changeShipment(ctx.db, { realmId, id }, { named: [...error.numbers] });
        } else if (error.kind !== "uncertain") await notePurchaseRefused(ctx.journal, reference);
        throw error;
      }
    },
    classify: ({ write }, outcome) => {
      if ("ok" in outcome) return take(write.part, outcome.ok);
      const { error } = outcome;
      if (!(error instanceof UpsError)) throw error;
      if (error.kind === "uncertain") return { kind: "inDoubt", cause: toCause(error) };
      return { kind: "refused", cause: toCause(error) };
    },
    lookUp: (items) => collect(items, lookUp),
    // Each purchase is searched for right before it is sent.
    findCreatedSince: () => Promise.resolve([]),
    checkPlanned: (items) => collect(items, check),
    findHalt: () => null,
    isVendorFailure: (error) => error instanceof UpsError,
    isOutage: (error) => !(error instanceof UpsError) || error.kind !== "refused",
  };
}

/** Evidence about some of the items, by part. */
async function collect<B>(
  items: readonly Item<B>[],
  read: (item: Item<B>) => Promise<Evidence | null>,
): Promise<Map<string, Evidence>> {
  const found = new Map<string, Evidence>();
  for (const item of items) {
    const evidence = await read(item);
    if (evidence) found.set(item.write.part, evidence);
  }
  return found;
}

/** @throws UpsError; a call that UPS never accepted is retried twice */
async function buy(ctx: ShippingCtx, realmId: string, shipment: Shipment): Promise<ShipmentResult> {
  for (const waitMs of [...RETRY_MS, null]) {
    try {
      return await callUps(ctx, realmId, async (ups, { token }) => {
        const answer = await ups.ship(token, shipment);
        // In the log before it is stored: the number is all that is needed to find a paid label again.
        ctx.log.info({ realm: realmId, shipment: answer.shipmentId }, "UPS made labels");
        return toShipmentResult(answer.shipmentId, answer.packages, readCharge(shipment, answer));
      });
    } catch (error) {
      const isDone = !(error instanceof UpsError) || !["network", "throttled"].includes(error.kind);
      if (isDone || waitMs === null) throw error;
      await ctx.clock.sleep(waitMs);
    }
  }
  throw new Error("unreachable");
}

/** UPS says no price of a third party's account, which does not mean that it is free. */
const readCharge = (
  { billing }: Shipment,
  { charges, negotiated }: { charges: Charge | null; negotiated: Charge | null },
): Charge | null => (billing.mode === "shipper" ? (negotiated ?? charges) : null);

/** @throws UpsError `uncertain` for a label that does not show its own number: it can't be used, but is paid */
function toShipmentResult(
  number: string,
  packages: readonly ShippedPackage[],
  charge: Charge | null,
): ShipmentResult {
  const labels = packages.map(({ trackingNumber, label }) => {
    if (isUsableLabel(label, trackingNumber)) return { trackingNumber, image: label };
    throw new UpsError({
      kind: "uncertain",
      http: 200,
      numbers: packages.map((pkg) => pkg.trackingNumber),
      message: "a label that does not show its tracking number",
    });
  });
  return { number, labels, charge };
}

/** Countries whose addresses UPS knows. */
const CHECKED = new Set(["US", "PR"]);

/**
 * Asks UPS whether it knows an address and whether people live there, before labels are bought. Without an answer the labels
 * are bought all the same: Ship refuses a ZIP code that isn't of its state.
 */
async function checkAddress(
  ctx: ShippingCtx,
  realmId: string,
  { body }: StoredShipment,
): Promise<{ cause: Cause } | { isResidential: boolean }> {
  const { address, isResidential } = body.shipTo;
  if (!CHECKED.has(address.country)) return { isResidential };
  try {
    const answer = await callUps(ctx, realmId, (ups, { token }) => ups.validateAddress(token, address));
    if (answer.state === "valid") return { isResidential: answer.classification !== "commercial" };
    const [meant] = answer.state === "ambiguous" ? answer.candidates : [];
    const params = { address: addressText(address), ...(meant ? meantParams(meant) : {}) };
    return { cause: { code: "address_unknown", params, tid: null } };
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS didn't check an address");
    return { isResidential };
  }
}

/** An address as UPS has it, part by part, so that a user can take it over; see `meantAddress`. */
const meantParams = (meant: Address) => ({
  meant: addressText(meant),
  meant_lines: meant.lines.join("\n"),
  meant_city: meant.city,
  meant_state: meant.state,
  meant_zip: meant.zip,
});

const addressText = ({ lines, city, state, zip }: Address) => [...lines, city, `${state} ${zip}`].join(", ");

/** UPS's own words are shown to users with their code. */
function toCause(error: UpsError): Cause {
  const [fault] = error.faults;
  return fault && error.kind !== "app"
    ? {
        code: "ups_refused",
        params: { kind: error.kind, ups: fault.code, message: fault.message },
        tid: null,
      }
    : { code: `ups_${error.kind}`, params: { http: error.http }, tid: null };
}
