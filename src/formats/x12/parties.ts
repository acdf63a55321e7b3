import { NotWritable } from "./not-writable.ts";
import { readPairs, writePairs } from "./pairs.ts";
import type { Loop } from "./read-loops.ts";
import type { Segment } from "./transaction-set.ts";
import { text } from "./values.ts";

/** REF: an identification with its qualifier, "CO" for the customer's order number. */
export type Reference = { qualifier: string; value: string; description: string };

/** PER: a contact, with up to three numbers such as "TE" for telephone and "EM" for e-mail. */
export type Contact = {
  kind: string;
  name: string;
  numbers: readonly { qualifier: string; value: string }[];
};

/** N1 with N2, N3, N4, REF and PER: "ST" ship to, "BT" bill to, "SF" ship from. */
export type Party = {
  kind: string;
  name: string;
  idQualifier: string;
  id: string;
  /** Further names, at most four. */
  names: readonly string[];
  /** Lines of the address, at most four. */
  address: readonly string[];
  city: string;
  state: string;
  postalCode: string;
  country: string;
  references: readonly Reference[];
  contacts: readonly Contact[];
};

/** While it is read. */
export type Draft<Part> = {
  -readonly [Key in keyof Part]: Part[Key] extends readonly (infer Item)[] ? Item[] : Part[Key];
};

export const readReference = (segment: Segment): Reference => ({
  qualifier: text(segment, 1),
  value: text(segment, 2),
  description: text(segment, 3),
});
export const writeReference = ({ qualifier, value, description }: Reference): Segment => [
  "REF",
  qualifier,
  value,
  description,
];

export const readContact = (segment: Segment): Contact => ({
  kind: text(segment, 1),
  name: text(segment, 2),
  numbers: readPairs(segment, 3, 8),
});
export const writeContact = ({ kind, name, numbers }: Contact): Segment => [
  "PER",
  kind,
  name,
  ...writePairs(numbers),
];

export function readParty({ segments }: Loop, unused: Segment[]): Party {
  const [first = [], ...others] = segments;
  const party: Draft<Party> = {
    kind: text(first, 1),
    name: text(first, 2),
    idQualifier: text(first, 3),
    id: text(first, 4),
    names: [],
    address: [],
    city: "",
    state: "",
    postalCode: "",
    country: "",
    references: [],
    contacts: [],
  };
  for (const segment of others) {
    switch (segment[0]) {
      case "N2":
        party.names.push(...texts(segment));
        break;
      case "N3":
        party.address.push(...texts(segment));
        break;
      case "N4":
        party.city = text(segment, 1);
        party.state = text(segment, 2);
        party.postalCode = text(segment, 3);
        party.country = text(segment, 4);
        break;
      case "REF":
        party.references.push(readReference(segment));
        break;
      case "PER":
        party.contacts.push(readContact(segment));
        break;
      default:
        unused.push(segment);
    }
  }
  return party;
}

export const writeParty = (party: Party): Segment[] => [
  ["N1", party.kind, party.name, party.idQualifier, party.id],
  ...inTwos("N2", party.names),
  ...inTwos("N3", party.address),
  ...([party.city, party.state, party.postalCode, party.country].some((each) => each !== "")
    ? [["N4", party.city, party.state, party.postalCode, party.country]]
    : []),
  ...party.references.map(writeReference),
  ...party.contacts.map(writeContact),
];

/** Both elements of N2 or N3, those that are there. */
const texts = (segment: Segment): string[] =>
  [text(segment, 1), text(segment, 2)].filter((each) => each !== "");

function inTwos(name: string, values: readonly string[]): Segment[] {
  const given = values.filter((value) => value !== "");
  if (given.length > MAX_TEXTS) throw new NotWritable("segment_too_often", { segment: name, max: 2 });
  return [given.slice(0, 2), given.slice(2)].filter((two) => two.length > 0).map((two) => [name, ...two]);
}

const MAX_TEXTS = 4;
