import { writeDetails, type Details, type WithUnused } from "./document-parts.ts";
import { readPairs, writePairs, type ProductId } from "./pairs.ts";
import { defineOrder, readLineDetails, readOrder, writeOrder } from "./order-structure.ts";
import type { Loop } from "./read-loops.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { date, text, writeDate } from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/** A change of a purchase order by its buyer (860). Texts and numbers are as in a purchase order. */
export type OrderChange = WithUnused<Details> & {
  /** BCH01: "01" cancels the order, "04" changes it. */
  purpose: string;
  type: string;
  number: string;
  releaseNumber: string;
  /** Number of the change, which counts up within an order. */
  sequence: string;
  /** Date of the order, YYYY-MM-DD. */
  orderDate: string;
  /** Date of the change; empty when it is not said. */
  changeDate: string;
  lines: readonly OrderChangeLine[];
};

/** POC with what follows it. */
export type OrderChangeLine = WithUnused<Details> & {
  number: string;
  /** POC02: "DI" deletes the line, "AI" adds one, "QD" and "QI" decrease and increase its quantity, "CA" changes it. */
  change: string;
  quantity: string;
  /** Quantity that is still to be received. */
  quantityLeft: string;
  unit: string;
  unitPrice: string;
  priceBasis: string;
  ids: readonly ProductId[];
};

/** A change of the heading alone has no line. */
const STRUCTURE = defineOrder({ beginning: "BCH", line: "POC", quantity: 3, isLineRequired: false });

/** Reads an 860 whole, or tells every reason to refuse it. */
export function readOrderChange(set: TransactionSet): ReadDocument<OrderChange> {
  const read = readOrder(set, STRUCTURE);
  if ("faults" in read) return read;
  const { beginning, heading, lines } = read;
  return {
    document: {
      purpose: text(beginning, 1),
      type: text(beginning, 2),
      number: text(beginning, 3),
      releaseNumber: text(beginning, 4),
      sequence: text(beginning, 5),
      orderDate: date(beginning, 6),
      changeDate: date(beginning, 11),
      ...heading,
      lines: lines.map(readLine),
    },
  };
}

function readLine(loop: Loop): OrderChangeLine {
  const [first = []] = loop.segments;
  return {
    number: text(first, 1),
    change: text(first, 2),
    quantity: text(first, 3),
    quantityLeft: text(first, 4),
    unit: text(first, 5),
    unitPrice: text(first, 6),
    priceBasis: text(first, 7),
    ids: readPairs(first, 8, 27),
    ...readLineDetails(loop),
  };
}

/** The segments of an 860 between ST and SE; `unused` ones are not written. */
export function writeOrderChange(change: OrderChange): SetBody {
  const { purpose, type, number, releaseNumber, sequence } = change;
  const orderDate = writeDate(change.orderDate);
  const beginning = ["BCH", purpose, type, number, releaseNumber, sequence, orderDate, "", "", "", ""];
  return {
    type: "860",
    segments: writeOrder([...beginning, writeDate(change.changeDate)], change, change.lines.map(writeLine)),
  };
}

const writeLine = (line: OrderChangeLine): Segment[] => [
  [
    "POC",
    line.number,
    line.change,
    line.quantity,
    line.quantityLeft,
    line.unit,
    line.unitPrice,
    line.priceBasis,
    ...writePairs(line.ids),
  ],
  ...writeDetails(line),
];
