import { NotWritable } from "./not-writable.ts";
import { defineLoop } from "./read-loops.ts";
import {
  dateAt,
  every,
  once,
  keyed,
  loop,
  loops,
  pairsFrom,
  segment,
  textAt,
  timeAt,
  wholeAt,
  type DescribedBy,
  type Part,
} from "./set-description.ts";
import type { Segment } from "./transaction-set.ts";
import { text } from "./values.ts";

/** CUR: currency, "USD", and whose it is, "BY" the buyer's. In an order one behind SAC is that of the allowance or charge. */
const CURRENCY = segment("CUR", { currencyOf: textAt(1), currency: textAt(2) });
export const currency: Part<DescribedBy<typeof CURRENCY>> = {
  ...once(CURRENCY),
  read: ({ segments }, unused) => {
    const isOf = (each: Segment, at: number) => each[0] === "CUR" && segments[at - 1]?.[0] !== "SAC";
    const found = segments.find(isOf);
    unused.push(...segments.filter((each) => each[0] === "CUR" && each !== found));
    return CURRENCY.read(found ?? []);
  },
};

/** PO1: what was ordered; the unit is "EA" for one. */
export const ORDERED = once(
  segment("PO1", {
    number: textAt(1),
    quantity: textAt(2),
    unit: textAt(3),
    unitPrice: textAt(4),
    priceBasis: textAt(5),
    ids: pairsFrom(6, 25),
  }),
);

/** REF: an identification with its qualifier, "CO" for the customer's order number. */
export const REFERENCE = segment("REF", { qualifier: textAt(1), value: textAt(2), description: textAt(3) });
export type Reference = DescribedBy<typeof REFERENCE>;

/** PER: a contact, with up to three numbers such as "TE" for telephone and "EM" for e-mail. */
export const CONTACT = segment("PER", { kind: textAt(1), name: textAt(2), numbers: pairsFrom(3, 8) });

/** SAC: an allowance or charge, "A" or "C", with X12's code for it; percent and rate are decimal text. */
export const CHARGE = segment("SAC", {
  indicator: textAt(1),
  code: textAt(2),
  agency: textAt(3),
  agencyCode: textAt(4),
  amountCents: wholeAt(5),
  percentOf: textAt(6),
  percent: textAt(7),
  rate: textAt(8),
  /** "02" off the invoice, "06" paid by the customer. */
  handling: textAt(12),
  description: textAt(15),
});

/** ITD: terms of payment; `basis` says from when days count, "3" from the date of the invoice. */
export const TERMS = segment("ITD", {
  type: textAt(1),
  basis: textAt(2),
  discountPercent: textAt(3),
  discountDate: dateAt(4),
  discountDays: textAt(5),
  netDate: dateAt(6),
  netDays: textAt(7),
  description: textAt(12),
});

/** DTM. `date` is YYYY-MM-DD, `time` HHMM or longer; a period is kept as it was sent, with its format. */
export const DATE = segment("DTM", {
  qualifier: textAt(1),
  date: dateAt(2),
  time: timeAt(3),
  timeCode: textAt(4),
  periodFormat: textAt(5),
  period: textAt(6),
});
export type QualifiedDate = DescribedBy<typeof DATE>;

/** PID: a description; `kind` is "F" for free text. */
export const DESCRIPTION = segment("PID", {
  kind: textAt(1),
  characteristic: textAt(2),
  code: textAt(4),
  text: textAt(5),
});

/** TD1: packages and weight, both as decimal text. */
export const PACKAGES = segment("TD1", {
  packaging: textAt(1),
  count: textAt(2),
  weightQualifier: textAt(6),
  weight: textAt(7),
  weightUnit: textAt(8),
});

/** TD5: how the goods travel. `id` with the qualifier "2" is a SCAC. */
export const ROUTING = segment("TD5", {
  sequence: textAt(1),
  idQualifier: textAt(2),
  id: textAt(3),
  transport: textAt(4),
  routing: textAt(5),
  /** "CC" the order is complete with it, "PR" a part of it. */
  status: textAt(6),
  serviceLevel: textAt(12),
});

/** MSG and MTX behind another segment, as texts. */
export const messages: Part<{ messages: readonly string[] }> = {
  segments: ["MSG", "MTX"],
  loops: [],
  read: ({ segments }) => ({
    messages: segments.flatMap((each) =>
      each[0] === "MSG" ? text(each, 1) : each[0] === "MTX" ? text(each, 2) : [],
    ),
  }),
  write: (value) => value.messages.map((message) => ["MSG", message]),
};
segment("MSG", { message: textAt(1) });

/** N9 with the messages that follow it. */
const NOTE = loop("N9 DTM MSG MTX PWK EFI", [
  once(segment("N9", { qualifier: textAt(1), value: textAt(2), description: textAt(3) })),
  messages,
]);

const MAX_TEXTS = 4;

/** Up to four texts in two segments of two elements. */
function texts<Key extends "names" | "address">(
  key: Key,
  name: string,
): Part<{ [Name in Key]: readonly string[] }> {
  return {
    segments: [name],
    loops: [],
    read: ({ segments }) => {
      const found = segments.flatMap((each) => (each[0] === name ? [text(each, 1), text(each, 2)] : []));
      return keyed(
        key,
        found.filter((each) => each !== ""),
      );
    },
    write: (value) => {
      const given = value[key].filter((each) => each !== "");
      if (given.length > MAX_TEXTS) throw new NotWritable("segment_too_often", { segment: name, max: 2 });
      return [given.slice(0, 2), given.slice(2)].filter((two) => two.length > 0).map((two) => [name, ...two]);
    },
  };
}

/** N1 with N2, N3, N4, REF and PER: "ST" ship to, "BT" bill to, "SF" ship from. At most four names and lines of address. */
export const PARTY = loop("N1 N2:2 N3:2 N4? NX2 REF PER SI FOB TD1 TD5 TD3 TD4 PKG", [
  once(segment("N1", { kind: textAt(1), name: textAt(2), idQualifier: textAt(3), id: textAt(4) })),
  texts("names", "N2"),
  texts("address", "N3"),
  once(segment("N4", { city: textAt(1), state: textAt(2), postalCode: textAt(3), country: textAt(4) })),
  every("references", REFERENCE),
  every("contacts", CONTACT),
]);
export type Party = DescribedBy<typeof PARTY>;

/** For parties that say no more. */
export const NO_PARTY = {
  name: "",
  idQualifier: "",
  id: "",
  names: [],
  address: [],
  city: "",
  state: "",
  postalCode: "",
  country: "",
  references: [],
  contacts: [],
} as const;

/** Parts of headings and lines of orders, in the order of X12's orders; parts of a line's status come before the last two. */
export const DETAILS = [
  currency,
  every("references", REFERENCE),
  every("contacts", CONTACT),
  every("charges", CHARGE),
  every("terms", TERMS),
  every("dates", DATE),
  every("descriptions", DESCRIPTION),
  every("packages", PACKAGES),
  every("routings", ROUTING),
] as const;
export const NOTES_AND_PARTIES = [loops("notes", NOTE), loops("parties", PARTY)] as const;

/** For documents that say nothing more of a line or level. */
export const NO_DETAILS = {
  currency: "",
  currencyOf: "",
  references: [],
  contacts: [],
  charges: [],
  terms: [],
  dates: [],
  routings: [],
  packages: [],
  notes: [],
  parties: [],
  descriptions: [],
} as const;

const AMOUNT = defineLoop("AMT REF DTM PCT");
const CODES = defineLoop("LM LQ");

/** Loops of headings and lines of orders that no field has. */
export const IN_HEADING = [AMOUNT, defineLoop("FA1 FA2"), CODES];
export const IN_LINE = [
  AMOUNT,
  CODES,
  defineLoop("QTY SI"),
  defineLoop("SCH TD1 TD5 TD3 TD4 REF"),
  defineLoop("LDT QTY MSG REF"),
  defineLoop("SLN MSG SI PID PO3 TC2 CTP PAM PO4 TAX SAC CUR DTM QTY PER"),
];

/** Segments of headings and lines of orders, in any order; in the loop of SAC there may be CUR. */
export const HEADING_SEGMENTS =
  "CUR REF PER TAX FOB CTP PAM CSH SAC ITD DIS INC DTM LDT LIN SI PID MEA PWK PKG TD1 TD5 TD3 TD4 MAN PCT CTB TXI";
export const LINE_SEGMENTS =
  "LIN SI CUR CN1 PO3 CTP PAM MEA PID PWK PKG PO4 REF PER SAC IT8 CSH ITD DIS INC TAX FOB SDQ IT3 DTM TC2 TD1 TD5 TD3 TD4 PCT MAN MSG SPI TXI CTB";

/** The same of levels of ship notices, which X12 has in another order. `marks` of cartons are among them. */
export const LEVEL_BEFORE_MARKS = [
  every("descriptions", DESCRIPTION),
  every("packages", PACKAGES),
  every("routings", ROUTING),
  every("references", REFERENCE),
  every("contacts", CONTACT),
] as const;
export const LEVEL_BEHIND_MARKS = [
  every("dates", DATE),
  every("charges", CHARGE),
  once(CURRENCY),
  loops("parties", PARTY),
] as const;
