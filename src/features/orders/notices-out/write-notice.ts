import { dayIn } from "#formats/text/phrases.ts";
import { addDecimals } from "#formats/x12/decimals.ts";
import { writeAcknowledgment } from "#formats/x12/acknowledgment.ts";
import { DEFAULT_DELIMITERS } from "#formats/x12/delimiters.ts";
import type { ProductId } from "#formats/x12/pairs.ts";
import { NO_DETAILS, type QualifiedDate, type Reference } from "#formats/x12/parts.ts";
import { writeShipNotice, type Item } from "#formats/x12/ship-notice.ts";
import {
  DELIMITERS_4010,
  writeInterchange,
  type Envelope,
  type SetBody,
} from "#formats/x12/write-interchange.ts";
import type { NoticeSettings } from "#features/orders/notices-out/contract.ts";
import { stampAt } from "#features/orders/notices-out/rules.ts";
import type { CancelFacts, NoticeDocument, ShipFacts } from "#features/orders/notices-out/types.ts";
import { findVendorNumber } from "#features/orders/notices-out/check-invoice.ts";
import { plainFor, toConsignee, toParty, type Plain } from "#features/orders/notices-out/parties.ts";
import {
  listIds,
  writeInvoiceSet,
  type InvoiceDocument,
} from "#features/orders/notices-out/write-invoice.ts";
import { findStoreParty } from "#features/orders/rules.ts";
import { findServiceCode, type Partner } from "#features/orders/partners/partner.ts";
import type { Order, OrderLine, Trading, X12Trading } from "#features/orders/types.ts";

type Parts = {
  document: NoticeDocument;
  content: { facts: ShipFacts | CancelFacts; dueAt: Date } | { invoice: InvoiceDocument };
  order: { content: Order; trading: Trading | null };
  partner: Partner;
  settings: NoticeSettings;
  /** For a ship notice: nothing of the order is left to ship, and no later shipment is known. */
  isLast: boolean;
  /** Control number of the interchange and its group, which the 997 names. */
  controlNumber: number;
  /** The company's, for the day that the cartons left on. */
  timeZone: string;
  now: Date;
};

/**
 * A notice as an X12 interchange with one document: an 856, an 810, or an 855 for cancellations of a retailer that wants it so.
 * @throws NotWritable for an order with values that X12 can't hold
 */
export function writeNotice({
  document,
  content,
  order,
  partner,
  settings,
  isLast,
  controlNumber,
  ...when
}: Parts): Buffer {
  const trading = order.trading?.format === "x12" ? order.trading : null;
  const envelope = toEnvelope(trading, { partner, settings, controlNumber, now: when.now });
  // The envelope's time is UTC; a document's is the company's, which the retailer compares with the day that goods left.
  const stamp = stampAt(when.now, when.timeZone);
  const plain = plainFor(envelope.delimiters);
  const common = { order: order.content, partner, controlNumber, stamp, plain };
  const body =
    "invoice" in content
      ? writeInvoiceSet(content.invoice, envelope.delimiters)
      : "cartons" in content.facts
        ? shipNotice({
            ...common,
            facts: content.facts,
            isLast,
            shippedOn: dayIn(when.timeZone)(content.dueAt),
          })
        : cancellation({ ...common, document, facts: content.facts });
  const group = { controlNumber, sets: [{ controlNumber: SET_NUMBER, body }] };
  return Buffer.from(writeInterchange(envelope, [group]));
}

/** Control number of the one document in a notice's group. */
export const SET_NUMBER = "0001";

/** The retailer's own envelope, turned around. */
function toEnvelope(
  trading: X12Trading | null,
  {
    partner,
    settings,
    controlNumber,
    now,
  }: { partner: Partner; settings: NoticeSettings; controlNumber: number; now: Date },
): Envelope {
  const { x12 } = partner;
  const ours = trading?.company ?? { qualifier: "ZZ", id: "SUPPLIER", groupId: "" };
  const theirs = trading?.retailer ?? { qualifier: x12.qualifier, id: x12.id, groupId: "" };
  const isOwn = settings.sender_id !== "";
  const version = trading?.version || x12.version;
  return {
    senderQualifier: ours.qualifier,
    sender: isOwn ? settings.sender_id : ours.id,
    receiverQualifier: theirs.qualifier,
    receiver: theirs.id,
    groupSender: isOwn ? "" : ours.groupId,
    groupReceiver: theirs.groupId,
    version,
    ...stampAt(now, "UTC"),
    controlNumber,
    isTest: trading?.isTest ?? false,
    // The retailer answers with a 997 as agreed; ISA14 asks for a TA1, which is something else.
    wantsAcknowledgment: false,
    delimiters: /^00(40[12]|[0-3])/.test(version) ? DELIMITERS_4010 : DEFAULT_DELIMITERS,
    lineBreak: "\n",
  };
}

type Common = {
  order: Order;
  partner: Partner;
  controlNumber: number;
  stamp: { date: string; time: string };
  plain: Plain;
};

const NO_LEVEL = { ...NO_DETAILS, unused: [] };

/** Shipment, order, cartons, and in each carton what it holds. */
function shipNotice(parts: Common & { facts: ShipFacts; isLast: boolean; shippedOn: string }): SetBody {
  const { order, partner, stamp, facts, shippedOn } = parts;
  const [first] = facts.cartons;
  // UPS names a shipment by its first package, whose label may be void while others are good.
  const isGood = facts.cartons.some(({ trackingNumber }) => trackingNumber === facts.shipment);
  const number = isGood || !first ? facts.shipment : first.trackingNumber;
  // Contents of cartons may be unknown where the retailer needs none: all are in the first.
  const listContents = (carton: ShipFacts["cartons"][number]) =>
    (carton.contents ?? (carton === first ? facts.lines : [])).flatMap(({ line, quantity }) => {
      const ordered = order.lines.find((found) => found.line === line);
      return ordered ? [toItem(ordered, parts, { quantity, status: "" })] : [];
    });
  const weight = facts.cartons.reduce((sum, { weightLb }) => sum + weightLb, 0);
  const routing = order.serviceCode || findServiceCode(partner, facts.service);
  return writeShipNotice({
    purpose: "00",
    number,
    ...stamp,
    structure: "0001",
    transaction: "",
    reason: "",
    dates: [],
    shipment: {
      ...NO_LEVEL,
      packages: [toPackages(facts.cartons.length, weight)],
      routings: [
        {
          sequence: "",
          idQualifier: "2",
          id: "UPSN",
          transport: "ZZ",
          routing,
          status: parts.isLast ? "CC" : "PR",
          serviceLevel: "",
        },
      ],
      references: [{ qualifier: "CN", value: number, description: "" }, ...listVendor(parts, [facts])],
      dates: [shippedDate(shippedOn)],
      parties: [
        toParty("SF", { ...facts.shipFrom, country: "US" }, parts.plain),
        toConsignee(order, parts.plain),
      ],
      orders: [
        {
          ...toOrderLevel(order),
          cartons: facts.cartons.map((carton) => ({
            ...NO_LEVEL,
            marks: [{ qualifier: "CP", value: carton.trackingNumber, last: "" }],
            packages: [toPackages(1, carton.weightLb)],
            items: listContents(carton),
          })),
          items: [],
        },
      ],
    },
  });
}

/**
 * Each line that is canceled now, with the quantity 0 and the reason (856); or every line with all of it that is canceled so far, and
 * with the reasons (855).
 */
function cancellation(parts: Common & { document: NoticeDocument; facts: CancelFacts }): SetBody {
  const { order, partner, document, controlNumber, stamp, facts, plain } = parts;
  const toReason = (reason: string): Reference => {
    const { name = "" } = partner.cancelReasons.find(({ id }) => id === reason) ?? {};
    return { qualifier: "ZZ", value: reason, description: plain(name, 80) };
  };
  const parties = findStoreParty(order) ? [toConsignee(order, plain)] : [];
  if (document === "855") {
    const listCanceled = (line: string) => facts.canceledSoFar.filter((piece) => piece.line === line);
    const count = (line: string) => addDecimals(listCanceled(line).map(({ quantity }) => quantity));
    const isAll = order.lines.every(({ line, quantity }) => Number(count(line)) >= Number(quantity));
    return writeAcknowledgment({
      ...NO_LEVEL,
      parties,
      purpose: "00",
      type: isAll ? "RD" : "AC",
      number: order.poNumber,
      orderDate: order.orderDate ?? stamp.date,
      releaseNumber: "",
      supplierNumber: "",
      date: stamp.date,
      references: [...listVendor(parts, []), ...toReferences(order)],
      lines: order.lines.map((line) => {
        const kept = addDecimals([line.quantity, `-${count(line.line)}`]);
        return {
          ...NO_LEVEL,
          number: line.line,
          quantity: line.quantity,
          unit: line.unit || EACH,
          unitPrice: line.unitCost,
          priceBasis: line.priceBasis ?? "",
          ids: toIds(line),
          references: [...new Set(listCanceled(line.line).map(({ reason }) => reason))].map(toReason),
          statuses: [
            ["IA", kept],
            ["IR", count(line.line)],
          ].flatMap(([status = "", quantity = ""]) =>
            Number(quantity) > 0
              ? [
                  {
                    status,
                    quantity,
                    unit: line.unit || EACH,
                    dateQualifier: "",
                    date: "",
                    requestNumber: "",
                    ids: [],
                  },
                ]
              : [],
          ),
        };
      }),
    });
  }
  const cancelled = facts.lines ?? order.lines;
  return writeShipNotice({
    purpose: "00",
    number: String(controlNumber).padStart(9, "0"),
    ...stamp,
    structure: "0001",
    transaction: "",
    reason: "",
    dates: [],
    shipment: {
      ...NO_LEVEL,
      parties,
      orders: [
        {
          ...toOrderLevel(order),
          cartons: [],
          items: order.lines.flatMap((line) =>
            cancelled.some((piece) => piece.line === line.line)
              ? [
                  {
                    ...toItem(line, parts, { quantity: "0", status: "ID" }),
                    references: [toReason(facts.reason)],
                  },
                ]
              : [],
          ),
        },
      ],
    },
  });
}

const EACH = "EA";

/** Cartons with their gross weight in pounds. */
const toPackages = (count: number, weightLb: number) => ({
  packaging: "CTN25",
  count: String(count),
  weightQualifier: "G",
  weight: String(Math.round(weightLb * 100) / 100),
  weightUnit: "LB",
});

const shippedDate = (date: string): QualifiedDate => ({
  qualifier: "011",
  date,
  time: "",
  timeCode: "",
  periodFormat: "",
  period: "",
});

const toReferences = ({ customerOrder }: Order): Reference[] =>
  customerOrder === "" ? [] : [{ qualifier: "CO", value: customerOrder, description: "" }];

/** The company's number at the retailer, which the order names first. */
function listVendor({ order, partner }: Common, shipments: readonly ShipFacts[]): Reference[] {
  const value = findVendorNumber(order, partner, shipments);
  return value === "" ? [] : [{ qualifier: partner.invoices.vendorReference, value, description: "" }];
}

const toOrderLevel = (order: Order) => ({
  ...NO_LEVEL,
  number: order.poNumber,
  releaseNumber: "",
  sequence: "",
  date: order.orderDate ?? "",
  references: toReferences(order),
});

function toItem(
  line: OrderLine,
  { plain }: Common,
  { quantity, status }: { quantity: string; status: string },
): Item {
  const text = plain(line.description, 80);
  return {
    ...NO_LEVEL,
    number: line.line,
    ids: toIds(line),
    shipped: {
      number: line.line,
      quantity,
      unit: line.unit || EACH,
      shippedToDate: "",
      ordered: line.quantity,
      orderedUnit: line.unit || EACH,
      status,
    },
    descriptions: text === "" ? [] : [{ kind: "F", characteristic: "", code: "", text }],
    cartons: [],
  };
}

/** A line has at least one id in X12: without any other, the number of the line at the retailer. */
function toIds(line: OrderLine): ProductId[] {
  const ids = listIds(line, ["SK", "VN", "UP"]);
  return ids.length > 0 ? ids : [{ qualifier: "PL", value: line.line }];
}
