import { expect, test } from "vitest";
import { sampleFile, sampleOrder } from "./fixtures/sample-orders.ts";
import { fileWith, readSets } from "./fixtures/envelope.ts";
import {
  acknowledgeGroup,
  readFunctionalAcknowledgment,
  writeFunctionalAcknowledgment,
  type CheckedSet,
} from "./functional-acknowledgment.ts";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";
import { NO_DETAILS } from "./parts.ts";
import { CANCELLATION, readPurchaseOrder, writePurchaseOrder, type PurchaseOrder } from "./purchase-order.ts";
import { readInterchanges } from "./read-interchanges.ts";
import type { Segment } from "./transaction-set.ts";

/** Sets of a file with recounted segments. */
function readOrder(segments: readonly string[]) {
  const counted = segments.with(-1, `SE*${segments.length}*0001`);
  const [set] = readSets(Buffer.from(sampleFile({ sets: [counted] })));
  if (!set) throw new Error("no set");
  return readPurchaseOrder(set);
}

function readFaults(segments: readonly string[]): string[] {
  const read = readOrder(segments);
  if (!("faults" in read)) return [];
  return read.faults.map(({ code, segment, position, element, value }) =>
    [code, segment, position, element, value].filter((each) => each !== "" && each !== null).join(" "),
  );
}

const product = { number: "1", unit: "EA", priceBasis: "", unused: [] };

test("an order is read field by field, with numbers as they were sent", () => {
  expect(readOrder(sampleOrder())).toEqual({
    document: {
      purpose: "00",
      type: "DS",
      number: "80001",
      releaseNumber: "",
      date: "2026-11-26",
      contract: "",
      currency: "USD",
      currencyOf: "BY",
      references: [{ qualifier: "CO", value: "W155", description: "" }],
      contacts: [],
      charges: [
        {
          indicator: "C",
          code: "D240",
          agency: "",
          agencyCode: "",
          amountCents: 1250,
          percentOf: "",
          percent: "",
          rate: "",
          handling: "",
          description: "Freight",
        },
      ],
      terms: [],
      dates: [{ qualifier: "064", date: "2026-12-01", time: "", timeCode: "", periodFormat: "", period: "" }],
      routings: [
        {
          sequence: "",
          idQualifier: "2",
          id: "UPSN",
          transport: "ZZ",
          routing: "UPSN_CG",
          status: "",
          serviceLevel: "",
        },
      ],
      descriptions: [],
      packages: [],
      notes: [{ qualifier: "ZZ", value: "Gift", description: "", messages: ["Happy birthday"] }],
      parties: [
        {
          kind: "ST",
          name: "Jane Doe",
          idQualifier: "92",
          id: "S1",
          names: [],
          address: ["12 Main Street", "Apartment 4"],
          city: "Reno",
          state: "NV",
          postalCode: "89506",
          country: "US",
          references: [],
          contacts: [],
        },
      ],
      unused: [],
      lines: [
        {
          ...NO_DETAILS,
          ...product,
          quantity: "2",
          unitPrice: "12.50",
          ids: [
            { qualifier: "SK", value: "1001234" },
            { qualifier: "VN", value: "F-77" },
            { qualifier: "UP", value: "614141007349" },
          ],
          descriptions: [{ kind: "F", characteristic: "08", code: "", text: "Kitchen faucet, chrome" }],
        },
        {
          ...NO_DETAILS,
          ...product,
          number: "2",
          quantity: "10",
          unitPrice: ".75",
          ids: [
            { qualifier: "SK", value: "1001235" },
            { qualifier: "VN", value: "W-3" },
          ],
        },
      ],
    } satisfies PurchaseOrder,
  });
});

test("a cancellation is recognized, and two-digit years are in our time", () => {
  const read = readOrder(sampleOrder().with(1, "BEG*01*DS*80001**261126").with(5, "DTM*064*690228"));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  expect(read.document.purpose).toBe(CANCELLATION);
  expect([read.document.date, read.document.dates[0]?.date]).toEqual(["2026-11-26", "2069-02-28"]);
});

test("segments and elements that belong to no field are kept along with those that are read", () => {
  const order = sampleOrder();
  const more = ["ITD*01*3**20261211***30*5", "FOB*CC", "TD5**2*UPSN*ZZ*UPSN_CG****DD*12"];
  const read = readOrder(
    [...order.slice(0, 6), ...more, ...order.slice(7, 10), "TAX*1", ...order.slice(10)].toSpliced(12, 1),
  );
  expect("faults" in read ? read.faults : read.document.unused.map((each) => each.join("*"))).toEqual(
    [1, 0, 2].map((at) => more[at]),
  );
});

test("an order is refused with segment, element and reason", () => {
  const order = sampleOrder();
  const cases: [readonly string[], string[]][] = [
    [order.with(1, "BEG*00*DS***20261126"), ["element_missing BEG 2 3"]],
    [order.with(1, "BEG*00*DS*   **20261126"), ["element_missing BEG 2 3"]],
    [order.with(1, "BEG*0*DS*1**20261126"), ["too_short BEG 2 1 0"]],
    [order.with(1, `BEG*00*DS*${"9".repeat(23)}**20261126`), [`too_long BEG 2 3 ${"9".repeat(23)}`]],
    [order.with(1, "BEG*00*DS*1**20261131"), ["date_not_valid BEG 2 5 20261131"]],
    [order.with(1, "BEG*00*DS*1**20250229"), ["date_not_valid BEG 2 5 20250229"]],
    [order.toSpliced(1, 1), ["segment_missing BEG 1"]],
    [order.toSpliced(1, 0, order[1] ?? ""), ["segment_too_often BEG 1"]],
    [order.with(3, "REF*CO"), ["element_missing_beside REF 4 2"]],
    [order.with(5, "DTM*064*20261201*2460"), ["time_not_valid DTM 6 3 2460"]],
    [order.with(4, "SAC*C*D240***12.50"), ["number_not_valid SAC 5 5 12.50"]],
    [order.with(8, "MTX*x*y").with(7, "PID*F****x"), ["segment_unexpected MTX 9"]],
    [
      order.with(9, "N2*Jane Doe"),
      ["segment_unexpected N2 10", "segment_unexpected N3 11", "segment_unexpected N4 12"],
    ],
    [order.with(9, "N1*ST*Jane Doe*92"), ["element_missing_beside N1 10 4"]],
    [
      order.with(11, "N4*Reno*NV*89506*1US"),
      ["too_long N4 12 4 1US"].slice(1).concat("code_not_valid N4 12 4 1US"),
    ],
    [order.with(12, "PO1*1*x*EA*12.50**SK*1"), ["number_not_valid PO1 13 2 x"]],
    [order.with(12, "PO1*1*1.2.3*EA*12.50**SK*1"), ["number_not_valid PO1 13 2 1.2.3"]],
    [order.with(12, "PO1*1*2**12.50**SK*1"), ["element_missing PO1 13 3"]],
    [order.with(12, "PO1*1*2*EA*12.50**SK*1*VN"), ["element_missing_beside PO1 13 9"]],
    [order.with(12, `PO1*1*2*EA*1**${"SK*1*".repeat(10)}X`), ["too_many_elements PO1 13 26 X"]],
    [order.with(10, "N3*12 Main>Street"), ["character_not_valid N3 11 1 12 Main>Street"]],
    [order.with(15, "CTT*3*12"), ["count_differs CTT 16 1 3"]],
    [order.with(15, "CTT*2*13"), ["count_differs CTT 16 2 13"]],
    [[...order.slice(0, 12), ...order.slice(15)], ["segment_missing PO1 1"]],
    [order.toSpliced(16, 0, order[12] ?? ""), ["segment_unexpected PO1 17"]],
    [order.with(6, "ZZZ*1"), ["segment_unexpected ZZZ 7"]],
  ];
  for (const [segments, faults] of cases)
    expect([segments, readFaults(segments)]).toEqual([segments, faults]);
});

test("totals include those that X12 adds and those that partners add", () => {
  const order = sampleOrder();
  const withTotal = (quantity: string, total: string) =>
    readFaults(order.with(12, `PO1*1*${quantity}*EA*1`).with(15, `CTT*2*${total}`));
  for (const [quantity, total] of [
    ["2", "12"],
    ["2.0", "12"],
    ["2.5", "12.5"],
    ["2.5", "35"],
    ["0.001", "10.001"],
  ] as const)
    expect(withTotal(quantity, total)).toEqual([]);
  expect(withTotal("2.5", "12")).toEqual(["count_differs CTT 16 2 12"]);
  expect(readFaults(order.toSpliced(15, 1))).toEqual([]);
});

test("2,000 damaged orders are refused or read correctly, never in part, and each refusal can be acknowledged", () => {
  const random = createRandom(20261126);
  const outcomes = { read: 0, refused: 0 };
  for (let time = 0; time < 2_000; time += 1) {
    const file = damage(random, time);
    const checked: CheckedSet[] = [];
    for (const part of readInterchanges(Buffer.from(file, "latin1"))) {
      if (part.kind === "set") {
        const read = readPurchaseOrder(part.set);
        const faults = "faults" in read ? read.faults : [];
        checked.push({ ...part.set, faults });
        if ("faults" in read) outcomes.refused += 1;
        else {
          outcomes.read += 1;
          expectWhole(read.document, part.set.segments, file);
        }
      } else if (part.kind === "group") expectAnswer(part, checked.splice(0));
    }
  }
  expect(outcomes.read).toBeGreaterThan(500);
  expect(outcomes.refused).toBeGreaterThan(1_000);
});

/** Every segment of the file is in the document: in its fields, or as it was sent. */
function expectWhole(order: PurchaseOrder, sent: readonly Segment[], file: string): void {
  const spell = (segment: Segment) =>
    segment
      .map((each) => each.replace(/ +$/, ""))
      .join("*")
      .replace(/\*+$/, "");
  const others = (segments: readonly Segment[]) =>
    segments.filter(([name = ""]) => !["ST", "SE", "CTT"].includes(name)).map(spell);
  const inFile = file.split("~").map((each) => spell(each.trimStart().split("*")));
  const written = others(writePurchaseOrder(order).segments);
  const unused = others([order.unused, ...order.lines.map((line) => line.unused)].flat());
  const missing = others(sent).filter((segment) => {
    const at = written.indexOf(segment);
    if (at >= 0) written.splice(at, 1);
    return at < 0;
  });
  expect([file, missing.toSorted()]).toEqual([file, unused.toSorted()]);
  const names = (segments: readonly string[]) => segments.map((each) => each.split("*")[0] ?? "").toSorted();
  for (const name of names(written))
    expect([file, names(unused)]).toEqual([file, expect.arrayContaining([name])]);
  for (const segment of others(sent).filter((each) => /^[ -~]*$/.test(each)))
    expect(inFile).toContain(segment);
}

function expectAnswer(
  part: Extract<
    ReturnType<typeof readInterchanges> extends Generator<infer P> ? P : never,
    { kind: "group" }
  >,
  sets: CheckedSet[],
): void {
  const answer = acknowledgeGroup({ ...part, sets, delimiters: DEFAULT_DELIMITERS });
  if (!answer) return;
  const [set] = readSets(fileWith([writeFunctionalAcknowledgment(answer)]));
  if (!set) throw new Error("no answer");
  expect(readFunctionalAcknowledgment(set)).toEqual({ document: answer });
}

/** Two orders in a file with some damage: of bytes, of elements, or of segments, with the count corrected afterwards. */
function damage(random: (below: number) => number, time: number): string {
  const orders = [sampleOrder(1), sampleOrder(2)];
  const order = [...(orders[random(2)] ?? [])];
  const control = order[0]?.split("*")[2] ?? "";
  if (time % 2 === 0) {
    const file = sampleFile({ sets: orders });
    const at = 106 * Number(random(10) > 0) + random(file.length - 106);
    const any = () => String.fromCharCode(random(3) === 0 ? random(256) : 32 + random(95));
    const byte = random(2) === 0 ? any() : "*~>^\n 01"[random(8)];
    return [
      file.slice(0, at) + byte + file.slice(at + 1),
      file.slice(0, at) + byte + file.slice(at),
      file.slice(0, at) + file.slice(at + 1),
      file.slice(0, at) + file.slice(at + 1 + random(40)),
    ][random(4)] as string;
  }
  const at = 1 + random(order.length - 2);
  const elements = (order[at] ?? "").split("*");
  const place = 1 + random(elements.length - 1);
  const damaged =
    [
      () => order.toSpliced(at, 1),
      () => order.toSpliced(at, 0, order[at] ?? ""),
      () => order.toSpliced(1 + random(order.length - 2), 0, order[at] ?? ""),
      () => order.toSpliced(at, 1).toSpliced(1 + random(order.length - 3), 0, order[at] ?? ""),
      () => order.with(at, elements.toSpliced(place, 1).join("*")),
      () => order.with(at, elements.toSpliced(place, 0, ["", "X", "12"][random(3)] ?? "").join("*")),
      () => order.with(at, elements.with(place, elements[1 + random(elements.length - 1)] ?? "").join("*")),
      () =>
        order.with(
          at,
          elements.with(0, ["N1", "REF", "PO1", "N9", "SAC", "DTM", "ZZ"][random(7)] ?? "").join("*"),
        ),
    ][random(8)]?.() ?? order;
  return sampleFile({ sets: [damaged.with(-1, `SE*${damaged.length}*${control}`)] });
}

/** Numbers from 0 to below a bound, the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
