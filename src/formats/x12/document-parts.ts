import {
  readContact,
  readParty,
  readReference,
  writeContact,
  writeParty,
  writeReference,
  type Contact,
  type Draft,
  type Party,
  type Reference,
} from "./parties.ts";
import type { Loop } from "./read-loops.ts";
import type { Segment } from "./transaction-set.ts";
import { date, text, writeDate, writeTime, wholeNumber, writeWhole } from "./values.ts";

/** DTM. `date` is YYYY-MM-DD, `time` HHMM or longer; a period stands as it was sent, with its format. */
export type QualifiedDate = {
  qualifier: string;
  date: string;
  time: string;
  timeCode: string;
  periodFormat: string;
  period: string;
};

/** SAC: an allowance or charge, "C" or "A", with X12's code for it and its amount. */
export type AllowanceOrCharge = {
  indicator: string;
  code: string;
  agency: string;
  agencyCode: string;
  amountCents: number | null;
  /** X12's code for what the percent is of; percent and rate as decimal text. */
  percentOf: string;
  percent: string;
  rate: string;
  description: string;
};

/** TD5: how the goods travel. `id` with the qualifier "2" is a SCAC. */
export type Routing = {
  sequence: string;
  idQualifier: string;
  id: string;
  transport: string;
  routing: string;
  serviceLevel: string;
};

/** TD1: packages and weight, both as decimal text. */
export type Packages = {
  packaging: string;
  count: string;
  weightQualifier: string;
  weight: string;
  weightUnit: string;
};

/** N9 with the messages that follow it. */
export type Note = { qualifier: string; value: string; description: string; messages: readonly string[] };

/** PID: a description; `kind` is "F" for free text. */
export type Description = { kind: string; characteristic: string; code: string; text: string };

/** Parts of headings, lines and levels of documents, behind the first segment of each. */
export type Details = {
  /** CUR: currency, "USD", and whose it is; both empty when it is not said. */
  currency: string;
  currencyOf: string;
  references: readonly Reference[];
  contacts: readonly Contact[];
  charges: readonly AllowanceOrCharge[];
  dates: readonly QualifiedDate[];
  descriptions: readonly Description[];
  packages: readonly Packages[];
  routings: readonly Routing[];
  notes: readonly Note[];
  parties: readonly Party[];
};

/** For documents that say nothing more of a line or level. */
export const NO_DETAILS: Details = {
  currency: "",
  currencyOf: "",
  references: [],
  contacts: [],
  charges: [],
  dates: [],
  routings: [],
  packages: [],
  notes: [],
  parties: [],
  descriptions: [],
};

/** Details with the segments that X12 allows there and no field holds, or not all of; they are not written. */
export type WithUnused<Part> = Part & { unused: readonly Segment[] };

/** Reads the details of a loop. @param own segment that the reader of the document takes itself */
export function readDetails(
  segments: readonly Segment[],
  loops: readonly Loop[],
  own: string,
): WithUnused<Details> {
  const details: Draft<WithUnused<Details>> = {
    currency: "",
    currencyOf: "",
    references: [],
    contacts: [],
    charges: [],
    dates: [],
    routings: [],
    packages: [],
    notes: [],
    parties: [],
    descriptions: [],
    unused: [],
  };
  for (const segment of segments) {
    switch (segment[0]) {
      case own:
        break;
      case "CUR":
        details.currencyOf = text(segment, 1);
        details.currency = text(segment, 2);
        break;
      case "REF":
        details.references.push(readReference(segment));
        break;
      case "PER":
        details.contacts.push(readContact(segment));
        break;
      case "SAC":
        details.charges.push(readCharge(segment));
        break;
      case "DTM":
        details.dates.push(readQualifiedDate(segment));
        break;
      case "TD5":
        details.routings.push(readRouting(segment));
        break;
      case "TD1":
        details.packages.push(readPackages(segment));
        break;
      case "PID":
        details.descriptions.push(readDescription(segment));
        break;
      default:
        details.unused.push(segment);
    }
  }
  for (const inner of loops) {
    if (inner.name === "N9") details.notes.push(readNote(inner, details.unused));
    else if (inner.name === "N1") details.parties.push(readParty(inner, details.unused));
    else details.unused.push(...allSegments(inner));
  }
  return details;
}

const allSegments = (loop: Loop): Segment[] => [...loop.segments, ...loop.loops.flatMap(allSegments)];

/** Segments in the order of X12's orders: those of the loop itself, then its notes and parties. */
export const writeDetails = (details: Details): Segment[] => [
  ...(details.currency === "" ? [] : [["CUR", details.currencyOf, details.currency]]),
  ...details.references.map(writeReference),
  ...details.contacts.map(writeContact),
  ...details.charges.map(writeCharge),
  ...details.dates.map(writeQualifiedDate),
  ...details.descriptions.map(writeDescription),
  ...details.packages.map(writePackages),
  ...details.routings.map(writeRouting),
  ...details.notes.flatMap(writeNote),
  ...details.parties.flatMap(writeParty),
];

export const readQualifiedDate = (segment: Segment): QualifiedDate => ({
  qualifier: text(segment, 1),
  date: date(segment, 2),
  time: text(segment, 3),
  timeCode: text(segment, 4),
  periodFormat: text(segment, 5),
  period: text(segment, 6),
});
export const writeQualifiedDate = (value: QualifiedDate): Segment => [
  "DTM",
  value.qualifier,
  writeDate(value.date),
  writeTime(value.time),
  value.timeCode,
  value.periodFormat,
  value.period,
];

const readCharge = (segment: Segment): AllowanceOrCharge => ({
  indicator: text(segment, 1),
  code: text(segment, 2),
  agency: text(segment, 3),
  agencyCode: text(segment, 4),
  amountCents: wholeNumber(segment, 5),
  percentOf: text(segment, 6),
  percent: text(segment, 7),
  rate: text(segment, 8),
  description: text(segment, 15),
});
const writeCharge = (charge: AllowanceOrCharge): Segment => [
  "SAC",
  charge.indicator,
  charge.code,
  charge.agency,
  charge.agencyCode,
  writeWhole(charge.amountCents),
  charge.percentOf,
  charge.percent,
  charge.rate,
  ...Array.from({ length: 6 }, () => ""),
  charge.description,
];

const readRouting = (segment: Segment): Routing => ({
  sequence: text(segment, 1),
  idQualifier: text(segment, 2),
  id: text(segment, 3),
  transport: text(segment, 4),
  routing: text(segment, 5),
  serviceLevel: text(segment, 12),
});
const writeRouting = (routing: Routing): Segment => [
  "TD5",
  routing.sequence,
  routing.idQualifier,
  routing.id,
  routing.transport,
  routing.routing,
  ...Array.from({ length: 6 }, () => ""),
  routing.serviceLevel,
];

const readPackages = (segment: Segment): Packages => ({
  packaging: text(segment, 1),
  count: text(segment, 2),
  weightQualifier: text(segment, 6),
  weight: text(segment, 7),
  weightUnit: text(segment, 8),
});
const writePackages = (value: Packages): Segment => [
  "TD1",
  value.packaging,
  value.count,
  "",
  "",
  "",
  value.weightQualifier,
  value.weight,
  value.weightUnit,
];

const readDescription = (segment: Segment): Description => ({
  kind: text(segment, 1),
  characteristic: text(segment, 2),
  code: text(segment, 4),
  text: text(segment, 5),
});
const writeDescription = (value: Description): Segment => [
  "PID",
  value.kind,
  value.characteristic,
  "",
  value.code,
  value.text,
];

function readNote({ segments }: Loop, unused: Segment[]): Note {
  const messages: string[] = [];
  const [first = [], ...others] = segments;
  for (const segment of others) {
    if (segment[0] === "MSG") messages.push(text(segment, 1));
    else if (segment[0] === "MTX") messages.push(text(segment, 2));
    else unused.push(segment);
  }
  return { qualifier: text(first, 1), value: text(first, 2), description: text(first, 3), messages };
}
const writeNote = ({ qualifier, value, description, messages }: Note): Segment[] => [
  ["N9", qualifier, value, description],
  ...messages.map((message) => ["MSG", message]),
];
