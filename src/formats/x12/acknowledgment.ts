import {
  DETAILS,
  HEADING_SEGMENTS,
  IN_HEADING,
  IN_LINE,
  LINE_SEGMENTS,
  NOTES_AND_PARTIES,
  ORDERED,
} from "./parts.ts";
import {
  dateAt,
  once,
  lines,
  loop,
  loops,
  pairsFrom,
  segment,
  textAt,
  transactionSet,
  type DescribedBy,
} from "./set-description.ts";

/** ACK: outcome of a quantity of a line. */
const STATUS = loop("ACK DTM", [
  once(
    segment("ACK", {
      /** "IA" accepted, "IR" rejected, "ID" deleted, "IQ" quantity changed. */
      status: textAt(1),
      quantity: textAt(2),
      unit: textAt(3),
      /** Qualifier of the date and the date; both empty when none is given. */
      dateQualifier: textAt(4),
      date: dateAt(5),
      requestNumber: textAt(6),
      ids: pairsFrom(7, 28),
    }),
  ),
]);

/** PO1 with what follows it: segments of the line itself come before ACK, its notes and parties behind it. */
const LINE = loop(
  `PO1 ${LINE_SEGMENTS}`,
  [ORDERED, ...DETAILS, loops("statuses", STATUS), ...NOTES_AND_PARTIES],
  { others: IN_LINE, stage: 1 },
);

/** The supplier's acknowledgment of a purchase order (855). One without detail has no line. */
const ACKNOWLEDGMENT = transactionSet(
  "855",
  `BAK! ${HEADING_SEGMENTS}`,
  [
    once(
      segment("BAK", {
        /** "00" an original. */
        purpose: textAt(1),
        /** "AC" with detail and change, "AD" with detail and no change, "AK" without detail, "RD" rejects with detail. */
        type: textAt(2),
        number: textAt(3),
        /** Date of the order. */
        orderDate: dateAt(4),
        releaseNumber: textAt(5),
        /** The supplier's own number of the order. */
        supplierNumber: textAt(8),
        /** Date of the acknowledgment; empty when it is missing. */
        date: dateAt(9),
      }),
    ),
    ...DETAILS,
    ...NOTES_AND_PARTIES,
    lines("lines", LINE),
  ],
  { totals: { of: "PO1", quantity: 2 }, others: IN_HEADING },
);
export const { read: readAcknowledgment, write: writeAcknowledgment } = ACKNOWLEDGMENT;
export type Acknowledgment = DescribedBy<typeof ACKNOWLEDGMENT>;
