import {
  beginInterchange,
  endInterchange,
  momentOf,
  segmentLine,
  type Segment,
} from "#formats/x12/write-x12.ts";
import type { ShipFrom } from "#features/labels/layout/rules-content.ts";
import type { LabelUpload, NumberedCarton } from "#features/labels/ledger/store.ts";
import { rangesOfPlaces, type LabelRange } from "#features/labels/print/rules-ranges.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** Cartons of one purchase order for one store, by their places, with the row of the first of them. */
type Order = { row: LabelRow; places: number[] };
/** Cartons that travel together. */
type Shipment = { row: LabelRow; orders: Map<string, Order>; cartons: number; weight: number | null };
type Shipments = Map<string, Shipment>;

/** Puts cartons together by where they go, with whom, and when. */
export async function shipmentsOf(cartons: AsyncIterable<NumberedCarton>): Promise<Shipments> {
  const shipments: Shipments = new Map();
  for await (const { row, seq } of cartons) {
    const key = shipmentKey(row);
    const shipment = shipments.get(key) ?? { row, orders: new Map<string, Order>(), cartons: 0, weight: 0 };
    shipments.set(key, shipment);
    shipment.cartons += 1;
    shipment.weight = row.weight === null || shipment.weight === null ? null : shipment.weight + row.weight;
    const orderKey = JSON.stringify([row.poNumber, row.markFor, row.department, row.vendor]);
    const order = shipment.orders.get(orderKey) ?? { row, places: [] };
    shipment.orders.set(orderKey, order);
    order.places.push(seq);
  }
  return shipments;
}

function shipmentKey(row: LabelRow): string {
  const { shipFrom, shipToName, address1, address2, city, state, postalCode, country } = row;
  const { carrier, pro, bol, shipDate } = row;
  const to = [shipToName, address1, address2, city, state, postalCode, country];
  return JSON.stringify([shipFrom, ...to, carrier, pro, bol, shipDate]);
}

type Sources = {
  upload: LabelUpload;
  shipments: Shipments;
  /** Cartons of places, in order. */
  read: (ranges: readonly LabelRange[]) => AsyncIterable<NumberedCarton>;
};

/**
 * An advance ship notice (X12 856, version 4010) of an upload: a transaction set for each shipment, in it orders,
 * cartons and items. It is a draft: who sends and who receives, and what a retailer wants besides, is filled in by
 * whoever sends it.
 */
export async function* asnOf({ upload, shipments, read }: Sources): AsyncGenerator<string> {
  yield beginInterchange({ kind: "SH", sender: "SENDER", receiver: "RECEIVER", at: upload.madeAt });
  let sets = 0;
  for (const shipment of shipments.values()) {
    sets += 1;
    yield* setOf(shipment, { number: sets, upload, read });
  }
  yield endInterchange(sets);
}

type Set856 = Pick<Sources, "upload" | "read"> & { number: number };

async function* setOf(shipment: Shipment, { number, upload, read }: Set856): AsyncGenerator<string> {
  const control = String(number).padStart(4, "0");
  let segments = 0;
  const write = (lines: readonly Segment[]) => {
    segments += lines.length;
    return lines.map(segmentLine).join("");
  };
  let levels = 1;
  const from = upload.shipFroms[shipment.row.shipFrom] ?? upload.shipFroms[""];
  yield write([["ST", "856", control], ...headOf(shipment, { upload, control, from })]);
  for (const order of shipment.orders.values()) {
    const orderLevel = (levels += 1);
    yield write(orderSegments(order, orderLevel));
    for await (const carton of read(rangesOfPlaces(order.places))) {
      const [pack, item] = [levels + 1, levels + 2];
      levels = item;
      yield write([...packSegments(carton, pack, orderLevel), ...itemSegments(carton.row, item, pack)]);
    }
  }
  yield write([["CTT", levels]]) + segmentLine(["SE", segments + 1, control]);
}

type Head = { upload: LabelUpload; control: string; from: ShipFrom | undefined };

function headOf({ row, cartons, weight }: Shipment, { upload, control, from }: Head): Segment[] {
  const [day, time] = momentOf(upload.madeAt);
  const shipped = row.shipDate.replaceAll("-", "");
  const gross = weight === null || weight === 0 ? [] : ["G", Math.round(weight * 100) / 100, "LB"];
  const isScac = /^[A-Z]{2,4}$/.test(row.carrier);
  return [
    ["BSN", "00", `${upload.id.slice(0, 8)}-${control}`, day, time, "0001"],
    ["HL", 1, undefined, "S"],
    ["TD1", "CTN25", cartons, undefined, undefined, undefined, ...gross],
    isScac
      ? ["TD5", undefined, "2", row.carrier, "M"]
      : ["TD5", undefined, undefined, undefined, "M", row.carrier],
    ...(row.trailer === "" ? [] : [["TD3", "TL", undefined, row.trailer] satisfies Segment]),
    ...reference("BM", row.bol),
    ...reference("CN", row.pro),
    ...(shipped === "" ? [] : [["DTM", "011", shipped] satisfies Segment]),
    ...partySegments("ST", { ...row, name: row.shipToName }, row.country),
    ...(from ? partySegments("SF", from, "") : []),
  ];
}

const reference = (kind: string, value: string): Segment[] => (value === "" ? [] : [["REF", kind, value]]);

type Party = Omit<ShipFrom, "code">;

function partySegments(kind: string, party: Party, country: string): Segment[] {
  const { name, address1, address2, city, state, postalCode } = party;
  return [
    ["N1", kind, name],
    ...(address1 === "" ? [] : [["N3", address1, address2] satisfies Segment]),
    ...(city === ""
      ? []
      : [["N4", city, state, postalCode.replaceAll(/[ -]/g, ""), country] satisfies Segment]),
  ];
}

function orderSegments({ row, places }: Order, level: number): Segment[] {
  const { poNumber, markFor, markForName, department, vendor } = row;
  return [
    ["HL", level, 1, "O"],
    ["PRF", poNumber],
    ["TD1", "CTN25", places.length],
    ...reference("DP", department),
    ...reference("IA", vendor),
    ...(markFor === "" ? [] : [["N1", "Z7", markForName, "92", markFor] satisfies Segment]),
  ];
}

/** MAN of kind GM holds the number with its identifier, exactly as the bar code of the carton has it. */
const packSegments = ({ sscc }: NumberedCarton, level: number, parent: number): Segment[] => [
  ["HL", level, parent, "P"],
  ["MAN", "GM", `00${sscc}`],
];

/** Kinds of item numbers by their digits. */
const GTIN_KINDS: Readonly<Record<number, string>> = { 8: "EN", 12: "UP", 13: "EN", 14: "UK" };

function itemSegments({ gtin, item, model, qty, description }: LabelRow, level: number, parent: number) {
  const numbers = [
    ...(gtin === "" ? [] : [GTIN_KINDS[gtin.length] ?? "UK", gtin]),
    ...(item === "" ? [] : ["SK", item]),
    ...(model === "" ? [] : ["VN", model]),
  ];
  const segments: Segment[] = [["HL", level, parent, "I"]];
  if (numbers.length > 0) segments.push(["LIN", undefined, ...numbers]);
  segments.push(["SN1", undefined, qty, "EA"]);
  if (description !== "") segments.push(["PID", "F", undefined, undefined, undefined, description]);
  return segments;
}
