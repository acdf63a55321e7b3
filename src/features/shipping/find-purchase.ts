import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { toRecovered, type ShipmentResult } from "#features/shipping/shipment-result.ts";
import { findForgottenPurchases, findPurchaseReferences } from "#features/shipping/promises.ts";
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
import { findGivenUp, findHeldNumbers, findReferences } from "#features/shipping/store-search.ts";
import { type Stranger, type StoredShipment } from "#features/shipping/store.ts";
import { findOrders, nameOrder, placeText, type StoredOrder } from "#features/orders/index.ts";
import { readLabelTexts } from "#formats/carrier-label/read-label-texts.ts";
import type { Ups } from "#integrations/ups/client.ts";
import type { RecoverAnswer } from "#integrations/ups/recover-labels.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";
import { DAY_MS } from "#platform/time.ts";

/** A purchase as UPS has it. */
export type Found =
  | { kind: "made"; made: ShipmentResult }
  | { kind: "asked"; code: "label_not_given" | "other_shipment"; number: string; stranger: Stranger | null }
  | { kind: "absent" };

type Access = { ups: Ups; token: string; account: string };

/** A shipment at UPS, what speaks for it, and whether it is the purchase's. */
type Read = { number: string; answer: RecoverAnswer; theirs: Theirs } & Omit<OursEvidence, "hasTwin">;
type Candidate = Read & { verdict: Verdict };

/**
 * Searches the account's shipments for a purchase: by the numbers that UPS named in its answer, then by the purchase's own
 * reference, then by the PO number. Only what is surely the purchase's counts as made; anything that may be is asked about.
 * @throws UpsError
 */
export async function findPurchase(ctx: ShippingCtx, shipment: StoredShipment): Promise<Found> {
  return callUps(ctx, shipment.realm_id, async (ups, { token, account }) => {
    const held = await findHeldNumbers(ctx.db, shipment.named, shipment.id);
    for (const number of shipment.named.filter((each) => !held.has(each))) {
      const answer = await ups.recoverLabels(token, { trackingNumber: number }, shipment.body.label);
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (made?.labels.length === shipment.body.packages.length) return { kind: "made", made };
    }
    const candidates = await listCandidates(ctx, { ups, token, account }, shipment);
    const surely = candidates.filter(({ verdict }) => verdict === "surely");
    for (const { answer } of surely) {
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (made) return { kind: "made", made };
    }
    const [found] = surely;
    if (found) return { kind: "asked", code: "label_not_given", number: found.number, stranger: null };
    const stranger = candidates.find(({ verdict }) => verdict === "possibly");
    if (!stranger) return { kind: "absent" };
    const { number } = stranger;
    return { kind: "asked", code: "other_shipment", number, stranger: toStranger(stranger) };
  });
}

/** Evidence about a shipment of which only the number is known. */
const UNREAD = {
  isVoided: false,
  isNamed: false,
  hasTwin: false,
  reference: "none",
  agrees: { consignee: null, packages: null, service: null, weights: null, time: null },
} as const;

async function listCandidates(
  ctx: ShippingCtx,
  access: Access,
  shipment: StoredShipment,
): Promise<Candidate[]> {
  const { realm_id: realmId, order_id: orderId } = shipment;
  const now = ctx.clock.now();
  const [order] = await findOrders(ctx.db, realmId, [orderId]);
  const givenUp = await findGivenUp(ctx.db, realmId, orderId);
  const forgotten = await listForgotten(ctx, order);
  const search = await searchUps(ctx, access, shipment, forgotten.numbers);
  const held = await findHeldNumbers(ctx.db, search.numbers, shipment.id);
  const known: Known = {
    ...search,
    references: new Set([shipment.reference, ...givenUp.references, ...forgotten.references]),
    span: { from: order?.received_at ?? now, to: now },
  };
  const candidates: Read[] = [];
  for (const number of search.numbers) {
    if (candidates.some(({ theirs }) => theirs.numbers.includes(number))) continue;
    const found = { isHeld: held.has(number), isDenied: givenUp.denied.has(number) };
    // Saves calls to UPS for shipments that can't be ours.
    if (decideOurs({ ...UNREAD, ...found }) === "no") continue;
    const candidate = await readCandidate(access, shipment, { number, known, ...found });
    // A package of a shipment that was denied by its own number.
    if (!givenUp.denied.has(candidate.number)) candidates.push(candidate);
  }
  const unknown = candidates.filter(({ reference }) => reference === "unknown");
  const others = await findPurchaseReferences(
    ctx,
    unknown.flatMap(({ theirs }) => listReferences(theirs)),
  );
  const nameOwner = ({ reference, theirs }: Read) =>
    reference === "unknown" && listReferences(theirs).some((each) => others.has(each)) ? "other" : reference;
  const equal = candidates.filter((each) => each.reference === "none" && agreesInAll(each));
  const hasTwin = givenUp.hasDeniedEqual || equal.length > 1;
  return candidates.map((each) => ({
    ...each,
    verdict: decideOurs({ ...each, reference: nameOwner(each), hasTwin }),
  }));
}

/** References and numbers of the order's purchases that a restored database doesn't know. */
async function listForgotten(ctx: ShippingCtx, order: StoredOrder | undefined) {
  if (!order) return { references: [], numbers: [] };
  const { realm_id: realmId, partner, id } = order;
  const known = await findReferences(ctx.db, realmId, id);
  const named = { realmId, partner, poNumber: nameOrder(order) };
  const found = await findForgottenPurchases(ctx.journal, named, known);
  return {
    references: found.map(({ reference }) => reference),
    numbers: found.flatMap(({ numbers }) => numbers),
  };
}

/** Answers of UPS about a purchase's references, and the numbers that they name. */
type Search = {
  own: RecoverAnswer;
  byPo: RecoverAnswer;
  tracked: TrackedPackage[];
  numbers: string[];
  forgotten: readonly string[];
};

async function searchUps(
  ctx: ShippingCtx,
  { ups, token, account }: Access,
  { po_number: poNumber, named, reference, body }: StoredShipment,
  forgotten: readonly string[],
): Promise<Search> {
  const now = ctx.clock.now().getTime();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const byPo = await ups.recoverLabels(token, { reference: poNumber, account }, body.label);
  // A purchase carries both references: where UPS knows none by the PO number, its own finds none either.
  const own =
    byPo.state === "none" && byPo.reason === "unknown"
      ? byPo
      : await ups.recoverLabels(token, { reference, account }, body.label);
  const scope = { account, from: day(now - 14 * DAY_MS), to: day(now + DAY_MS) };
  const tracked = await ups.trackReference(token, poNumber, scope);
  const live = tracked.filter(({ state }) => state !== "voided").map((pkg) => pkg.trackingNumber);
  return {
    own,
    byPo,
    tracked,
    forgotten,
    numbers: [...new Set([...named, ...listNumbers(own), ...forgotten, ...listNumbers(byPo), ...live])],
  };
}

type Known = Search & { references: ReadonlySet<string>; span: { from: Date; to: Date } };

async function readCandidate(
  access: Access,
  { named, body }: StoredShipment,
  { number, known, ...found }: { number: string; known: Known } & Pick<OursEvidence, "isHeld" | "isDenied">,
): Promise<Read> {
  const { ups, token } = access;
  const { own, byPo, tracked, references, forgotten } = known;
  const answer =
    [own, byPo].find((search) => search.state === "found" && listNumbers(search).includes(number)) ??
    (await ups.recoverLabels(token, { trackingNumber: number }, body.label));
  const isNamed = named.includes(number);
  const numbers = answer.state === "found" ? listNumbers(answer) : [number];
  const shown = tracked.filter(({ trackingNumber }) => numbers.includes(trackingNumber));
  const carried = shown.flatMap((shipment) => shipment.references.map((each) => each.number));
  const isOwn =
    listNumbers(own).includes(number) ||
    forgotten.includes(number) ||
    carried.some((each) => references.has(each));
  const isSure = isOwn || isNamed;
  const theirs: Theirs = {
    numbers,
    isWhole: answer.state === "found",
    packages: shown.length > 0 || isSure ? shown : await ups.track(token, number),
    texts: isSure ? null : await readTexts(access, answer, number),
  };
  return {
    ...found,
    number: answer.state === "found" ? answer.shipmentId : number,
    answer,
    theirs,
    isVoided: answer.state === "none" && answer.reason === "voided",
    isNamed,
    reference: isOwn ? "own" : listReferences(theirs).length > 0 ? "unknown" : "none",
    agrees: compare(body, theirs, known.span),
  };
}

const listNumbers = (answer: RecoverAnswer): string[] =>
  answer.state === "found"
    ? answer.packages.map(({ trackingNumber }) => trackingNumber)
    : answer.state === "candidates"
      ? answer.candidates.map(({ trackingNumber }) => trackingNumber)
      : [];

/** References of this product that tracking names, and those on the label. */
const listReferences = ({ packages, texts }: Theirs): string[] =>
  [
    ...packages.flatMap(({ references }) => references.map(({ number }) => number)),
    ...(texts ?? []).flatMap((text) => text.split(/[^A-Z0-9]+/)),
  ].filter((each) => isProductReference(each));

/** A label's texts are only in its form for thermal printers. */
async function readTexts({ ups, token }: Access, answer: RecoverAnswer, number: string) {
  const label = answer.state === "found" ? answer.packages[0]?.label : null;
  const texts = label ? readLabelTexts(label.bytes) : null;
  if (texts !== null || answer.state !== "found") return texts;
  const zpl = await ups.recoverLabels(token, { trackingNumber: number }, "ZPL");
  const other = zpl.state === "found" ? zpl.packages[0]?.label : null;
  return other ? readLabelTexts(other.bytes) : null;
}

/** Facts of it that a user is shown beside the order. */
function toStranger({ number, theirs, agrees }: Candidate): Stranger {
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
