import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { toRecovered, type ShipmentResult } from "#features/shipping/shipment-result.ts";
import { findPromisedPurchases, findPurchaseReferences } from "#features/shipping/promises.ts";
import {
  agreesInAll,
  compare,
  countPackages,
  FACTS,
  findMadeAt,
  isProductReference,
  decideOurs,
  listShipTo,
  type OursEvidence,
  type Theirs,
  type Verdict,
} from "#features/shipping/rules-ours.ts";
import { findHeldNumbers, findOtherPurchases } from "#features/shipping/store-search.ts";
import { type Stranger, type StoredShipment } from "#features/shipping/store.ts";
import { findOrders, nameOrder, placeText } from "#features/orders/index.ts";
import { readLabelTexts } from "#formats/carrier-label/read-label-texts.ts";
import type { Ups } from "#integrations/ups/client.ts";
import type { RecoverAnswer } from "#integrations/ups/recover-labels.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";
import { DAY_MS } from "#platform/time.ts";
import type { Cause } from "#platform/writes/evidence.ts";

/** A purchase as UPS has it. */
export type Found =
  | { kind: "made"; made: ShipmentResult }
  | { kind: "asked"; cause: Cause; stranger: Stranger | null }
  | { kind: "absent" };

type Access = { ups: Ups; token: string; account: string };

/** A shipment at UPS, what speaks for it, and whether it is the purchase's. */
type Read = { number: string; answer: RecoverAnswer; theirs: Theirs } & Omit<OursEvidence, "hasTwin">;
type Candidate = Read & { verdict: Verdict };

/**
 * Searches the account's shipments for a purchase: by the numbers that UPS named in its answer, by its own reference once its call
 * may have been made, and by the PO number if that finds nothing. Only what is surely the purchase's counts as made; anything that
 * may be is asked about. Under another account than the purchase's nothing is searched, since an empty search would say nothing.
 * @throws UpsError
 */
export async function findPurchase(ctx: ShippingCtx, shipment: StoredShipment): Promise<Found> {
  return callUps(ctx, shipment.realm_id, async (ups, { token, account }) => {
    const { account: own } = shipment.body.shipper;
    if (account !== own) return toAsked("other_account", { account: own });
    const held = await findHeldNumbers(ctx.db, shipment.named, shipment.id);
    for (const number of shipment.named.filter((each) => !held.has(each))) {
      const answer = await ups.recoverLabels(token, { trackingNumber: number }, shipment.body.label);
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (made?.labels.length === shipment.body.packages.length) return { kind: "made", made };
    }
    const known = await readKnown(ctx, shipment);
    for (const reference of [...known.promised, shipment.po_number]) {
      const found = choose(
        await listCandidates(ctx, { ups, token, account }, shipment, { reference, known }),
      );
      if (found.kind !== "absent") return found;
    }
    return { kind: "absent" };
  });
}

function choose(candidates: readonly Candidate[]): Found {
  const surely = candidates.filter(({ verdict }) => verdict === "surely");
  for (const { answer } of surely) {
    const made = answer.state === "found" ? toRecovered(answer) : null;
    if (made) return { kind: "made", made };
  }
  const [found] = surely;
  if (found) return toAsked("label_not_given", { shipment: found.number });
  const stranger = candidates.find(({ verdict }) => verdict === "possibly");
  if (!stranger) return { kind: "absent" };
  return toAsked("other_shipment", { shipment: stranger.number }, toStranger(stranger));
}

const toAsked = (code: string, params: Cause["params"], stranger: Stranger | null = null): Found => ({
  kind: "asked",
  cause: { code, params, tid: null },
  stranger,
});

/** Facts known here about a purchase's order. */
type Known = Awaited<ReturnType<typeof readKnown>>;

async function readKnown(ctx: ShippingCtx, shipment: StoredShipment) {
  const { realm_id: realmId, order_id: orderId, reference } = shipment;
  const now = ctx.clock.now();
  const [order] = await findOrders(ctx.db, realmId, [orderId]);
  const { bought, givenUp, ...denied } = await findOtherPurchases(ctx.db, shipment);
  const named = order && { realmId, partner: order.partner, poNumber: nameOrder(order) };
  // This purchase once its call may have been made, and those that a restored database doesn't know.
  const purchases = named ? await findPromisedPurchases(ctx.journal, named, bought) : [];
  const promised = purchases.map((each) => each.reference);
  return {
    ...denied,
    promised,
    numbers: purchases.flatMap(({ numbers }) => numbers),
    references: new Set([reference, ...givenUp, ...promised]),
    span: { from: order?.received_at ?? now, to: now },
  };
}

/** Evidence about a shipment when only its number is known. */
const UNREAD = {
  isVoided: false,
  isNamed: false,
  hasTwin: false,
  reference: "none",
  agrees: { consignee: null, packages: null, service: null, weights: null, time: null },
} as const;

async function listCandidates(
  ctx: ShippingCtx,
  { ups, token, account }: Access,
  shipment: StoredShipment,
  { reference, known }: { reference: string; known: Known },
): Promise<Candidate[]> {
  const { id, po_number: poNumber, named, body } = shipment;
  const listed = await ups.recoverLabels(token, { reference, account }, body.label);
  const isOwn = reference !== poNumber;
  if (isOwn && listed.state === "none" && listed.reason === "unknown") return [];
  const now = ctx.clock.now().getTime();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const scope = { account, from: day(now - 14 * DAY_MS), to: day(now + DAY_MS) };
  const tracked = await ups.trackReference(token, reference, scope);
  const live = tracked.filter(({ state }) => state !== "voided").map((pkg) => pkg.trackingNumber);
  const owned = new Set([...known.numbers, ...(isOwn ? listNumbers(listed) : [])]);
  const numbers = new Set([...named, ...owned, ...listNumbers(listed), ...live]);
  const held = await findHeldNumbers(ctx.db, [...numbers], id);
  const read: Read[] = [];
  for (const number of numbers) {
    if (read.some(({ theirs }) => theirs.numbers.includes(number))) continue;
    const isHeld = held.has(number);
    // Saves calls to UPS for shipments that can't be ours.
    if (decideOurs({ ...UNREAD, isHeld, isDenied: known.denied.has(number) }) === "no") continue;
    const search = { known, listed, tracked, isOwn: owned.has(number), isHeld };
    read.push(await readCandidate(ctx, { ups, token }, shipment, { number, ...search }));
  }
  const equal = read.filter((each) => each.reference === "none" && agreesInAll(each));
  const hasTwin = known.hasDeniedEqual || equal.length > 1;
  return read.map((each) => ({ ...each, verdict: decideOurs({ ...each, hasTwin }) }));
}

type Search = {
  number: string;
  known: Known;
  listed: RecoverAnswer;
  tracked: readonly TrackedPackage[];
  isOwn: boolean;
  isHeld: boolean;
};

async function readCandidate(
  ctx: ShippingCtx,
  access: Pick<Access, "ups" | "token">,
  { named, body }: StoredShipment,
  { number, known, listed, tracked, isOwn, isHeld }: Search,
): Promise<Read> {
  const { ups, token } = access;
  const answer =
    listed.state === "found" && listNumbers(listed).includes(number)
      ? listed
      : await ups.recoverLabels(token, { trackingNumber: number }, body.label);
  const isFound = answer.state === "found";
  const numbers = isFound ? listNumbers(answer) : [number];
  const packages = tracked.filter(({ trackingNumber }) => numbers.includes(trackingNumber));
  const isNamed = named.includes(number);
  const isKnown = (each: string) => known.references.has(each);
  const isSure = isNamed || isOwn || listReferences({ packages, texts: null }).some(isKnown);
  const theirs: Theirs = {
    numbers,
    isWhole: isFound,
    packages: packages.length > 0 || isSure ? packages : await ups.track(token, number),
    texts: isSure ? null : await readTexts(access, answer, number),
  };
  const carried = listReferences(theirs);
  const findOwner = async () => {
    if (isOwn || carried.some(isKnown)) return "own";
    if (carried.length === 0) return "none";
    return (await findPurchaseReferences(ctx, carried)).size > 0 ? "other" : "unknown";
  };
  const shipmentNumber = isFound ? answer.shipmentId : number;
  return {
    number: shipmentNumber,
    answer,
    theirs,
    isVoided:
      (answer.state === "none" && answer.reason === "voided") ||
      (theirs.packages.length > 0 && theirs.packages.every(({ state }) => state === "voided")),
    isHeld,
    // A package of a shipment may be denied by its shipment's number.
    isDenied: known.denied.has(shipmentNumber),
    isNamed,
    reference: await findOwner(),
    agrees: compare(body, theirs, known.span),
  };
}

/** Reads what UPS has under a number that a user types for a purchase. @throws UpsError */
export const readTyped = (ctx: ShippingCtx, shipment: StoredShipment, number: string) =>
  callUps(ctx, shipment.realm_id, async (ups, { token }) => {
    const nothing = { listed: { state: "none", reason: "unknown" }, tracked: [] } as const;
    const search = { ...nothing, known: await readKnown(ctx, shipment), isOwn: false, isHeld: false };
    return readCandidate(ctx, { ups, token }, shipment, { number, ...search });
  });

const listNumbers = (answer: RecoverAnswer): string[] =>
  answer.state === "found"
    ? answer.packages.map(({ trackingNumber }) => trackingNumber)
    : answer.state === "candidates"
      ? answer.candidates.map(({ trackingNumber }) => trackingNumber)
      : [];

/** References of this product that tracking names, and those on the label. */
const listReferences = ({ packages, texts }: Pick<Theirs, "packages" | "texts">): string[] =>
  [
    ...packages.flatMap(({ references }) => references.map(({ number }) => number)),
    ...(texts ?? []).flatMap((text) => text.split(/[^A-Z0-9]+/)),
  ].filter((each) => isProductReference(each));

/** A label's texts are only in its form for thermal printers. */
async function readTexts(
  { ups, token }: Pick<Access, "ups" | "token">,
  answer: RecoverAnswer,
  number: string,
) {
  const label = answer.state === "found" ? answer.packages[0]?.label : null;
  const texts = label ? readLabelTexts(label.bytes) : null;
  if (texts !== null || answer.state !== "found") return texts;
  const zpl = await ups.recoverLabels(token, { trackingNumber: number }, "ZPL");
  const other = zpl.state === "found" ? zpl.packages[0]?.label : null;
  return other ? readLabelTexts(other.bytes) : null;
}

/** Facts of it that a user is shown beside the order. */
export function toStranger({ number, theirs, agrees }: Read): Stranger {
  const [first] = theirs.packages;
  const weights = theirs.packages.flatMap(({ weight }) => (weight ? [weight.weight] : []));
  const to = first?.destination;
  return {
    number,
    numbers: theirs.numbers,
    ship_to: listShipTo(theirs),
    place: to ? placeText(to) : "",
    cartons: countPackages(theirs),
    weights,
    service: first?.service?.description ?? "",
    made_at: findMadeAt(theirs)?.toISOString() ?? null,
    differs: FACTS.filter((fact) => agrees[fact] === false),
  };
}
