import { writeDetails, type Details, type WithUnused } from "./document-parts.ts";
import { readPairs, writePairs, type ProductId } from "./pairs.ts";
import { NotWritable } from "./not-writable.ts";
import { defineOrder, readLineDetails, readOrder, writeOrder } from "./order-structure.ts";
import type { Loop } from "./read-loops.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { date, text, writeDate } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/**
 * A purchase order (850). Texts that are absent are empty. Quantities and prices are decimal text exactly as it was sent;
 * money with implied decimals is in cents.
 */
export type PurchaseOrder = WithUnused<Details> & {
  /** BEG01: "00" an original, "01" a cancellation, "06" a confirmation, "07" a duplicate. */
  purpose: string;
  /** BEG02: "DS" drop ship, "SA" stand-alone. */
  type: string;
  number: string;
  releaseNumber: string;
  /** YYYY-MM-DD */
  date: string;
  contract: string;
  lines: readonly PurchaseOrderLine[];
};

/** PO1 with what follows it. */
export type PurchaseOrderLine = WithUnused<Details> & {
  number: string;
  quantity: string;
  /** "EA" */
  unit: string;
  unitPrice: string;
  priceBasis: string;
  ids: readonly ProductId[];
};

/** BEG01 of a cancellation. */
export const CANCELLATION = "01";

const STRUCTURE = defineOrder({ beginning: "BEG", line: "PO1", quantity: 2, isLineRequired: true });

/** Reads an 850 whole, or tells every reason to refuse it. */
export function readPurchaseOrder(set: TransactionSet): ReadDocument<PurchaseOrder> {
  const read = readOrder(set, STRUCTURE);
  if ("faults" in read) return read;
  const { beginning, heading, lines } = read;
  return {
    document: {
      purpose: text(beginning, 1),
      type: text(beginning, 2),
      number: text(beginning, 3),
      releaseNumber: text(beginning, 4),
      date: date(beginning, 5),
      contract: text(beginning, 6),
      ...heading,
      lines: lines.map(readLine),
    },
  };
}

function readLine(loop: Loop): PurchaseOrderLine {
  const [first = []] = loop.segments;
  return {
    number: text(first, 1),
    quantity: text(first, 2),
    unit: text(first, 3),
    unitPrice: text(first, 4),
    priceBasis: text(first, 5),
    ids: readPairs(first, 6, 25),
    ...readLineDetails(loop),
  };
}

/** The segments of an 850 between ST and SE; `unused` ones are not written. */
export function writePurchaseOrder(order: PurchaseOrder): SetBody {
  const { purpose, type, number, releaseNumber, contract } = order;
  if (order.lines.length === 0) throw new NotWritable("segment_missing", { segment: "PO1" });
  const beginning = ["BEG", purpose, type, number, releaseNumber, writeDate(order.date), contract];
  return { type: "850", segments: writeOrder(beginning, order, order.lines.map(writeLine)) };
}

const writeLine = (line: PurchaseOrderLine): Segment[] => [
  ["PO1", line.number, line.quantity, line.unit, line.unitPrice, line.priceBasis, ...writePairs(line.ids)],
  ...writeDetails(line),
];
