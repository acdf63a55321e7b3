import { CHARGE, currency, DATE, DESCRIPTION, PARTY, REFERENCE, TERMS } from "./parts.ts";
import { defineLoop } from "./read-loops.ts";
import {
  behind,
  dateAt,
  every,
  everyBehind,
  once,
  loop,
  loops,
  pairsFrom,
  segment,
  textAt,
  transactionSet,
  wholeAt,
  type DescribedBy,
} from "./set-description.ts";

/** IT1 with its descriptions: one line. Quantity and price are decimal text. */
const LINE = loop(
  "IT1 CUR TXI CTP PAM MEA PID PWK PKG PO4 REF PER SDQ DTM CAD TC2 TD3 SAC QTY IT3",
  [
    once(
      segment("IT1", {
        number: textAt(1),
        quantity: textAt(2),
        unit: textAt(3),
        unitPrice: textAt(4),
        priceBasis: textAt(5),
        ids: pairsFrom(6, 25),
      }),
    ),
    every("descriptions", DESCRIPTION),
  ],
  { stage: 1, isRequired: true },
);

/** An invoice (810): its terms and dates follow the parties. All amounts of TDS and SAC are cents. */
const INVOICE = transactionSet(
  "810",
  "BIG! NTE CUR REF YNQ PER",
  [
    once(
      segment("BIG", {
        date: dateAt(1),
        number: textAt(2),
        orderDate: dateAt(3),
        orderNumber: textAt(4),
        /** "PR" product or service, "DI" debit invoice; "CR" a credit memo. */
        type: textAt(7),
      }),
    ),
    currency,
    every("references", REFERENCE),
    loops("parties", PARTY),
    everyBehind("terms", TERMS, { stage: 0 }),
    everyBehind("dates", DATE, { stage: 0 }),
    loops("lines", LINE),
    behind(
      segment("TDS", {
        totalCents: wholeAt(1),
        /** That the terms' discount is taken on, what is due with it, and the discount; null without one. */
        discountedCents: wholeAt(2),
        dueCents: wholeAt(3),
        discountCents: wholeAt(4),
      }),
      { isRequired: true },
    ),
    behind(segment("TXI", { taxType: textAt(1), tax: textAt(2) })),
    behind(
      segment("CAD", {
        /** "U" a parcel service. */
        mode: textAt(1),
        scac: textAt(4),
        routing: textAt(5),
        /** "CN" with the tracking number. */
        carrierQualifier: textAt(7),
        carrierNumber: textAt(8),
      }),
    ),
    everyBehind("charges", CHARGE),
  ],
  {
    totals: { of: "IT1", quantity: 2, isSummed: true },
    others: [
      ...["FOB", "PID", "MEA", "PWK", "PKG"].map((name) => defineLoop(name)),
      ...["AMT", "ISS"].map((name) => defineLoop(name, [], { stage: 1 })),
    ],
  },
);
export const { read: readInvoice, write: writeInvoice } = INVOICE;
export type Invoice = DescribedBy<typeof INVOICE>;
