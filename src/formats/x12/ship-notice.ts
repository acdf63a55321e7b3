import {
  NO_DETAILS,
  readDetails,
  readQualifiedDate,
  writeDetails,
  writeQualifiedDate,
  type Details,
  type QualifiedDate,
  type WithUnused,
} from "./document-parts.ts";
import { readPairs, writePairs, type ProductId } from "./pairs.ts";
import { NotWritable } from "./not-writable.ts";
import type { X12Fault } from "./faults.ts";
import { checkTotals, writeTotals } from "./line-count.ts";
import { PARTY } from "./order-structure.ts";
import { createReport, defineLoop, readLoops, type Loop } from "./read-loops.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { date, text, writeDate, writeTime } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/**
 * A ship notice (856), which some retailers take for cancellations too: an item with the quantity 0. Texts that are absent
 * are empty; quantities and weights are decimal text exactly as it was sent.
 */
export type ShipNotice = {
  /** BSN01: "00" an original. */
  purpose: string;
  number: string;
  /** YYYY-MM-DD and HHMM. */
  date: string;
  time: string;
  /** BSN05. "0001": shipment, order, carton, item; "0002": shipment, order, item, carton. */
  structure: string;
  /** BSN06 and BSN07: kind of the notice, and a reason. */
  transaction: string;
  reason: string;
  dates: readonly QualifiedDate[];
  shipment: Shipment;
};

/** References, dates, weights, carriers and parties of a level. */
export type Level = WithUnused<Details>;

export type Shipment = Level & { orders: readonly ShippedOrder[] };

/** An order, with cartons and in structure 0001 also items that are in none, since they were cancelled. */
export type ShippedOrder = Level & {
  number: string;
  releaseNumber: string;
  sequence: string;
  /** YYYY-MM-DD; empty when it is not said. */
  date: string;
  cartons: readonly Carton[];
  items: readonly Item[];
};

/** A carton with its marks: "GM" an SSCC, "CP" the carrier's number. */
export type Carton = Level & { marks: readonly Mark[]; items: readonly Item[] };

/** MAN: a number, or the first and last of a range. */
export type Mark = { qualifier: string; value: string; last: string };

export type Item = Level & {
  number: string;
  ids: readonly ProductId[];
  /** SN1; null when the notice says no quantity of the item at this place. */
  shipped: ShippedQuantity | null;
  cartons: readonly Carton[];
};

export type ShippedQuantity = {
  number: string;
  quantity: string;
  unit: string;
  shippedToDate: string;
  ordered: string;
  orderedUnit: string;
  /** X12's code for what became of the line, as in an acknowledgment. */
  status: string;
};

const LEVEL = defineLoop(
  "HL LIN? SN1? SLN PRF? PO4 PID MEA PWK PKG TD1 TD5 TD3 TD4 TSD REF PER LS LE CLD MAN DTM FOB PAL SAC CUR? SDQ ETD",
  [PARTY],
  { stage: 1, isRequired: true },
);
const RULES = defineLoop("BSN! DTM", [LEVEL, defineLoop("CTT", [], { stage: 2 })], { isSet: true });

/** Levels that may be inside a level: shipment, order, carton ("P" for pack), item. */
const INSIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0001": { "": "S", S: "O", O: "PI", P: "I", I: "" },
  "0002": { "": "S", S: "O", O: "I", I: "P", P: "" },
};

type Node = { id: string; code: string; loop: Loop; children: Node[] };

/** Reads an 856 whole, or tells every reason to refuse it. */
export function readShipNotice(set: TransactionSet): ReadDocument<ShipNotice> {
  const { root, faults, partial } = readLoops(set, RULES);
  if (faults.length > 0) return { faults };
  const beginning = root.segments.find(([name]) => name === "BSN") ?? [];
  const levels = root.loops.filter(({ name }) => name === "HL");
  const { shipment, faults: wrong } = readTree(set, levels, text(beginning, 5));
  const totals = root.loops.find(({ name }) => name === "CTT");
  const readQuantities = () =>
    levels.flatMap(({ segments }) => {
      const shipped = segments.find(([name]) => name === "SN1");
      return shipped ? [text(shipped, 2)] : [];
    });
  if (totals) wrong.push(...checkTotals(set, totals, { counted: levels.length, quantities: readQuantities }));
  if (!shipment || wrong.length > 0) return { faults: wrong };
  const level = readLevel(shipment);
  return {
    document: {
      purpose: text(beginning, 1),
      number: text(beginning, 2),
      date: date(beginning, 3),
      time: text(beginning, 4),
      structure: text(beginning, 5),
      transaction: text(beginning, 6),
      reason: text(beginning, 7),
      dates: root.segments.filter(([name]) => name === "DTM").map(readQualifiedDate),
      shipment: {
        ...level,
        unused: [...level.unused, ...partial],
        orders: shipment.children.map(readShippedOrder),
      },
    },
  };
}

/** Puts the levels into each other by their numbers; each stands behind the one it is in. */
function readTree(set: TransactionSet, levels: readonly Loop[], structure: string) {
  const faults: X12Fault[] = [];
  const report = createReport(set, faults);
  const inside = INSIDE[structure] ?? {};
  const top: Node = {
    id: "",
    code: "",
    loop: { name: "", segments: [], loops: [], position: 1 },
    children: [],
  };
  const path: Node[] = [top];
  const seen = new Set<string>();
  for (const loop of levels) {
    const [first = []] = loop.segments;
    const [id, parentId, code] = [text(first, 1), text(first, 2), text(first, 3)];
    const place = { segment: "HL", position: loop.position };
    if (seen.has(id)) report("code_not_valid", { ...place, element: 1, reference: 628, value: id });
    seen.add(id);
    const depth = path.findIndex((node) => node.id === parentId);
    const parent = path[depth];
    if (!parent) {
      report("code_not_valid", { ...place, element: 2, reference: 734, value: parentId });
      continue;
    }
    if (code === "" || !inside[parent.code]?.includes(code) || (parent === top && top.children.length > 0))
      report("code_not_valid", { ...place, element: 3, reference: 735, value: code });
    const needed = NEEDED[code];
    if (needed !== undefined && !loop.segments.some(([name]) => name === needed))
      report("segment_missing", { segment: needed, position: loop.position });
    const node: Node = { id, code, loop, children: [] };
    parent.children.push(node);
    path.length = depth + 1;
    path.push(node);
  }
  return { shipment: top.children[0], faults };
}

/** Segment without which a level says nothing. */
const NEEDED: Readonly<Record<string, string>> = { O: "PRF", I: "LIN" };

/** Segments of a level that have fields of their own. */
const OWN: Readonly<Record<string, readonly string[]>> = { O: ["PRF"], P: ["MAN"], I: ["LIN", "SN1"] };

function readLevel({ loop, code }: Node): Level {
  const segments = loop.segments.filter(([name = ""]) => !OWN[code]?.includes(name));
  return readDetails(segments, loop.loops, "HL");
}

const findOwn = ({ loop }: Node, name: string): Segment | undefined =>
  loop.segments.find((segment) => segment[0] === name);

const withCode = ({ children }: Node, code: string): Node[] => children.filter((node) => node.code === code);

function readShippedOrder(node: Node): ShippedOrder {
  const order = findOwn(node, "PRF") ?? [];
  return {
    number: text(order, 1),
    releaseNumber: text(order, 2),
    sequence: text(order, 3),
    date: date(order, 4),
    ...readLevel(node),
    cartons: withCode(node, "P").map(readCarton),
    items: withCode(node, "I").map(readItem),
  };
}

const readCarton = (node: Node): Carton => ({
  marks: node.loop.segments.filter(([name]) => name === "MAN").flatMap(readMarks),
  ...readLevel(node),
  items: withCode(node, "I").map(readItem),
});

function readMarks(segment: Segment): Mark[] {
  const marks = [1, 4].map((at) => ({
    qualifier: text(segment, at),
    value: text(segment, at + 1),
    last: text(segment, at + 2),
  }));
  return marks.filter(({ qualifier }) => qualifier !== "");
}

function readItem(node: Node): Item {
  const line = findOwn(node, "LIN") ?? [];
  const shipped = findOwn(node, "SN1");
  return {
    number: text(line, 1),
    ids: readPairs(line, 2, 31),
    shipped: shipped ? readShipped(shipped) : null,
    ...readLevel(node),
    cartons: withCode(node, "P").map(readCarton),
  };
}

const readShipped = (segment: Segment): ShippedQuantity => ({
  number: text(segment, 1),
  quantity: text(segment, 2),
  unit: text(segment, 3),
  shippedToDate: text(segment, 4),
  ordered: text(segment, 5),
  orderedUnit: text(segment, 6),
  status: text(segment, 8),
});

/** The segments of an 856 between ST and SE, levels numbered in their order; `unused` ones are not written. */
export function writeShipNotice(notice: ShipNotice): SetBody {
  const { purpose, number, structure, transaction, reason, shipment } = notice;
  const levels: Segment[] = [];
  let count = 0;
  const addLevel = ({ code, own, children }: WrittenLevel, parent: { id: string; code: string }): void => {
    if (!INSIDE[structure]?.[parent.code]?.includes(code))
      throw new NotWritable("code_not_valid", { segment: "HL", element: 3, value: code });
    count += 1;
    const id = String(count);
    levels.push(["HL", id, parent.id, code, children.length > 0 ? "1" : "0"], ...own);
    for (const child of children) addLevel(child, { id, code });
  };
  addLevel(toShipmentLevel(shipment), { id: "", code: "" });
  return {
    type: "856",
    segments: [
      [
        "BSN",
        purpose,
        number,
        writeDate(notice.date),
        writeTime(notice.time),
        structure,
        transaction,
        reason,
      ],
      ...notice.dates.map(writeQualifiedDate),
      ...levels,
      writeTotals(count),
    ],
  };
}

type WrittenLevel = { code: string; own: readonly Segment[]; children: readonly WrittenLevel[] };

const toShipmentLevel = (shipment: Shipment): WrittenLevel => ({
  code: "S",
  own: writeLevel(shipment),
  children: shipment.orders.map((order) => ({
    code: "O",
    own: writeShippedOrder(order),
    children: [...order.cartons.map(toCartonLevel), ...order.items.map(toItemLevel)],
  })),
});

const toCartonLevel = (carton: Carton): WrittenLevel => ({
  code: "P",
  own: writeCarton(carton),
  children: carton.items.map(toItemLevel),
});

const toItemLevel = (item: Item): WrittenLevel => ({
  code: "I",
  own: writeItem(item),
  children: item.cartons.map(toCartonLevel),
});

/**
 * A level's segments in the order of X12's ship notice, which is another than that of orders.
 * @param marks MAN, between the contacts and the dates
 */
function writeLevel(level: Level, marks: readonly Segment[] = []): Segment[] {
  const { descriptions, packages, routings, references, contacts, dates, charges, parties } = level;
  const { currency, currencyOf } = level;
  return [
    ...writeDetails({ ...NO_DETAILS, descriptions, packages, routings }),
    ...writeDetails({ ...NO_DETAILS, references, contacts }),
    ...marks,
    ...writeDetails({ ...NO_DETAILS, dates }),
    ...writeDetails({ ...NO_DETAILS, charges }),
    ...writeDetails({ ...NO_DETAILS, currency, currencyOf }),
    ...writeDetails({ ...NO_DETAILS, parties }),
  ];
}

const writeShippedOrder = (order: ShippedOrder): Segment[] => [
  ["PRF", order.number, order.releaseNumber, order.sequence, writeDate(order.date)],
  ...writeLevel(order),
];

const writeCarton = (carton: Carton): Segment[] =>
  writeLevel(
    carton,
    carton.marks.map(({ qualifier, value, last }) => ["MAN", qualifier, value, last]),
  );

const writeItem = (item: Item): Segment[] => [
  ["LIN", item.number, ...writePairs(item.ids)],
  ...(item.shipped ? [writeShipped(item.shipped)] : []),
  ...writeLevel(item),
];

const writeShipped = (shipped: ShippedQuantity): Segment => [
  "SN1",
  shipped.number,
  shipped.quantity,
  shipped.unit,
  shipped.shippedToDate,
  shipped.ordered,
  shipped.orderedUnit,
  "",
  shipped.status,
];
