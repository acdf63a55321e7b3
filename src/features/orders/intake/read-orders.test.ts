import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "#features/orders/intake/read-orders.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { PARTNERS, type Partner } from "#features/orders/partners/partners.ts";
import { FileRefused } from "#formats/facts.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { writeReply } from "#features/orders/intake/write-reply.ts";
import type { OrderDocument } from "#features/orders/types.ts";
import { everyNthNumber } from "../../../../test/support/rules/every-nth.ts";

const sample = (name: string) =>
  readFileSync(new URL(`../../../../test/corpus/thread/${name}`, import.meta.url));

/** A file as the product reads it. */
const read = (
  name: string,
  bytes: Uint8Array = sample(name),
  partners: readonly [Partner, ...Partner[]] = PARTNERS,
) =>
  run(bytes, {
    partners,
    now: Date.parse("2026-12-05"),
    fileName: name,
    chosen: new Map(),
    dateOrder: null,
    cells: [],
  });
const documents = (name: string): OrderDocument[] => read(name).documents.map(({ document }) => document);
function readOne(name: string) {
  const [document, ...others] = documents(name);
  if (document?.kind !== "order" || others.length > 0) throw new Error(JSON.stringify(documents(name)));
  return document.order;
}

test.each([
  ["h22-blank-before-tilde.edi", ["order H2201"]],
  ["h25-n2-and-two-n3.edi", ["order"]],
  ["h26-order.edi", ["order"]],
  ["h26-change-860.edi", ["change"]],
  ["h28-sent-again.edi", ["order", "order"]],
  ["h29-same-number-two-stores.edi", ["order H2901", "order H2901"]],
  ["h31-fedex-code.edi", ["order"]],
  ["h34-message-count.xml", ["refused H3401", "refused H3402"]],
  ["h35-line-count.xml", ["refused", "order"]],
  ["h38-997-plain.edi", ["answer"]],
  ["h38-997-with-ta1.edi", ["message", "answer"]],
  ["h39-864-text-message.edi", ["message", "order H3901"]],
  ["h40-bare-ta1.edi", ["message"]],
  ["h40-ta1-and-leading-text.edi", ["message", "order H4001"]],
  ["860-sac-cur.edi", ["change 770001"]],
  ["ch-count.xml", ["refused 770002"]],
  ["b10-997-from-retailer.edi", ["answer", "answer", "answer"]],
  ["b11-ta1-from-retailer.edi", ["message"]],
  ["b12-824-from-retailer.edi", ["message 4500077"]],
  ["b13-820-from-retailer.edi", ["message", "message"]],
  ["b7-997-rejects-invoice-1.edi", ["answer", "answer", "answer"]],
] as const)("TD-21 (cases) %s is read as %j", (name, expected) => {
  const found = documents(name);
  const named = found.map(({ kind, poNumber }, at) =>
    expected[at]?.includes(" ") ? `${kind} ${poNumber}` : kind,
  );
  expect(named.toSorted()).toEqual([...expected].toSorted());
});

test("TD-21 a payment says for each invoice what is paid, with the reason for less; a transmission's answer and an application's too", () => {
  const sentences = (name: string) =>
    documents(name).map((document) => (document.kind === "message" ? document.sentences : []));
  expect(sentences("b13-820-from-retailer.edi")).toEqual([
    ["The retailer paid 40.84 of 41.5, with a discount of .66, in payment EFT-55120."],
    [
      "The retailer paid 18.52 of 21.45, with a discount of .43, in payment EFT-55120.",
      "Adjusted by -2.5: quantity (06).",
    ],
  ]);
  expect(sentences("b12-824-from-retailer.edi")).toEqual([
    [
      "The retailer's system accepted it, with errors.",
      "Invoiced quantity is more than was received",
      "Line 20, 2 invoiced, 1 received",
    ],
  ]);
  expect(sentences("b11-ta1-from-retailer.edi")).toEqual([
    ["The retailer's system received the transmission."],
  ]);
});

test("an order that divides its lines between stores is refused, also in our 997", () => {
  const set = sampleOrder(1)
    .toSpliced(14, 0, "SDQ*EA*92*0121*1*0200*1")
    .map((each) => each.replace("SE*17", "SE*18"));
  const { documents: found, replies } = read("sdq.edi", Buffer.from(sampleFile({ sets: [set] })));
  expect(found.map(({ document }) => document)).toMatchObject([
    {
      kind: "refused",
      poNumber: "80001",
      problems: [expect.stringContaining("a separate order for each store")],
    },
  ]);
  expect(replies.map((reply) => writeReply(reply, 1).toString()).join("")).toContain(
    "AK3*SDQ*15**2~\nAK5*R*5~",
  );
});

test("TD-21 a document that is not taken is refused in our 997, and one that is, is accepted", () => {
  const reply = (name: string) =>
    read(name)
      .replies.map((each) => writeReply(each, 1).toString())
      .join("");
  expect(reply("a4-856-shipment-1.edi")).toContain("AK2*856*0001~\nAK5*R*1~\nAK9*R*1*1*0~");
  expect(reply("a6-810-invoice-1.edi")).toContain("AK5*R*1~");
  expect(reply("b13-820-from-retailer.edi")).toContain("AK2*820*0001~\nAK5*A~\nAK9*A*1*1*1~");
  // A TA1 alone and a 997 are never answered.
  expect(["b11-ta1-from-retailer.edi", "h38-997-with-ta1.edi"].map(reply)).toEqual(["", ""]);
});

test("TD-21 a message counts as the same one again only in an interchange of the same day, and of tests or not", () => {
  const text = ["ST*864*0001", "BMG*00**03", "MIT*1*NEWS", "MSG*Closed on Friday", "SE*5*0001"];
  const group = "GS*TX*RETAILER*SUPPLIER*20261126*0915*5*X*004060";
  const messages = sampleFile({ sets: [text], group });
  const transmission = sampleFile({
    sets: [],
    group: "TA1*000000023*261204*1700*A*000",
    groupEnd: "",
    end: "IEA*0*000000017",
  });
  for (const file of [messages, transmission]) {
    const others = [file.replace("*0*P*", "*0*T*"), file.replace("*261126*0915*", "*271126*0915*")];
    const sources = [file, file, ...others].map((each) => {
      const [{ document } = {}] = read("messages.edi", Buffer.from(each)).documents;
      return document?.kind === "message" ? document.source : document?.kind;
    });
    expect([sources[0] === sources[1], new Set(sources).size]).toEqual([true, 3]);
  }
});

test("OI-05 groups of one interchange that have the same control number are answered each for its own documents", () => {
  const change = ["ST*860*0001", "BCH*01*DS*80001***20261126", "SE*3*0001"];
  const bad = sampleOrder(2).map((each) => each.replace("**20261126", "**2026"));
  const next = (functionalId: string) => `GS*${functionalId}*RETAILER*SUPPLIER*20261126*0915*5*X*004060`;
  const file = sampleFile({
    sets: [sampleOrder(1), ["GE*1*5", next("PC")], change, ["GE*1*5", next("PO")], bad],
    groupEnd: "GE*1*5",
    end: "IEA*3*000000017",
  });
  const { replies } = read("orders.edi", Buffer.from(file));
  const [, ...answers] = replies.flatMap((reply) => writeReply(reply, 1).toString().split("ST*997*"));
  expect(answers.map((answer) => answer.match(/AK[1259]\*[^~]*/g)?.join(" "))).toEqual([
    "AK1*PO*5 AK2*850*0001 AK5*A AK9*A*1*1*1",
    "AK1*PC*5 AK2*860*0001 AK5*A AK9*A*1*1*1",
    "AK1*PO*5 AK2*850*0002 AK5*R*5 AK9*R*1*1*0",
  ]);
});

test("TD-13 TD-20 an order keeps what its invoice needs: terms, currency, allowances, parties, product ids and the signature", () => {
  expect(readOne("a1-850-order.edi")).toMatchObject({
    poNumber: "0088421707",
    giftMessage: "Enjoy the new kitchen",
    vendorMessage: "",
    billing: {
      orderType: "DS",
      currency: "USD",
      terms: { type: "05", basis: "3", netDays: "60" },
      parties: [
        { kind: "BT", name: "Retailer A Payables", idQualifier: "92", id: "0121" },
        { kind: "ST", name: "Robin Sample" },
      ],
    },
  });
  expect(readOne("b1-850-order.edi").billing).toMatchObject({
    terms: { discountPercent: "2", discountDays: "10", netDays: "30" },
    charges: [{ indicator: "A", code: "C000", percent: "1", description: "Defective allowance" }],
  });
  expect(readOne("850-vc-cb.edi").lines).toMatchObject([{ vendorSku: "CH-16", buyerSku: "1004118" }]);
  expect(readOne("h32-signature-required.xml")).toMatchObject({
    isSignatureRequired: true,
    giftMessage: "Happy Birthday",
    billing: { orderType: "issue" },
  });
  const canada = readOne("ch-canada.xml");
  expect(canada.shipTo.country).toBe("CA");
});

test("OI-05 OI-06 UO-15 X12 that isn't an order or a document read here, or is faulty, is refused with its reason", () => {
  const readText = (text: string) =>
    read("orders.edi", Buffer.from(text)).documents.map(({ document }) =>
      document.kind === "refused" ? document.problems.join(" ") : document.kind,
    );
  expect(readText("no orders")).toEqual([expect.stringMatching(/ISA/)]);
  const order = sampleOrder(1);
  expect(readText(sampleFile({ sets: [order.map((text) => text.replace("NV*89506", "NV*895"))] }))).toEqual([
    'The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.',
  ]);
  expect(readText(sampleFile({ sets: [order.map((text) => text.replace("**20261126", "**2026"))] }))).toEqual(
    [expect.stringMatching(/^Document 0001, segment 2: BEG05 is "2026"/)],
  );
  expect(readText(sampleFile({ end: "IEA*1*000000018" }))).toEqual([expect.stringMatching(/IEA/)]);
  const invoice = ["ST*810*0001", "BIG*20261126*1*20261126*80001", "SE*3*0001"];
  expect(readText(sampleFile({ sets: [invoice] }))).toEqual([
    expect.stringMatching(/^Document 0001 is a 810\. Only orders \(850\)/),
  ]);
  const answer = ["ST*824*0001", "BGN*00*1*20261126", "SE*3*0001"];
  expect(readText(sampleFile({ sets: [answer] }))).toEqual([expect.stringMatching(/^Document 0001/)]);
});

test("OI-06 whatever character of an interchange is damaged, it is read or refused, and what answers it can be written", () => {
  const bytes = Buffer.from(sampleFile({ sets: [sampleOrder(1), sampleOrder(2)] }));
  const refused = (damaged: Uint8Array) =>
    read("damaged.edi", damaged).documents.some(({ document }) => document.kind === "refused");
  for (const byte of Buffer.from("\0\n\x1f '*0>A^~\x7f\x85ÿ", "latin1"))
    for (const at of everyNthNumber(bytes.length, 9)) {
      const damaged = Buffer.from(bytes);
      damaged[at] = byte;
      for (const reply of read("damaged.edi", damaged).replies) writeReply(reply, 7);
    }
  for (const [whole, damaged] of [
    ["*ZZ*RETAILER", "*ZZ*RETA\0LER"],
    ["GS*PO*RETAILER", "GS*PO*RETA\0LER"],
    ["*X*004060", "*X*0040\x0060"],
  ] as const)
    expect(refused(Buffer.from(bytes.toString().replace(whole, damaged))), whole).toBe(true);
});

test.each([
  ["documents", sampleFile({ sets: Array.from({ length: 5_001 }, (_, at) => sampleOrder(at)) })],
  ["interchanges without a document", sampleFile({ sets: [] }).repeat(5_001)],
])("UO-16 a file of more than 5,000 %s is refused whole", (_, text) => {
  const { documents: all, replies } = read("many.edi", Buffer.from(text));
  expect(all.map(({ document }) => document)).toMatchObject([
    {
      kind: "refused",
      problems: [
        expect.stringMatching(/^The file has 5,00\d orders or other documents; you can add at most 5,000/),
      ],
    },
  ]);
  expect(replies).toEqual([]);
});

test("a batch whose messageCount differs is refused whole, with both counts", () => {
  expect(documents("ch-count.xml")).toMatchObject([
    {
      problems: [
        "messageCount is 2, but the file has 1 orders, so a part may be missing. Ask the sender for the whole file.",
      ],
    },
  ]);
});

test("OI-01 TD-20 orders of several retailers in one file of a hub are each their own retailer's, whom notices name", () => {
  const name = "h35-line-count.xml";
  const merchant = (at: number, order: string) =>
    order.replace(/(<participatingParty[^>]*>)[^<]*/, `$1${["hearth", "DIRECTRETAILB"][at]}`);
  const [head = "", ...orders] = sample(name)
    .toString()
    .split(/(?=<hubOrder )/);
  const bytes = Buffer.from([head, ...orders.map((order, at) => merchant(at, order))].join(""));
  const { documents } = read(name, bytes, [...PARTNERS, directRetailer]);
  expect(documents.map(({ partner, trading }) => [partner, trading])).toMatchObject([
    ["retailer", { merchant: "hearth" }],
    ["direct", { merchant: "DIRECTRETAILB" }],
  ]);
});

test("a CSV file that ends within its last row is refused, one whose rows are all as short is read", () => {
  const readKinds = (text: string) =>
    read("orders.csv", Buffer.from(text)).documents.map(({ document }) => document.kind);
  const header = "PO Number,Name,Address 1,City,State,ZIP,SKU,Quantity\n";
  const row = (po: string) => `${po},Jane Doe,12 Main Street,Reno,NV,89506,1001,2`;
  expect(readKinds(`${header}${row("7001")}\n7002,Ann Doe,1 Ma`)).toEqual(["refused"]);
  expect(readKinds(`${header}${row("7001")}\n${row("7002")}`)).toEqual(["order", "order"]);
});

test("a CSV file in UTF-16 with a line break at its end is read", () => {
  const text = `\ufeffPO Number,Name,Address 1,City,State,ZIP,SKU,Quantity\n7001,Jane Doe,12 Main Street,Reno,NV,89506,1001,2\n`;
  expect(read("orders.csv", Buffer.from(text, "utf16le")).documents).toMatchObject([
    { document: { kind: "order" } },
  ]);
});

test("a CSV file of 200,000 rows without a line break at its end is refused as too long", () => {
  expect(() => read("orders.csv", Buffer.from("a,b\n".repeat(200_000) + "a,b"))).toThrow(FileRefused);
});

test("OI-01 the terms of a sheet are read as net days and discount; others keep their words", () => {
  const terms = [
    "Net 30",
    "n/45",
    "60 days",
    "15",
    "Due on Receipt",
    "2/10 n/30",
    "1.5% 10 days, Net 30 days",
  ];
  const others = ["Net 30 EOM", "10th prox", "Per contract", ""];
  const text = [
    "PO Number,Name,Address 1,City,State,ZIP,SKU,Quantity,Payment Terms",
    ...[...terms, ...others].map(
      (each, at) => `${7001 + at},Jane Doe,12 Main Street,Reno,NV,89506,1001,2,"${each}"`,
    ),
  ];
  const found = read("orders.csv", Buffer.from(`${text.join("\n")}\n`)).documents.map(({ document }) => {
    if (document.kind !== "order") return document.kind;
    const { billing } = document.order;
    const { discountPercent, discountDays, netDays, description } = billing?.terms ?? {};
    return billing ? [discountPercent, discountDays, netDays, description].join(" ") : null;
  });
  expect(found).toEqual([
    "  30 ",
    "  45 ",
    "  60 ",
    "  15 ",
    "  0 ",
    "2 10 30 ",
    "1.5 10 30 ",
    "   Net 30 EOM",
    "   10th prox",
    "   Per contract",
    null,
  ]);
});
