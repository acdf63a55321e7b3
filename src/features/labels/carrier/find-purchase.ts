import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/labels/carrier/ctx.ts";
import { toRecovered, type Made } from "#features/labels/carrier/made.ts";
import {
  compare,
  countPackages,
  FACTS,
  findMadeAt,
  isProductReference,
  judgeOurs,
  listShipTo,
  type OursEvidence,
  type Theirs,
  type Verdict,
} from "#features/labels/carrier/rules-ours.ts";
import {
  findGivenUp,
  findHeldNumbers,
  type Stranger,
  type StoredShipment,
} from "#features/labels/carrier/store.ts";
import { findOrders, placeText } from "#features/orders/index.ts";
import { readLabelTexts } from "#formats/carrier-label/read-label-texts.ts";
import type { Ups } from "#integrations/ups/client.ts";
import type { RecoverAnswer } from "#integrations/ups/recover-labels.ts";

const DAY_MS = 24 * 3_600_000;

/** A purchase as UPS has it. */
export type Found =
  | { kind: "made"; made: Made }
  | { kind: "asked"; code: "label_not_given" | "other_shipment"; number: string; stranger: Stranger | null }
  | { kind: "absent" };

type Access = { ups: Ups; token: string; account: string };

/** A shipment at UPS, and whether it is the purchase's. */
type Candidate = { number: string; answer: RecoverAnswer; theirs: Theirs; verdict: Verdict } & Pick<
  OursEvidence,
  "agrees"
>;

/**
 * Searches the account's shipments for a purchase: by the numbers that UPS named in its answer, then by the purchase's own
 * reference, then by the PO number. Only what is surely the purchase's counts as made; anything that may be is asked about.
 * @throws UpsError
 */
export async function findPurchase(ctx: ShippingCtx, shipment: StoredShipment): Promise<Found> {
  return callUps(ctx, shipment.realm_id, async (ups, { token, account }) => {
    for (const number of shipment.named) {
      const answer = await ups.recoverLabels(token, { trackingNumber: number }, shipment.body.label);
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (made) return { kind: "made", made };
    }
    const candidates = await listCandidates(ctx, { ups, token, account }, shipment);
    const surely = candidates.filter(({ verdict }) => verdict === "surely");
    for (const { answer } of surely) {
      const made = answer.state === "found" ? toRecovered(answer) : null;
      if (made) return { kind: "made", made };
    }
    const [one] = surely;
    if (one) return { kind: "asked", code: "label_not_given", number: one.number, stranger: null };
    const stranger = candidates.find(({ verdict }) => verdict === "possibly");
    if (!stranger) return { kind: "absent" };
    const { number } = stranger;
    return { kind: "asked", code: "other_shipment", number, stranger: toStranger(stranger) };
  });
}

async function listCandidates(
  ctx: ShippingCtx,
  access: Access,
  shipment: StoredShipment,
): Promise<Candidate[]> {
  const { ups, token, account } = access;
  const { realm_id: realmId, po_number: poNumber, named, reference } = shipment;
  const format = shipment.body.label;
  const now = ctx.clock.now();
  const [order] = await findOrders(ctx.db, realmId, [shipment.order_id]);
  const givenUp = await findGivenUp(ctx.db, realmId, shipment.order_id);
  const references = new Set([reference, ...givenUp.references]);
  const own = await ups.recoverLabels(token, { reference, account }, format);
  const byPo = await ups.recoverLabels(token, { reference: poNumber, account }, format);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const tracked = await ups.trackReference(token, poNumber, {
    account,
    from: day(now.getTime() - 14 * DAY_MS),
    to: day(now.getTime() + DAY_MS),
  });
  const ownNumbers = new Set(listNumbers(own));
  const numbers = [
    ...new Set([
      ...named,
      ...ownNumbers,
      ...listNumbers(byPo),
      ...tracked.filter(({ state }) => state !== "voided").map(({ trackingNumber }) => trackingNumber),
    ]),
  ];
  const held = await findHeldNumbers(ctx, numbers, shipment.id);
  const candidates: Candidate[] = [];
  for (const number of numbers) {
    if (candidates.some(({ theirs }) => theirs.numbers.includes(number))) continue;
    const isHeld = held.has(number);
    const isDenied = givenUp.denied.has(number);
    if (isHeld || isDenied) continue;
    const answer =
      [own, byPo].find((one) => one.state === "found" && listNumbers(one).includes(number)) ??
      (await ups.recoverLabels(token, { trackingNumber: number }, format));
    const isNamed = named.includes(number);
    const all = answer.state === "found" ? listNumbers(answer) : [number];
    const known = tracked.filter(({ trackingNumber }) => all.includes(trackingNumber));
    const carried = known.flatMap((one) => one.references.map((each) => each.number));
    const isOwn = ownNumbers.has(number) || carried.some((each) => references.has(each));
    const theirs: Theirs = {
      numbers: all,
      packages: known.length > 0 || isOwn || isNamed ? known : await ups.track(token, number),
      texts: isOwn || isNamed ? null : await readTexts(access, answer, number),
    };
    const agrees = compare(shipment.body, theirs, { from: order?.received_at ?? now, to: now });
    const evidence: OursEvidence = {
      isVoided: answer.state === "none" && answer.reason === "voided",
      isHeld,
      isDenied,
      isNamed,
      reference: isOwn
        ? "own"
        : listReferences(theirs).some((each) => isProductReference(each))
          ? "other"
          : "none",
      agrees,
    };
    candidates.push({
      number: answer.state === "found" ? answer.shipmentId : number,
      answer,
      theirs,
      agrees,
      verdict: judgeOurs(evidence),
    });
  }
  return candidates;
}

const listNumbers = (answer: RecoverAnswer): string[] =>
  answer.state === "found"
    ? answer.packages.map(({ trackingNumber }) => trackingNumber)
    : answer.state === "candidates"
      ? answer.candidates.map(({ trackingNumber }) => trackingNumber)
      : [];

/** References that tracking names, and those on the label. */
const listReferences = ({ packages, texts }: Theirs): string[] => [
  ...packages.flatMap(({ references }) => references.map(({ number }) => number)),
  ...(texts ?? []).flatMap((text) => text.split(/[^A-Z0-9]+/)),
];

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
