import { DETAILS, HEADING_SEGMENTS, IN_HEADING, IN_LINE, LINE_SEGMENTS, NOTES_AND_PARTIES } from "./parts.ts";
import {
  dateAt,
  once,
  lines,
  loop,
  pairsFrom,
  segment,
  textAt,
  transactionSet,
  type DescribedBy,
} from "./set-description.ts";

/** POC with what follows it. */
const LINE = loop(
  `POC ${LINE_SEGMENTS}`,
  [
    once(
      segment("POC", {
        number: textAt(1),
        /** "DI" deletes the line, "AI" adds one, "QD" and "QI" decrease and increase its quantity, "CA" changes it. */
        change: textAt(2),
        quantity: textAt(3),
        /** Quantity that is still to be received. */
        quantityLeft: textAt(4),
        unit: textAt(5),
        unitPrice: textAt(6),
        priceBasis: textAt(7),
        ids: pairsFrom(8, 27),
      }),
    ),
    ...DETAILS,
    ...NOTES_AND_PARTIES,
  ],
  { others: IN_LINE, stage: 1 },
);

/** A change of a purchase order by its buyer (860); one of the heading alone has no line. */
const ORDER_CHANGE = transactionSet(
  "860",
  `BCH! ${HEADING_SEGMENTS}`,
  [
    once(
      segment("BCH", {
        /** "01" cancels the order, "04" changes it. */
        purpose: textAt(1),
        type: textAt(2),
        number: textAt(3),
        releaseNumber: textAt(4),
        /** Number of the change, which counts up within an order. */
        sequence: textAt(5),
        orderDate: dateAt(6),
        changeDate: dateAt(11),
      }),
    ),
    ...DETAILS,
    ...NOTES_AND_PARTIES,
    lines("lines", LINE),
  ],
  { totals: { of: "POC", quantity: 3 }, others: IN_HEADING },
);
export const { read: readOrderChange, write: writeOrderChange } = ORDER_CHANGE;
export type OrderChange = DescribedBy<typeof ORDER_CHANGE>;
export type OrderChangeLine = OrderChange["lines"][number];
