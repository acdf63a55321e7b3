import { writeTotals } from "./line-count.ts";
import { NotWritable } from "./not-writable.ts";
import { DATE, LEVEL_BEFORE_MARKS, LEVEL_BEHIND_MARKS } from "./parts.ts";
import {
  dateAt,
  every,
  once,
  loop,
  pairsFrom,
  segment,
  textAt,
  timeAt,
  type DescribedBy,
  type Part,
  type WithUnused,
} from "./set-description.ts";
import type { Segment } from "./transaction-set.ts";
import { text } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/** Number, day and time of the notice; its structure, BSN05, is "0001": shipment, order, carton, item, or "0002": shipment, order, item, carton. */
export const BEGINNING = loop(
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

export const LEVEL_SEGMENTS =
  "HL LIN? SN1? SLN PRF? PO4 PID MEA PWK PKG TD1 TD5 TD3 TD4 TSD REF PER LS LE CLD MAN DTM FOB PAL SAC CUR? SDQ ETD";
const LEVEL = [...LEVEL_BEFORE_MARKS, ...LEVEL_BEHIND_MARKS] as const;
const hierarchy: Part<object> = { segments: ["HL"], loops: [], read: () => ({}), write: () => [] };

export const SHIPMENT = loop(LEVEL_SEGMENTS, [hierarchy, ...LEVEL]);
export const ORDER = loop(LEVEL_SEGMENTS, [
  hierarchy,
  once(segment("PRF", { number: textAt(1), releaseNumber: textAt(2), sequence: textAt(3), date: dateAt(4) })),
  ...LEVEL,
]);
export const CARTON = loop(LEVEL_SEGMENTS, [hierarchy, ...LEVEL_BEFORE_MARKS, marks, ...LEVEL_BEHIND_MARKS]);
export const ITEM = loop(LEVEL_SEGMENTS, [
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

/** Levels that may be inside a level: shipment, order, carton ("P" for pack), item. */
export const INSIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0001": { "": "S", S: "O", O: "PI", P: "I", I: "" },
  "0002": { "": "S", S: "O", O: "I", I: "P", P: "" },
};

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
