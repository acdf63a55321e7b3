import { Readable } from "node:stream";
import fc from "fast-check";
import NodeX12 from "node-x12";
import { expect, test } from "vitest";
import { X12parser } from "x12-parser";
import { createArbitraries } from "./fixtures/arbitraries.ts";
import { fileWith, readSets } from "./fixtures/envelope.ts";
import { writePurchaseOrder } from "./purchase-order.ts";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";

/** Segments of transaction sets, ST to SE, without empty elements at their end. */
const spell = (segment: readonly string[]) => segment.join("*").replace(/\*+$/, "");

function theirs(file: string): string[] {
  const parser = new NodeX12.X12Parser(true);
  const [interchange] = [parser.parse(file)] as NodeX12.X12Interchange[];
  return (interchange?.functionalGroups ?? []).flatMap(({ transactions }) =>
    transactions.flatMap((set) =>
      [set.header, ...set.segments, set.trailer].map((segment) =>
        spell([segment.tag, ...segment.elements.map(({ value }) => String(value))]),
      ),
    ),
  );
}

async function streamed(file: string): Promise<string[]> {
  const found: string[] = [];
  for await (const each of Readable.from([file]).pipe(new X12parser())) {
    const { name, ...elements } = each as Record<string, string>;
    if (["ISA", "GS", "GE", "IEA", ""].includes(name ?? "")) continue;
    found.push(spell([name ?? "", ...Object.values(elements)]));
  }
  return found;
}

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
      const ours = readSets(Buffer.from(file)).flatMap(({ segments }) => segments.map(spell));
      expect(theirs(file)).toEqual(ours);
      expect(await streamed(file)).toEqual(ours);
    }),
    { numRuns: 40 },
  );
});
