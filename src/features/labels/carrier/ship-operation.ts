import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
import { findKnownNumbers, findRequested, type StoredShipment } from "#features/labels/carrier/store.ts";
import type { Charge } from "#features/labels/carrier/tables.ts";
import { UnreadableLabel } from "#formats/carrier-label/picture.ts";
import { readTrackingNumber } from "#formats/carrier-label/read-tracking-number.ts";
import type { Ups } from "#integrations/ups/client.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { RecoverAnswer } from "#integrations/ups/recover-labels.ts";
import type { ShippedPackage } from "#integrations/ups/ship.ts";
import { toZip, type Address, type Shipment } from "#integrations/ups/shipment.ts";
import type { LabelImage } from "#integrations/ups/wire.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";

/** Labels of a shipment as UPS has them. */
export type Made = {
  number: string;
  labels: readonly { trackingNumber: string; image: Picture }[];
  charge: Charge | null;
};

/** A label that is stored and printed; UPS's own PDF is never asked for. */
type Picture = LabelImage & { format: "GIF" | "PNG" | "ZPL" };

/** UPS's test environment masks numbers, and prints no codes on its labels. */
const MASKED = /^1ZX{16}$/;

/** Whether a label shows the number that UPS names for it. */
function isPicture(image: LabelImage, trackingNumber: string): image is Picture {
  if (MASKED.test(trackingNumber)) return image.format !== "PDF";
  try {
    return image.format !== "PDF" && readTrackingNumber(image.bytes) === trackingNumber;
  } catch (error) {
    if (error instanceof UnreadableLabel) return false;
    throw error;
  }
}

/** Waits before a call is made again that certainly was not done. */
const RETRY_MS = [1_000, 3_000];

const DAY_MS = 24 * 3_600_000;

/**
 * Buys labels at UPS, which does not recognize a repeated call. So a purchase is sent once. Before, and after a lost answer,
 * the account's shipments are searched by the order's PO number: one that is not of another purchase of ours is this one.
 * @param made receives the labels of each purchase that was made or found, to be stored with the outcome
 */
export function shipOperation(
  ctx: ShippingCtx,
  { realmId, requestId }: { realmId: string; requestId: string },
  made: Map<string, Made>,
): Operation<StoredShipment, StoredShipment, Made> {
  const take = (part: string, labels: Made): Evidence => {
    made.set(part, labels);
    return { kind: "accepted", answer: { id: labels.number, facts: {}, tid: null } };
  };
  /** UPS's answers about addresses, by purchase. */
  const residential = new Map<string, boolean>();
  const search = async (items: readonly Item<StoredShipment>[]) => {
    const found = new Map<string, Evidence>();
    for (const { write, body } of items) {
      const evidence = await searchShipment(ctx, realmId, body);
      if ("number" in evidence) {
        made.set(write.part, evidence);
        found.set(write.part, { kind: "found", answer: { id: evidence.number, facts: {}, tid: null } });
      } else if (evidence.kind !== "absent") found.set(write.part, evidence);
    }
    return found;
  };
  return {
    loadBodies: async () =>
      new Map((await findRequested(ctx.db, realmId, requestId)).map((shipment) => [shipment.id, shipment])),
    toRequest: ({ body }) => body,
    sendAlone: async ({ id, body }, { beforeSend }) => {
      await beforeSend();
      const shipTo = { ...body.shipTo, isResidential: residential.get(id) ?? body.shipTo.isResidential };
      return buy(ctx, realmId, { ...body, shipTo });
    },
    classify: ({ write }, outcome) => {
      if ("ok" in outcome) return take(write.part, outcome.ok);
      const { error } = outcome;
      if (!(error instanceof UpsError)) throw error;
      if (error.kind === "uncertain") return { kind: "inDoubt", cause: toCause(error) };
      return { kind: "refused", cause: toCause(error) };
    },
    lookUp: search,
    // Each purchase is searched for right before it is sent.
    findCreatedSince: () => Promise.resolve([]),
    checkPlanned: async (items) => {
      const found = await search(items);
      for (const { write, body } of items) {
        if (found.has(write.part) || !body.checks_address) continue;
        const checked = await checkAddress(ctx, realmId, body);
        if ("cause" in checked) found.set(write.part, { kind: "excluded", cause: checked.cause });
        else residential.set(body.id, checked.isResidential);
      }
      return found;
    },
    findHalt: () => null,
    isVendorFailure: (error) => error instanceof UpsError,
    isOutage: (error) => !(error instanceof UpsError) || error.kind !== "refused",
  };
}

/** @throws UpsError; a call that was not done is made again twice, since it has not left or was sent away at the door */
async function buy(ctx: ShippingCtx, realmId: string, shipment: Shipment): Promise<Made> {
  for (const waitMs of [...RETRY_MS, null]) {
    try {
      return await callUps(ctx, realmId, async (ups, { token }) => {
        const answer = await ups.ship(token, shipment);
        // In the log before it is stored: the number is all that is needed to find a paid label again.
        ctx.log.info({ realm: realmId, shipment: answer.shipmentId }, "UPS made labels");
        return toMade(answer.shipmentId, answer.packages, readCharge(shipment, answer));
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
function toMade(number: string, packages: readonly ShippedPackage[], charge: Charge | null): Made {
  const labels = packages.map(({ trackingNumber, label }) => {
    if (isPicture(label, trackingNumber)) return { trackingNumber, image: label };
    throw new UpsError({
      kind: "uncertain",
      http: 200,
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
    const params = { address: addressText(address), meant: meant ? addressText(meant) : "" };
    return { cause: { code: "address_unknown", params, tid: null } };
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS didn't check an address");
    return { isResidential };
  }
}

const addressText = ({ lines, city, state, zip }: Address) => [...lines, city, `${state} ${zip}`].join(", ");

const ABSENT = { kind: "absent" } as const;

/** Searches the account's shipments for a purchase: by UPS's labels, then by its tracking. */
async function searchShipment(
  ctx: ShippingCtx,
  realmId: string,
  shipment: StoredShipment,
): Promise<Made | Extract<Evidence, { kind: "absent" | "similar" }>> {
  const { body } = shipment;
  const format = body.label;
  return callUps(ctx, realmId, async (ups, { token, account }) => {
    const query = { reference: shipment.po_number, account };
    const candidates = await listCandidates(
      ctx,
      { realmId, shipment },
      await ups.recoverLabels(token, query, format),
    );
    if (candidates.length === 0) {
      const day = (at: number) => new Date(at).toISOString().slice(0, 10);
      const now = ctx.clock.now().getTime();
      const scope = { account, from: day(now - 14 * DAY_MS), to: day(now + DAY_MS) };
      const tracked = await ups.trackReference(token, shipment.po_number, scope);
      const numbers = tracked.filter((one) => one.state !== "voided").map((one) => one.trackingNumber);
      const known = await findKnownNumbers(ctx.db, realmId, numbers);
      candidates.push(...numbers.filter((number) => !known.has(number)));
    }
    const found = new Map<string, Made>();
    for (const number of candidates) {
      if ([...found.values()].some(({ labels }) => labels.some((label) => label.trackingNumber === number)))
        continue;
      const answer = await ups.recoverLabels(token, { trackingNumber: number }, format);
      if (answer.state === "none" && answer.reason === "voided") continue;
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (!made) return similar("label_not_given", number);
      found.set(made.number, made);
    }
    const [one, ...others] = found.values();
    if (!one) return ABSENT;
    const isOurs = others.length === 0 && one.labels.length === body.packages.length;
    return isOurs ? one : similar("other_shipment", one.number);
  });
}

const similar = (code: string, shipment: string) =>
  ({ kind: "similar", cause: { code, params: { shipment }, tid: null } }) as const;

/** Numbers that UPS names for the PO and that are of no other purchase of ours. */
async function listCandidates(
  ctx: ShippingCtx,
  { realmId, shipment }: { realmId: string; shipment: StoredShipment },
  answer: RecoverAnswer,
): Promise<string[]> {
  if (answer.state === "none") return [];
  const zip = toZip(shipment.body.shipTo.address).slice(0, 5);
  const numbers =
    answer.state === "found"
      ? answer.packages.map(({ trackingNumber }) => trackingNumber)
      : answer.candidates
          .filter((one) => one.zip.slice(0, 5) === zip)
          .map(({ trackingNumber }) => trackingNumber);
  const known = await findKnownNumbers(ctx.db, realmId, numbers);
  return numbers.filter((number) => !known.has(number));
}

/** Labels by a tracking number, in the format they were asked for. @returns null when UPS has none that can be used @throws UpsError */
export async function recoverMade(
  ups: Ups,
  token: string,
  trackingNumber: string,
  format: "GIF" | "ZPL",
): Promise<Made | null> {
  const answer = await ups.recoverLabels(token, { trackingNumber }, format);
  return answer.state === "found" ? toRecovered(answer) : null;
}

/** @returns null when a label is missing or unreadable */
function toRecovered({ shipmentId, packages }: Extract<RecoverAnswer, { state: "found" }>): Made | null {
  const labels = packages.flatMap(({ trackingNumber, label }) =>
    label && isPicture(label, trackingNumber) ? [{ trackingNumber, image: label }] : [],
  );
  return labels.length === packages.length ? { number: shipmentId, labels, charge: null } : null;
}

/** UPS's own words are shown to users with their code. */
function toCause(error: UpsError): Cause {
  const [fault] = error.faults;
  return fault
    ? {
        code: "ups_refused",
        params: { kind: error.kind, ups: fault.code, message: fault.message },
        tid: null,
      }
    : { code: `ups_${error.kind}`, params: { http: error.http }, tid: null };
}
