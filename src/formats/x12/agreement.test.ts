import fc from "fast-check";
import { expect, test } from "vitest";
import { createArbitraries } from "./fixtures/arbitraries.ts";
import { fileWith, readSets } from "./fixtures/envelope.ts";
import { readByNodeX12, readByX12Parser, spellSegment } from "./fixtures/other-readers.ts";
import { writePurchaseOrder } from "./purchase-order.ts";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";

test("two other readers find the same segments in good documents", async () => {
  const plain = (value: string) =>
    value.replaceAll(/[^ -}]/g, "x").replace(/^ +/, (blanks) => "x".repeat(blanks.length));
  const { purchaseOrder } = createArbitraries(DEFAULT_DELIMITERS);
  const orders = fc.array(purchaseOrder, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(orders, fc.constantFrom("", "\n", "\r\n"), async (documents, lineBreak) => {
      // Both trim blanks, and one treats characters as single bytes, so these have none.
      const bodies = documents.map(writePurchaseOrder).map(({ type, segments }) => ({
        type,
        segments: segments.map((segment) => segment.map((each) => (each === "" ? "" : plain(each)))),
      }));
      const file = Buffer.from(fileWith(bodies, { lineBreak: lineBreak as "" })).toString();
      const ours = readSets(Buffer.from(file)).flatMap(({ segments }) => segments.map(spellSegment));
      expect(readByNodeX12(file)).toEqual(ours);
      expect(await readByX12Parser(file)).toEqual(ours);
    }),
    { numRuns: 40 },
  );
});
