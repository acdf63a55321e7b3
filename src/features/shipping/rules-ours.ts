import { createHash } from "node:crypto";
import { serviceName } from "#integrations/ups/service-names.ts";
import { toPounds, toZip, type Shipment } from "#integrations/ups/shipment.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";

/** Facts by which a shipment at UPS and a purchase are compared. */
export const FACTS = ["consignee", "packages", "service", "weights", "time"] as const;
export type Fact = (typeof FACTS)[number];

/** Null for a fact that UPS doesn't name. */
export type Agreement = Readonly<Record<Fact, boolean | null>>;

/** Evidence about a shipment at UPS that may be a purchase of ours. */
export type OursEvidence = {
  isVoided: boolean;
  /** A purchase of this installation has its number, of any company. */
  isHeld: boolean;
  /** A user said that it is something else. */
  isDenied: boolean;
  /** UPS named its number in the answer to the purchase's own call. */
  isNamed: boolean;
  /** Another shipment agrees in all facts too, or did when a user said that it is something else. */
  hasTwin: boolean;
  /** Whose reference it carries: the purchase's own, another purchase's here, one of this product that is not known here, or none. */
  reference: "own" | "other" | "unknown" | "none";
  agrees: Agreement;
};

export type Verdict = "surely" | "possibly" | "no";

type Row = { when: string; holds(evidence: OursEvidence): boolean; verdict: Verdict };

export const agreesInAll = ({ agrees }: Pick<OursEvidence, "agrees">): boolean =>
  FACTS.every((fact) => agrees[fact] === true);
/** The own reference says when it was made better than a clock. */
const differsInOrder = ({ agrees }: OursEvidence) =>
  FACTS.some((fact) => fact !== "time" && agrees[fact] === false);

/** Whether a shipment at UPS is a purchase's: the first row that holds decides. `docs/writes.md` is printed from this table. */
export const OURS: readonly Row[] = [
  { when: "it is voided", holds: ({ isVoided }) => isVoided, verdict: "no" },
  {
    when: "a purchase here has its number, of this company or another",
    holds: ({ isHeld }) => isHeld,
    verdict: "no",
  },
  {
    when: "it carries the reference of another purchase here, of this company or another",
    holds: ({ reference }) => reference === "other",
    verdict: "no",
  },
  { when: "a user said that it is something else", holds: ({ isDenied }) => isDenied, verdict: "no" },
  {
    when: "UPS named its number in the answer to the purchase's own call, and has as many packages of it",
    holds: ({ isNamed, agrees }) => isNamed && agrees.packages !== false,
    verdict: "surely",
  },
  {
    when: "it carries the purchase's own reference, and nothing that UPS names of consignee, packages, service and weights differs",
    holds: (evidence) => evidence.reference === "own" && !differsInOrder(evidence),
    verdict: "surely",
  },
  {
    when: "it carries no reference of this product, consignee, packages, service, weights and time all agree, and no other shipment agrees so",
    holds: (evidence) => evidence.reference === "none" && !evidence.hasTwin && agreesInAll(evidence),
    verdict: "surely",
  },
  { when: "anything else", holds: () => true, verdict: "possibly" },
];

/** Decides whether a shipment at UPS is a purchase's. What is possibly ours is neither used nor voided: a user is asked. */
export const decideOurs = (evidence: OursEvidence): Verdict =>
  OURS.find((row) => row.holds(evidence))?.verdict ?? "possibly";

/** The reference that each purchase carries in addition to the PO number, in letters and digits that are not mistaken for others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SHAPE = /^DS[0-9A-HJKMNP-TV-Z]{12}$/;

export const isProductReference = (value: string): boolean => SHAPE.test(value);

/**
 * A purchase's own reference. It is derived, so that a database restored from an older backup, which has forgotten a purchase,
 * finds its labels under the reference of the next one.
 * @param order its `poNumber` is one that no other order of the retailer has
 * @param turn how many purchases of the order UPS may have made before
 */
export function deriveReference(order: {
  realmId: string;
  partner: string;
  poNumber: string;
  turn: number;
}): string {
  const { realmId, partner, poNumber, turn } = order;
  const hash = createHash("sha256")
    .update(JSON.stringify([realmId, partner, poNumber, turn]))
    .digest();
  return `DS${[...hash.subarray(0, 12)].map((byte) => ALPHABET[byte % 32]).join("")}`;
}

/** A shipment as UPS has it. */
export type Theirs = {
  /** Numbers of its packages that are not voided. */
  numbers: readonly string[];
  /** Whether those are all of them. */
  isWhole: boolean;
  /** Lines on its label; null if unknown. */
  texts: readonly string[] | null;
  /** Packages that UPS's tracking knows. */
  packages: readonly TrackedPackage[];
};

/** Clocks differ. */
const SKEW_MS = 5 * 60_000;

/** @param span from when the order came in until now */
export function compare(
  { shipTo, service, packages }: Shipment,
  theirs: Theirs,
  span: { from: Date; to: Date },
): Agreement {
  const zip = toZip(shipTo.address).slice(0, 5);
  const madeAt = findMadeAt(theirs);
  const counts = listCounts(theirs);
  const weights = listWeights(theirs);
  const named = theirs.packages.find((pkg) => pkg.service)?.service ?? null;
  return {
    consignee: isConsignee({ name: shipTo.name, line: shipTo.address.lines[0] ?? "", zip }, theirs),
    packages: counts.length === 0 ? null : counts.every((count) => count === packages.length),
    service: named && (named.code === service || plain(named.description) === plain(serviceName(service))),
    weights:
      weights === null || weights.length !== Math.max(...counts)
        ? null
        : toText(weights) === toText(packages.map((pkg) => toPounds(pkg))),
    time:
      madeAt === null
        ? null
        : madeAt.getTime() >= span.from.getTime() - SKEW_MS &&
          madeAt.getTime() <= span.to.getTime() + SKEW_MS,
  };
}

const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

const toText = (weights: readonly number[]): string =>
  weights
    .map((weight) => weight.toFixed(1))
    .toSorted()
    .join();

const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/u;

function isConsignee(ours: { name: string; line: string; zip: string }, { texts, packages }: Theirs) {
  const zips = packages.flatMap(({ destination }) => (destination?.zip ? [destination.zip.slice(0, 5)] : []));
  if (zips.some((zip) => zip !== ours.zip)) return false;
  if (texts === null) return null;
  const printed = plain(texts.join(" "));
  const facts = [ours.name, ours.line, ours.zip];
  if (!facts.every((fact) => printed.includes(plain(fact)))) return false;
  // UPS prints other letters in a way of its own, so nothing says that they agree.
  return facts.some((fact) => plain(fact) === "" || OTHER_LETTERS.test(fact)) ? null : true;
}

/** Tracking names the count with which a shipment was made, voided packages included. */
const listCounts = ({ numbers, isWhole, packages }: Theirs): number[] => [
  ...(isWhole ? [numbers.length] : []),
  ...packages.flatMap(({ packageCount }) => packageCount ?? []),
];

/** How many packages are left of a shipment, as far as that is known. */
export const countPackages = (theirs: Theirs): number | null => listCounts(theirs)[0] ?? null;

/** Pounds; null if one is not named in pounds. */
function listWeights({ packages }: Theirs): number[] | null {
  const weights = packages.map(({ weight }) =>
    weight && /^LB/i.test(weight.unit) ? Number(weight.weight) : Number.NaN,
  );
  return weights.length > 0 && weights.every((weight) => Number.isFinite(weight)) ? weights : null;
}

export function findMadeAt({ packages }: Pick<Theirs, "packages">): Date | null {
  const times = packages.flatMap(({ activities }) =>
    activities.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)])),
  );
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** Lines behind "SHIP TO:", to the one with the ZIP code. */
export function listShipTo({ texts }: Theirs): string[] {
  const from = (texts ?? []).findIndex((text) => /^SHIP TO\b/i.test(text));
  if (from === -1) return [];
  const lines = (texts ?? []).slice(from + 1, from + 8);
  const end = lines.findIndex((line) => /\b\d{5}(-\d{4})?$|\b[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(line));
  return end === -1 ? [] : lines.slice(0, end + 1);
}
