import { expect, test } from "vitest";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";
import { fileWith, readSets } from "./fixtures/envelope.ts";
import { sampleFile, sampleOrder } from "./fixtures/sample-orders.ts";
import { acknowledgeGroup, writeFunctionalAcknowledgment } from "./functional-acknowledgment.ts";
import { readPurchaseOrder } from "./purchase-order.ts";
import { readInterchanges } from "./read-interchanges.ts";

/** The answer to the first group of a file, without ISA, GS, GE and IEA. */
function answer(file: string): string[] {
  const parts = [...readInterchanges(Buffer.from(file))];
  const sets = parts.flatMap((part) => {
    if (part.kind !== "set") return [];
    const read = readPurchaseOrder(part.set);
    return [{ ...part.set, faults: "faults" in read ? read.faults : [] }];
  });
  const group = parts.find((part) => part.kind === "group");
  if (!group) throw new Error("no group");
  const value = acknowledgeGroup({ ...group, sets, delimiters: DEFAULT_DELIMITERS });
  if (!value) return [];
  const [set] = readSets(fileWith([writeFunctionalAcknowledgment(value)]));
  return (set?.segments ?? []).slice(1, -1).map((segment) => segment.join("*"));
}

test("good orders are accepted, each by its control number", () => {
  expect(answer(sampleFile({ sets: [sampleOrder(1), sampleOrder(2)] }))).toEqual([
    "AK1*PO*5",
    "AK2*850*0001",
    "AK5*A",
    "AK2*850*0002",
    "AK5*A",
    "AK9*A*2*2*2",
  ]);
});

test("a refused order is acknowledged with segment, element and the bad data", () => {
  const bad = sampleOrder(2)
    .with(1, "BEG*00*DS*80002**20261131")
    .with(9, "N1*ST*Jane Doe*92")
    .with(12, "PO1*1*two*EA*1**SK");
  expect(answer(sampleFile({ sets: [sampleOrder(1), bad] }))).toEqual([
    "AK1*PO*5",
    "AK2*850*0001",
    "AK5*A",
    "AK2*850*0002",
    "AK3*BEG*2**8",
    "AK4*5*373*8*20261131",
    "AK3*N1*10**8",
    "AK4*4*67*2",
    "AK3*PO1*13**8",
    "AK4*2*330*6*two",
    "AK4*7*234*2",
    "AK5*R*5",
    "AK9*P*2*2*1",
  ]);
});

test("envelope faults have their codes, and data that no acknowledgment can hold is left out", () => {
  const count = sampleOrder().with(-1, "SE*18*0002");
  expect(answer(sampleFile({ sets: [count] }))).toEqual([
    "AK1*PO*5",
    "AK2*850*0001",
    "AK5*R*4*3",
    "AK9*R*1*1*0",
  ]);
  const control = sampleOrder().with(8, "MSG*a\u0001b").with(7, "n9*ZZ*Gift");
  expect(answer(sampleFile({ sets: [control] })).slice(1, -1)).toEqual([
    "AK2*850*0001",
    "AK3*MSG*9**8",
    "AK4*1**6",
    "AK5*R*5",
  ]);
  expect(answer(sampleFile({ groupEnd: "GE*2*6" })).at(-1)).toBe("AK9*E*2*1*1*5*4");
  expect(answer(sampleFile({ groupEnd: "" })).at(-1)).toBe("AK9*E*1*1*1*3");
  expect(answer(sampleFile({ group: "GS*PO*A*B*20261126*0915*x*X*004060" }))).toEqual([]);
});
