import fc from "fast-check";
import { expect, test } from "vitest";
import { readAcknowledgment, writeAcknowledgment } from "./acknowledgment.ts";
import { anyDelimiters, createArbitraries } from "./fixtures/arbitraries.ts";
import { fileWith, readSets } from "./fixtures/envelope.ts";
import { readFunctionalAcknowledgment, writeFunctionalAcknowledgment } from "./functional-acknowledgment.ts";
import { readOrderChange, writeOrderChange } from "./order-change.ts";
import { readPurchaseOrder, writePurchaseOrder } from "./purchase-order.ts";
import { readInterchanges } from "./read-interchanges.ts";
import { writeShipNotice } from "./ship-notice.ts";
import { readShipNotice } from "../../../test/support/rules/read-ship-notice.ts";
import type { ReadDocument, TransactionSet } from "./transaction-set.ts";
import type { SetBody } from "./write-interchange.ts";

type Arbitraries = ReturnType<typeof createArbitraries>;
const lineBreaks = fc.constantFrom("" as const, "\n" as const, "\r\n" as const);

/** Documents written with any delimiters are read back as they were. */
function checkRoundTrip<Document>(
  choose: (all: Arbitraries) => fc.Arbitrary<Document>,
  write: (document: Document) => SetBody,
  read: (set: TransactionSet) => ReadDocument<Document>,
): void {
  const cases = anyDelimiters.chain((delimiters) =>
    fc.record({
      delimiters: fc.constant(delimiters),
      lineBreak: lineBreaks,
      version: fc.constantFrom("004010", "004060"),
      documents: fc.array(choose(createArbitraries(delimiters)), { minLength: 1, maxLength: 3 }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ documents, ...changes }) => {
      const file = fileWith(documents.map(write), changes);
      expect([...readInterchanges(file)].flatMap((part) => ("faults" in part ? part.faults : []))).toEqual(
        [],
      );
      expect(readSets(file).map(read)).toEqual(documents.map((document) => ({ document })));
    }),
    { numRuns: 40 },
  );
}

test("every purchase order is read as it was written", () => {
  checkRoundTrip(({ purchaseOrder }) => purchaseOrder, writePurchaseOrder, readPurchaseOrder);
});

test("every order change is read as it was written", () => {
  checkRoundTrip(({ orderChange }) => orderChange, writeOrderChange, readOrderChange);
});

test("every acknowledgment is read as it was written", () => {
  checkRoundTrip(({ acknowledgment }) => acknowledgment, writeAcknowledgment, readAcknowledgment);
});

test("every ship notice is read as it was written, in both structures", () => {
  checkRoundTrip(({ shipNotice }) => shipNotice, writeShipNotice, readShipNotice);
});

test("every functional acknowledgment is read as it was written", () => {
  checkRoundTrip(
    ({ functionalAcknowledgment }) => functionalAcknowledgment,
    writeFunctionalAcknowledgment,
    readFunctionalAcknowledgment,
  );
});
