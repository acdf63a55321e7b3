import { NO_DETAILS, writeDetails, type Details, type WithUnused } from "./document-parts.ts";
import { readPairs, writePairs, type ProductId } from "./pairs.ts";
import { defineOrder, readLineDetails, readOrder, writeOrder } from "./order-structure.ts";
import { defineLoop, type Loop } from "./read-loops.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { date, text, writeDate } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/** The supplier's acknowledgment of a purchase order (855). Texts and numbers are as in a purchase order. */
export type Acknowledgment = WithUnused<Details> & {
  /** BAK01: "00" an original. */
  purpose: string;
  /** BAK02: "AC" with detail and change, "AD" with detail and no change, "AK" without detail, "RD" rejects with detail. */
  type: string;
  number: string;
  /** Date of the order, YYYY-MM-DD. */
  orderDate: string;
  releaseNumber: string;
  /** The supplier's own number of the order. */
  supplierNumber: string;
  /** Date of the acknowledgment; empty when it is not said. */
  date: string;
  lines: readonly AcknowledgmentLine[];
};

/** PO1 with what follows it. */
export type AcknowledgmentLine = WithUnused<Details> & {
  number: string;
  quantity: string;
  unit: string;
  unitPrice: string;
  priceBasis: string;
  ids: readonly ProductId[];
  statuses: readonly LineStatus[];
};

/** ACK: what becomes of a quantity of a line: "IA" accepted, "IR" rejected, "ID" deleted, "IQ" quantity changed. */
export type LineStatus = {
  status: string;
  quantity: string;
  unit: string;
  /** Qualifier of the date and the date; both empty when none is said. */
  dateQualifier: string;
  date: string;
  requestNumber: string;
  ids: readonly ProductId[];
};

/** An acknowledgment without detail has no line. */
const STRUCTURE = defineOrder({
  beginning: "BAK",
  line: "PO1",
  quantity: 2,
  loops: [defineLoop("ACK DTM")],
  isLineRequired: false,
});

/** Reads an 855 whole, or tells every reason to refuse it. */
export function readAcknowledgment(set: TransactionSet): ReadDocument<Acknowledgment> {
  const read = readOrder(set, STRUCTURE);
  if ("faults" in read) return read;
  const { beginning, heading, lines } = read;
  return {
    document: {
      purpose: text(beginning, 1),
      type: text(beginning, 2),
      number: text(beginning, 3),
      orderDate: date(beginning, 4),
      releaseNumber: text(beginning, 5),
      supplierNumber: text(beginning, 8),
      date: date(beginning, 9),
      ...heading,
      lines: lines.map(readLine),
    },
  };
}

function readLine(loop: Loop): AcknowledgmentLine {
  const [first = []] = loop.segments;
  const details = readLineDetails(loop, "ACK");
  const statuses = loop.loops.filter(({ name }) => name === "ACK");
  return {
    number: text(first, 1),
    quantity: text(first, 2),
    unit: text(first, 3),
    unitPrice: text(first, 4),
    priceBasis: text(first, 5),
    ids: readPairs(first, 6, 25),
    ...details,
    unused: [...details.unused, ...statuses.flatMap(({ segments }) => segments.slice(1))],
    statuses: statuses.map(readStatus),
  };
}

function readStatus({ segments: [first = []] }: Loop): LineStatus {
  return {
    status: text(first, 1),
    quantity: text(first, 2),
    unit: text(first, 3),
    dateQualifier: text(first, 4),
    date: date(first, 5),
    requestNumber: text(first, 6),
    ids: readPairs(first, 7, 28),
  };
}

/** The segments of an 855 between ST and SE; `unused` ones are not written. */
export function writeAcknowledgment(acknowledgment: Acknowledgment): SetBody {
  const { purpose, type, number, orderDate, releaseNumber, supplierNumber } = acknowledgment;
  const beginning = [
    "BAK",
    purpose,
    type,
    number,
    writeDate(orderDate),
    releaseNumber,
    "",
    "",
    supplierNumber,
  ];
  return {
    type: "855",
    segments: writeOrder(
      [...beginning, writeDate(acknowledgment.date)],
      acknowledgment,
      acknowledgment.lines.map(writeLine),
    ),
  };
}

/** Segments of the line itself come before ACK, its notes and parties behind it. */
function writeLine(line: AcknowledgmentLine): Segment[] {
  const { number, quantity, unit, unitPrice, priceBasis, ids } = line;
  return [
    ["PO1", number, quantity, unit, unitPrice, priceBasis, ...writePairs(ids)],
    ...writeDetails({ ...line, notes: [], parties: [] }),
    ...line.statuses.map(writeStatus),
    ...writeDetails({ ...NO_DETAILS, notes: line.notes, parties: line.parties }),
  ];
}

const writeStatus = (status: LineStatus): Segment => [
  "ACK",
  status.status,
  status.quantity,
  status.unit,
  status.dateQualifier,
  writeDate(status.date),
  status.requestNumber,
  ...writePairs(status.ids),
];
