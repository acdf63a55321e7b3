import { DATE, messages, PARTY, REFERENCE } from "./parts.ts";
import { defineLoop } from "./read-loops.ts";
import {
  dateAt,
  every,
  loop,
  loops,
  once,
  segment,
  textAt,
  transactionSet,
  wholeAt,
  type DescribedBy,
} from "./set-description.ts";

/** TED with its notes: one error. */
const ADVISED_ERROR = loop("TED NTE RED", [
  once(segment("TED", { code: textAt(1), text: textAt(2), badData: textAt(7) })),
  every("notes", segment("NTE", { qualifier: textAt(1), text: textAt(2) })),
]);

/** OTI: a document of ours, by its number and by the control numbers of its group and set. */
const ORIGINAL = loop("OTI REF DTM PER AMT QTY NM1", [
  once(
    segment("OTI", {
      /** "TA" accepted, "TC" with changes, "TE" with errors, "TP" in part, "TR" rejected; "I…" the same of an item. */
      status: textAt(1),
      /** "IV" with the number of an invoice. */
      qualifier: textAt(2),
      number: textAt(3),
      groupNumber: textAt(8),
      setNumber: textAt(9),
      type: textAt(10),
    }),
  ),
  every("references", REFERENCE),
  loops("errors", ADVISED_ERROR),
]);

/** An application advice (824): what the retailer's own program says of documents that its 997 accepted. */
const APPLICATION_ADVICE = transactionSet("824", "BGN!", [
  once(segment("BGN", { purpose: textAt(1), number: textAt(2) })),
  loops("parties", PARTY),
  loops("originals", { ...ORIGINAL, rules: { ...ORIGINAL.rules, isRequired: true, stage: 1 } }),
]);
export const { read: readApplicationAdvice, write: writeApplicationAdvice } = APPLICATION_ADVICE;
export type ApplicationAdvice = DescribedBy<typeof APPLICATION_ADVICE>;

/** A message for people (864), such as a business error of an invoice. */
const TEXT_MESSAGE = transactionSet("864", "BMG! DTM", [
  once(segment("BMG", { purpose: textAt(1), description: textAt(2), type: textAt(3) })),
  every("dates", DATE),
  loops("parties", PARTY),
  loops(
    "texts",
    loop(
      "MIT REF DTM PER MSG MTX",
      [
        once(segment("MIT", { number: textAt(1), description: textAt(2) })),
        every("references", REFERENCE),
        messages,
      ],
      { stage: 1, isRequired: true },
    ),
  ),
]);
export const { read: readTextMessage, write: writeTextMessage } = TEXT_MESSAGE;

/** ADX: an amount that isn't paid, or paid besides, and X12's code of the reason. */
const ADJUSTMENT = loop("ADX NTE PER REF DTM", [
  once(segment("ADX", { amount: textAt(1), reason: textAt(2), qualifier: textAt(3), number: textAt(4) })),
]);

/** RMR: what is paid of a document. Amounts are decimal text. */
const PAID = loop("RMR NTE REF DTM", [
  once(
    segment("RMR", {
      /** "IV" with the number of an invoice, "CM" of a credit memo. */
      qualifier: textAt(1),
      number: textAt(2),
      paid: textAt(4),
      total: textAt(5),
      discount: textAt(6),
    }),
  ),
  loops("adjustments", ADJUSTMENT),
]);

/** A remittance advice (820): a payment, and what of it is for which invoice. */
const REMITTANCE = transactionSet("820", "BPR! NTE TRN CUR REF DTM PER", [
  once(segment("BPR", { handling: textAt(1), amount: textAt(2), creditOrDebit: textAt(3) })),
  once(segment("TRN", { type: textAt(1), number: textAt(2) })),
  every("dates", DATE),
  loops("parties", PARTY),
  loops(
    "entities",
    loop("ENT NM1 N2 N3 N4 REF PER", [loops("adjustments", ADJUSTMENT), loops("payments", PAID)], {
      stage: 1,
    }),
  ),
  loops("payments", { ...PAID, rules: { ...PAID.rules, stage: 1 } }),
]);
export const { read: readRemittance, write: writeRemittance } = REMITTANCE;
export type Remittance = DescribedBy<typeof REMITTANCE>;

/** CDD: a line of a credit or debit. */
const ADJUSTED_LINE = loop(
  "CDD LIN PO4 N9 SAC PER DTM REF",
  [once(segment("CDD", { reason: textAt(1), creditOrDebit: textAt(2), line: textAt(3) }))],
  { stage: 1 },
);

/** A credit or debit that the retailer made (812). Amounts are cents. */
const CREDIT_DEBIT = transactionSet(
  "812",
  "BCD! CUR N9 REF PER ITD DTM FOB SHD SAC",
  [
    once(
      segment("BCD", {
        date: dateAt(1),
        number: textAt(2),
        handling: textAt(3),
        amountCents: wholeAt(4),
        /** "D" or "C", as the retailer books it. */
        creditOrDebit: textAt(5),
        invoiceNumber: textAt(7),
        orderNumber: textAt(10),
      }),
    ),
    loops("parties", PARTY),
    loops("lines", ADJUSTED_LINE),
  ],
  { others: [defineLoop("AMT")] },
);
export const { read: readCreditDebit, write: writeCreditDebit } = CREDIT_DEBIT;
