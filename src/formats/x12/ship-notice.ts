import { checkTotals, writeTotals } from "./line-count.ts";
import { NotWritable } from "./not-writable.ts";
import { DATE, LEVEL_BEFORE_MARKS, LEVEL_BEHIND_MARKS, PARTY } from "./parts.ts";
import type { X12Fault } from "./faults.ts";
import { createReport, defineLoop, readLoops, type Loop } from "./read-loops.ts";
import {
  dateAt,
  every,
  once,
  holdsMore,
  loop,
  pairsFrom,
  segment,
  textAt,
  timeAt,
  type DescribedBy,
  type Part,
  type WithUnused,
} from "./set-description.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { text } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/** Number, day and time of the notice; its structure, BSN05, is "0001": shipment, order, carton, item, or "0002": shipment, order, item, carton. */
const BEGINNING = loop(
  "BSN! DTM",
  [
    once(
      segment("BSN", {
        /** "00" an original. */
        purpose: textAt(1),
        number: textAt(2),
        date: dateAt(3),
        time: timeAt(4),
        structure: textAt(5),
        /** Kind of the notice, and a reason. */
        transaction: textAt(6),
        reason: textAt(7),
      }),
    ),
    every("dates", DATE),
  ],
  { isSet: true },
);

/** MAN: numbers of a carton, "GM" an SSCC, "CP" the carrier's, or the first and last of a range. */
const marks: Part<{ marks: readonly { qualifier: string; value: string; last: string }[] }> = {
  segments: ["MAN"],
  loops: [],
  read: ({ segments }) => ({
    marks: segments
      .filter(([name]) => name === "MAN")
      .flatMap((each) => [
        { qualifier: text(each, 1), value: text(each, 2), last: text(each, 3) },
        { qualifier: text(each, 4), value: text(each, 5), last: text(each, 6) },
      ])
      .filter(({ qualifier }) => qualifier !== ""),
  }),
  write: (value) => value.marks.map(({ qualifier, value: number, last }) => ["MAN", qualifier, number, last]),
};

/** SN1; null when the notice says no quantity of the item at this place. */
const SHIPPED = segment("SN1", {
  number: textAt(1),
  quantity: textAt(2),
  unit: textAt(3),
  shippedToDate: textAt(4),
  ordered: textAt(5),
  orderedUnit: textAt(6),
  /** X12's code of the line's outcome, as in an acknowledgment. */
  status: textAt(8),
});
const shipped: Part<{ shipped: DescribedBy<typeof SHIPPED> | null }> = {
  segments: [SHIPPED.name],
  loops: [],
  read: ({ segments }) => {
    const found = segments.find(([name]) => name === SHIPPED.name);
    return { shipped: found ? SHIPPED.read(found) : null };
  },
  write: (value) => (value.shipped ? [SHIPPED.write(value.shipped)] : []),
};

const LEVEL_SEGMENTS =
  "HL LIN? SN1? SLN PRF? PO4 PID MEA PWK PKG TD1 TD5 TD3 TD4 TSD REF PER LS LE CLD MAN DTM FOB PAL SAC CUR? SDQ ETD";
const LEVEL = [...LEVEL_BEFORE_MARKS, ...LEVEL_BEHIND_MARKS] as const;
const hierarchy: Part<object> = { segments: ["HL"], loops: [], read: () => ({}), write: () => [] };

const SHIPMENT = loop(LEVEL_SEGMENTS, [hierarchy, ...LEVEL]);
const ORDER = loop(LEVEL_SEGMENTS, [
  hierarchy,
  once(segment("PRF", { number: textAt(1), releaseNumber: textAt(2), sequence: textAt(3), date: dateAt(4) })),
  ...LEVEL,
]);
const CARTON = loop(LEVEL_SEGMENTS, [hierarchy, ...LEVEL_BEFORE_MARKS, marks, ...LEVEL_BEHIND_MARKS]);
const ITEM = loop(LEVEL_SEGMENTS, [
  hierarchy,
  once(segment("LIN", { number: textAt(1), ids: pairsFrom(2, 31) })),
  shipped,
  ...LEVEL,
]);

/**
 * A ship notice (856), which some retailers take for cancellations too: an item with the quantity 0. Texts that are absent
 * are empty; quantities and weights are decimal text exactly as it was sent.
 */
export type ShipNotice = DescribedBy<typeof BEGINNING> & { shipment: Shipment };
export type Shipment = WithUnused<DescribedBy<typeof SHIPMENT>> & { orders: readonly ShippedOrder[] };

/** An order, with cartons and in structure 0001 also items that are in none, since they were canceled. */
export type ShippedOrder = WithUnused<DescribedBy<typeof ORDER>> & {
  cartons: readonly Carton[];
  items: readonly Item[];
};
export type Carton = WithUnused<DescribedBy<typeof CARTON>> & { items: readonly Item[] };
export type Item = WithUnused<DescribedBy<typeof ITEM>> & { cartons: readonly Carton[] };

const RULES = defineLoop(
  "BSN! DTM",
  [
    defineLoop(LEVEL_SEGMENTS, [PARTY.rules], { stage: 1, isRequired: true }),
    defineLoop("CTT", [], { stage: 2 }),
  ],
  { isSet: true },
);

/** Levels that may be inside a level: shipment, order, carton ("P" for pack), item. */
const INSIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0001": { "": "S", S: "O", O: "PI", P: "I", I: "" },
  "0002": { "": "S", S: "O", O: "I", I: "P", P: "" },
};

type Node = { id: string; code: string; loop: Loop; children: Node[] };

/** Reads an 856 whole, or tells every reason to refuse it. */
export function readShipNotice(set: TransactionSet): ReadDocument<ShipNotice> {
  const { root, faults, partial } = readLoops(set, RULES, holdsMore);
  if (faults.length > 0) return { faults };
  const beginning = root.segments.find(([name]) => name === "BSN") ?? [];
  const levels = root.loops.filter(({ name }) => name === "HL");
  const { shipment, faults: wrong } = readTree(set, levels, text(beginning, 5));
  const totals = root.loops.find(({ name }) => name === "CTT");
  const readQuantities = () =>
    levels.flatMap(({ segments }) => {
      const found = segments.find(([name]) => name === "SN1");
      return found ? [text(found, 2)] : [];
    });
  if (totals) wrong.push(...checkTotals(set, totals, { counted: levels.length, quantities: readQuantities }));
  if (!shipment || wrong.length > 0) return { faults: wrong };
  const level = readLevel(shipment, SHIPMENT);
  return {
    document: {
      ...BEGINNING.read(root, []),
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

function readLevel<Value extends object>(
  { loop: found }: Node,
  { read }: { read(loop: Loop, unused: Segment[]): Value },
): WithUnused<Value> {
  const unused: Segment[] = [];
  return { ...read(found, unused), unused };
}

const withCode = ({ children }: Node, code: string): Node[] => children.filter((node) => node.code === code);

const readShippedOrder = (node: Node): ShippedOrder => ({
  ...readLevel(node, ORDER),
  cartons: withCode(node, "P").map(readCarton),
  items: withCode(node, "I").map(readItem),
});

const readCarton = (node: Node): Carton => ({
  ...readLevel(node, CARTON),
  items: withCode(node, "I").map(readItem),
});

const readItem = (node: Node): Item => ({
  ...readLevel(node, ITEM),
  cartons: withCode(node, "P").map(readCarton),
});

/** The segments of an 856 between ST and SE, levels numbered in their order; `unused` ones are not written. */
export function writeShipNotice(notice: ShipNotice): SetBody {
  const { structure, shipment } = notice;
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
    segments: [...BEGINNING.write(notice), ...levels, writeTotals(count)],
  };
}

type WrittenLevel = { code: string; own: readonly Segment[]; children: readonly WrittenLevel[] };

const toShipmentLevel = (shipment: Shipment): WrittenLevel => ({
  code: "S",
  own: SHIPMENT.write(shipment),
  children: shipment.orders.map((order) => ({
    code: "O",
    own: ORDER.write(order),
    children: [...order.cartons.map(toCartonLevel), ...order.items.map(toItemLevel)],
  })),
});

const toCartonLevel = (carton: Carton): WrittenLevel => ({
  code: "P",
  own: CARTON.write(carton),
  children: carton.items.map(toItemLevel),
});

const toItemLevel = (item: Item): WrittenLevel => ({
  code: "I",
  own: ITEM.write(item),
  children: item.cartons.map(toCartonLevel),
});
