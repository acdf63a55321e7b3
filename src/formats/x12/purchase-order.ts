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
  segment,
  textAt,
  transactionSet,
  type DescribedBy,
} from "./set-description.ts";

/** BEG01 and BCH01 of a cancellation. */
export const CANCELLATION = "01";

/** PO1 with what follows it. */
const LINE = loop(`PO1 ${LINE_SEGMENTS}`, [ORDERED, ...DETAILS, ...NOTES_AND_PARTIES], {
  others: IN_LINE,
  stage: 1,
  isRequired: true,
});

/**
 * A purchase order (850). Texts that are absent are empty. Quantities and prices are decimal text exactly as it was sent;
 * money with implied decimals is in cents.
 */
const PURCHASE_ORDER = transactionSet(
  "850",
  `BEG! ${HEADING_SEGMENTS}`,
  [
    once(
      segment("BEG", {
        /** "00" an original, "01" a cancellation, "06" a confirmation, "07" a duplicate. */
        purpose: textAt(1),
        /** "DS" drop ship, "SA" stand-alone. */
        type: textAt(2),
        number: textAt(3),
        releaseNumber: textAt(4),
        date: dateAt(5),
        contract: textAt(6),
      }),
    ),
    ...DETAILS,
    ...NOTES_AND_PARTIES,
    lines("lines", LINE),
  ],
  { totals: { of: "PO1", quantity: 2 }, others: IN_HEADING },
);
export const { read: readPurchaseOrder, write: writePurchaseOrder } = PURCHASE_ORDER;
export type PurchaseOrder = DescribedBy<typeof PURCHASE_ORDER>;
export type PurchaseOrderLine = PurchaseOrder["lines"][number];
