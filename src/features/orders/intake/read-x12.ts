import { faultAt, type X12Fault } from "#formats/x12/faults.ts";
import { readOrderChange, type OrderChange, type OrderChangeLine } from "#formats/x12/order-change.ts";
import type { Party } from "#formats/x12/parts.ts";
import {
  CANCELLATION,
  readPurchaseOrder,
  type PurchaseOrder,
  type PurchaseOrderLine,
} from "#formats/x12/purchase-order.ts";
import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import type { InterchangeHeader, TransactionSet } from "#formats/x12/transaction-set.ts";
import { ANSWERS, readTransmissionAnswer } from "#features/orders/intake/read-answers.ts";
import { refuse } from "#features/orders/intake/refuse.ts";
import {
  prepareReply,
  type AnsweredGroup,
  type AnsweredSet,
  type Reply,
} from "#features/orders/intake/write-reply.ts";
import { checkOrder, findShipToNumber, isEmpty, readCountry } from "#features/orders/rules.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { x12Sentence } from "#features/orders/sentences.ts";
import type {
  ChangedHeading,
  ChangedLine,
  Order,
  OrderBilling,
  OrderCharge,
  OrderDocument,
  OrderLine,
  RetailerMessage,
  ShipTo,
  Trading,
} from "#features/orders/types.ts";

/** An interchange that was read: its documents, and the functional acknowledgments that answer it. */
export type ReadInterchange = {
  sender: string;
  documents: readonly OrderDocument[];
  trading: Trading | null;
  reply: Reply | null;
};

/** Documents of a set, and the faults for which it is refused. */
type Checked = Pick<AnsweredSet, "documents" | "faults">;

/**
 * Reads the orders (850), changes (860), payments (820), credits (812) and answers to our documents (824, 864, 997, TA1) of an X12 file. A set with a fault is refused as a whole; so are all sets of an
 * interchange whose envelope has a fault, since a part of it may be missing.
 * @param partnerFrom the retailer with an interchange's sender
 * @param now the time of the acknowledgments
 */
export function readX12(
  bytes: Uint8Array,
  partnerFrom: (sender: string) => Partner,
  now: Date,
): ReadInterchange[] {
  const read: ReadInterchange[] = [];
  let sets: AnsweredSet[] = [];
  let groups: AnsweredGroup[] = [];
  const outside: X12Fault[] = [];
  for (const part of readInterchanges(bytes)) {
    if (part.kind === "outside") outside.push(part.fault);
    else if (part.kind === "set") {
      const { interchange, type, controlNumber } = part.set;
      sets.push({ type, controlNumber, ...validate(part.set, partnerFrom(interchange.sender)) });
    } else if (part.kind === "group") {
      // Its sets ended before it; another one may have its number.
      groups.push({ group: part.group, declared: part.declared, faults: part.faults, sets });
      sets = [];
    } else {
      const faults = [...part.faults, ...groups.flatMap((group) => group.faults)];
      const answers = part.answers.map((segment) => readTransmissionAnswer(segment, part.interchange));
      read.push(close(part.interchange, { groups, answers, faults, now }));
      groups = [];
    }
  }
  return outside.length > 0 ? refuseOutside(read, outside) : read;
}

/** Adds what is refused because it is in no interchange. */
const refuseOutside = (read: readonly ReadInterchange[], faults: readonly X12Fault[]): ReadInterchange[] => [
  ...read,
  { sender: "", documents: [refuse("", faults.map(x12Sentence))], trading: null, reply: null },
];

function close(
  header: InterchangeHeader,
  {
    groups,
    answers,
    faults,
    now,
  }: {
    groups: readonly AnsweredGroup[];
    answers: readonly RetailerMessage[];
    faults: readonly X12Fault[];
    now: Date;
  },
): ReadInterchange {
  const checked = groups.map((group) => ({
    ...group,
    sets: group.sets.map((set) => addFaults(set, faults)),
  }));
  const sets = checked.flatMap((group) => group.sets);
  const nameless = sets.length === 0 && faults.length > 0 ? [refuse("", faults.map(x12Sentence))] : [];
  // A TA1 is about another transmission: faults of this one don't touch it.
  const documents = [...answers, ...sets.flatMap((set) => set.documents), ...nameless];
  return {
    sender: header.sender,
    documents,
    trading: toTrading(header, groups[0]),
    reply: prepareReply(header, checked, now),
  };
}

/** Refuses a set for faults of its interchange's envelope, in addition to its own. */
const addFaults = (set: AnsweredSet, faults: readonly X12Fault[]): AnsweredSet =>
  faults.length === 0
    ? set
    : { ...set, ...refuseSet([...set.faults, ...faults], set.documents[0]?.poNumber) };

const toTrading = (header: InterchangeHeader, first: AnsweredGroup | undefined): Trading => ({
  format: "x12",
  retailer: {
    qualifier: header.senderQualifier,
    id: header.sender,
    groupId: first?.group.sender ?? "",
  },
  company: {
    qualifier: header.receiverQualifier,
    id: header.receiver,
    groupId: first?.group.receiver ?? "",
  },
  version: first?.group.isReleaseKnown ? first.group.version : "",
  isTest: header.isTest,
});

function validate(set: TransactionSet, partner: Partner): Checked {
  const readAnswer = ANSWERS[set.type];
  if (readAnswer) {
    const read = readAnswer(set);
    if ("faults" in read) return refuseSet(read.faults);
    return { faults: [], documents: read.document };
  }
  if (set.type !== "850" && set.type !== "860") return refuseType(set);
  const stores = set.segments.findIndex(([name]) => name === "SDQ");
  if (stores !== -1) return refuseStores(set, stores);
  const read = set.type === "850" ? readPurchaseOrder(set) : readOrderChange(set);
  if ("faults" in read) return refuseSet(read.faults, set.segments[1]?.[3]?.trim());
  const document =
    "orderDate" in read.document ? toChange(read.document, partner) : toOrder(read.document, partner);
  // Its sender must not believe that it was taken, either.
  const isRefused = document.kind === "refused";
  const faults = isRefused ? [faultAt("content_not_usable", { set: set.controlNumber })] : [];
  return { faults, documents: [document] };
}

/** Its sender must not believe that it was taken. */
function refuseType(set: TransactionSet): Checked {
  const problem = `Document ${set.controlNumber} is a ${set.type}. Only orders (850), changes of orders (860), payments (820), credits (812), and answers to documents (824, 864, 997) are read here.`;
  const faults = [...set.faults, faultAt("set_not_known", { set: set.controlNumber })];
  return { faults, documents: [refuse("", [problem])] };
}

/** Its lines are for several places, and each order here goes to one. */
function refuseStores(set: TransactionSet, at: number): Checked {
  const problem = `Document ${set.controlNumber} divides its lines between stores (SDQ), which we can't read. Ask the retailer for a separate order for each store.`;
  const fault = faultAt("segment_unexpected", { set: set.controlNumber, segment: "SDQ", position: at + 1 });
  return {
    faults: [...set.faults, fault],
    documents: [refuse(set.segments[1]?.[3]?.trim() ?? "", [problem])],
  };
}

const refuseSet = (faults: readonly X12Fault[], poNumber = ""): Checked => ({
  faults,
  documents: [refuse(poNumber, faults.map(x12Sentence))],
});

function toOrder(document: PurchaseOrder, partner: Partner): OrderDocument {
  const poNumber = document.number.trim();
  if (document.purpose === CANCELLATION)
    return { kind: "cancellation", poNumber, store: findShipToNumber(document) };
  const order: Order = {
    poNumber,
    orderDate: document.date || null,
    ...toHeading(document, partner),
    lines: document.lines.map(toLine),
  };
  const problems = checkOrder(order);
  return problems.length > 0 ? refuse(poNumber, problems) : { kind: "order", poNumber, order };
}

const toHeading = (document: PurchaseOrder | OrderChange, partner: Partner): ChangedHeading => ({
  customerOrder: valueWith(document.references, partner.references.customerOrder),
  shipBy: firstDate(document, partner.references.shipBy),
  cancelAfter: firstDate(document, [partner.references.cancelAfter]),
  shipTo: toShipTo(document.parties.find(({ kind }) => kind === "ST")),
  serviceCode: findService(document),
  references: document.references.map(({ qualifier, value }) => ({ qualifier, value })),
  giftMessage: messages(document, (name) => GIFT.test(name)),
  vendorMessage: messages(document, (name) => VENDOR.test(name) && !GIFT.test(name)),
  billing: toBilling(document),
});

const toCharge = ({
  indicator,
  code,
  amountCents,
  percent,
  rate,
  handling,
  description,
}: PurchaseOrder["charges"][number]): OrderCharge => ({
  indicator,
  code,
  amountCents,
  percent,
  rate,
  ...(handling === "" ? {} : { handling }),
  description,
});

const toBilling = ({
  type,
  currency,
  terms: [terms],
  charges,
  parties,
}: PurchaseOrder | OrderChange): OrderBilling => ({
  orderType: type,
  currency,
  terms: terms ?? null,
  charges: charges.map(toCharge),
  parties: parties.map(({ kind, name, idQualifier, id }) => ({ kind, name, idQualifier, id })),
  expectedTotal: "",
});

function toChange(change: OrderChange, partner: Partner): OrderDocument {
  const about = {
    poNumber: change.number.trim(),
    store: findShipToNumber(change),
    change: { number: change.sequence, date: change.changeDate },
  };
  if (change.purpose === CANCELLATION) return { kind: "cancellation", ...about };
  const heading = toHeading(change, partner);
  const { shipTo, billing } = heading;
  // The type of a change and the country of no address say nothing.
  const named = { ...heading, shipTo: { ...shipTo, country: "" }, billing: { ...billing, orderType: "" } };
  if (change.lines.length === 0 && isEmpty(named)) return refuseNoFact(about.poNumber);
  return { kind: "change", ...about, heading, lines: change.lines.map(toChangedLine) };
}

const refuseNoFact = (po: string): OrderDocument => ({
  ...refuse(po, [
    `This change of PO # ${po} has no line, address, date, or other fact that we keep. Ask the retailer what it changes.`,
  ]),
  isChange: true,
});

const toChangedLine = (line: OrderChangeLine): ChangedLine => ({ ...toLine(line), change: line.change });

/** Qualifiers of each kind of id; the first one is what documents have without another. */
const QUALIFIERS = [
  ["buyerSku", ["SK", "BP", "IN", "CB"]],
  ["vendorSku", ["VN", "VP", "VC"]],
  ["upc", ["UP", "UI", "EN"]],
] as const;

const toLine = (line: PurchaseOrderLine | OrderChangeLine): OrderLine => ({
  line: line.number,
  ...toIds(line),
  description: line.descriptions.map(({ text }) => text).join(" "),
  quantity: line.quantity,
  unit: line.unit,
  unitCost: line.unitPrice,
  ...(line.priceBasis === "" ? {} : { priceBasis: line.priceBasis }),
  ...(line.charges.length === 0 ? {} : { charges: line.charges.map(toCharge) }),
});

function toIds({ ids }: Pick<PurchaseOrderLine, "ids">) {
  const values = { buyerSku: "", vendorSku: "", upc: "" };
  const idQualifiers: OrderLine["idQualifiers"] = {};
  for (const [kind, qualifiers] of QUALIFIERS) {
    const found = ids.find(({ qualifier }) => qualifiers.some((each) => each === qualifier));
    values[kind] = found?.value ?? "";
    if (found && found.qualifier !== qualifiers[0]) idQualifiers[kind] = found.qualifier;
  }
  return { ...values, ...(isEmpty(idQualifiers) ? {} : { idQualifiers }) };
}

const valueWith = (references: PurchaseOrder["references"], qualifier: string): string =>
  references.find((reference) => reference.qualifier === qualifier)?.value ?? "";

const firstDate = ({ dates }: Pick<PurchaseOrder, "dates">, qualifiers: readonly string[]): string | null =>
  qualifiers.map((wanted) => dates.find(({ qualifier }) => qualifier === wanted)?.date).find(Boolean) ?? null;

/** TD5: the service is in the routing or, with CommerceHub, as its own code. */
const findService = ({ routings }: Pick<PurchaseOrder, "routings">): string =>
  routings.map(({ routing, serviceLevel, id }) => routing || serviceLevel || id).find(Boolean) ?? "";

const GIFT = /gift/i;
const VENDOR = /vendor|packing|message/i;

const messages = ({ notes }: Pick<PurchaseOrder, "notes">, isKind: (name: string) => boolean): string =>
  notes
    .filter(({ value, description }) => isKind(`${value} ${description}`))
    .flatMap((note) => note.messages)
    .join(" ");

/** An order without one has only blanks there, for which it is refused. */
function toShipTo(party: Party | undefined): ShipTo {
  if (!party)
    return { name: "", attention: "", lines: [], city: "", state: "", zip: "", country: "US", phone: "" };
  const numbers = party.contacts.flatMap((contact) => contact.numbers);
  return {
    name: party.name,
    attention: party.names[0] ?? "",
    lines: party.address,
    city: party.city,
    state: party.state,
    zip: party.postalCode,
    country: readCountry(party.country),
    phone: numbers.find(({ qualifier }) => qualifier === "TE")?.value ?? "",
  };
}
