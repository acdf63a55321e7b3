import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { writeConfirmation } from "#features/orders/notices-out/write-confirmation.ts";
import { joinBatches } from "#features/orders/notices-out/xml.ts";
import type { CancelFacts, ShipFacts } from "#features/orders/notices-out/types.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import type { Order, XmlTrading } from "#features/orders/types.ts";

const line = { upc: "", description: "Faucet", unit: "EA", unitCost: "9.5" };
const order: Order = {
  poNumber: "H<17>&",
  customerOrder: "W17",
  orderDate: "2026-11-25",
  shipBy: null,
  cancelAfter: null,
  shipTo: {
    name: "Jane Doe",
    attention: "",
    lines: ["12 Main Street"],
    city: "Reno",
    state: "NV",
    zip: "89506",
    country: "US",
    phone: "",
  },
  serviceCode: "UPSN_SE",
  references: [],
  giftMessage: "",
  vendorMessage: "",
  lines: [
    { ...line, line: "1", merchantLine: "10", buyerSku: "1001", vendorSku: 'F"7', quantity: "2" },
    { ...line, line: "2", buyerSku: "", vendorSku: "", quantity: "0.5" },
  ],
};
const trading: XmlTrading = { format: "xml", merchant: "hearth & home", vendor: "acme" };
const shipped: ShipFacts = {
  shipment: "1ZSHIP",
  service: "02",
  cartons: [
    { trackingNumber: "1ZA", weightLb: 2, contents: null },
    { trackingNumber: "1ZB", weightLb: 3.456, contents: null },
  ],
  lines: [
    { line: "1", quantity: "2" },
    { line: "2", quantity: "0.5" },
  ],
  shipFrom: { name: "Acme", lines: ["9 Wharf Road"], city: "Portland", state: "OR", zip: "97209" },
  vendorNumber: "",
};

const write = (facts: ShipFacts | CancelFacts, more: { content?: Order; trading?: XmlTrading } = {}) =>
  writeConfirmation({
    facts,
    dueAt: new Date("2026-11-27T01:00:00Z"),
    order: { content: order, trading, ...more },
    partner: retailer,
    controlNumber: 23,
    timeZone: "America/Los_Angeles",
    now: new Date("2026-11-27T01:00:05Z"),
  });

type Element = [name: string, attributes: object, content: Element[] | string];

/** Another reader than the product's. */
function parse(bytes: Buffer): Element {
  const stack: { name: string; attributes: object; children: Element[]; text: string }[] = [
    { name: "", attributes: {}, children: [], text: "" },
  ];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) =>
    stack.push({ name, attributes: { ...attributes }, children: [], text: "" }),
  );
  parser.on("text", (text) => {
    stack.at(-1)!.text += text;
  });
  parser.on("closetag", () => {
    const { name, attributes, children, text } = stack.pop()!;
    stack.at(-1)!.children.push([name, attributes, children.length > 0 ? children : text]);
  });
  parser.write(bytes.toString()).close();
  return stack[0]!.children[0]!;
}

const plain = (name: string, text: string): Element => [name, {}, text];
const head: Element[] = [
  ["participatingParty", { roleType: "merchant", participationCode: "To:" }, "hearth & home"],
  plain("partnerTrxID", "000000023"),
  plain("partnerTrxDate", "20261126"),
  plain("poNumber", "H<17>&"),
];
const batch = (...confirms: Element[]): Element => [
  "ConfirmMessageBatch",
  {},
  [
    ["partnerID", { roleType: "vendor" }, "acme"],
    ...confirms,
    plain("messageCount", String(confirms.length)),
  ],
];
const links: Element[] = ["P1", "P2"].map((packageDetailID) => [
  "packageDetailLink",
  { packageDetailID },
  "",
]);
const carton = (packageDetailID: string, number: string, weight: string): Element => [
  "packageDetail",
  { packageDetailID },
  [
    plain("shipDate", "20261126"),
    plain("serviceLevel1", "UPSN_SE"),
    plain("trackingNumber", number),
    plain("shippingWeight", weight),
  ],
];
const shipConfirm: Element = [
  "hubConfirm",
  {},
  [
    ...head,
    [
      "hubAction",
      {},
      [
        plain("action", "v_ship"),
        plain("merchantLineNumber", "10"),
        plain("trxVendorSKU", 'F"7'),
        plain("trxMerchantSKU", "1001"),
        plain("trxQty", "2"),
        ...links,
      ],
    ],
    [
      "hubAction",
      {},
      [plain("action", "v_ship"), plain("merchantLineNumber", "2"), plain("trxQty", "0.5"), ...links],
    ],
    carton("P1", "1ZA", "2"),
    carton("P2", "1ZB", "3.46"),
  ],
];
const cancelConfirm: Element = [
  "hubConfirm",
  {},
  [
    ...head,
    [
      "hubAction",
      {},
      [
        plain("action", "v_cancel"),
        plain("actionCode", "out_of_stock"),
        plain("merchantLineNumber", "10"),
        plain("trxVendorSKU", 'F"7'),
        plain("trxMerchantSKU", "1001"),
        plain("trxQty", "2"),
      ],
    ],
    [
      "hubAction",
      {},
      [
        plain("action", "v_cancel"),
        plain("actionCode", "out_of_stock"),
        plain("merchantLineNumber", "2"),
        plain("trxQty", "0.5"),
      ],
    ],
  ],
];

test("OI-13 a ship notice in CommerceHub's XML has every line, and every carton's number, weight and service", () => {
  expect(parse(write(shipped))).toEqual(batch(shipConfirm));
});

test("OI-08 a cancellation in CommerceHub's XML has every line with its reason", () => {
  expect(
    parse(write({ reason: "out_of_stock", lines: null, canceledSoFar: [], isWhole: true, sequence: 0 })),
  ).toEqual(batch(cancelConfirm));
});

test("an order without a service code names the retailer's code of the service that shipped it", () => {
  const text = write(shipped, { content: { ...order, serviceCode: "" } }).toString();
  expect(text.match(/<serviceLevel1>.*?</g)).toEqual(["<serviceLevel1>UPSN_SE<", "<serviceLevel1>UPSN_SE<"]);
});

test("confirmations of one sender are joined to one file, and those of several are not", () => {
  const [first, second] = [
    write(shipped),
    write({ reason: "out_of_stock", lines: null, canceledSoFar: [], isWhole: true, sequence: 0 }),
  ];
  expect(parse(joinBatches([first, second])!)).toEqual(batch(shipConfirm, cancelConfirm));
  const elsewhere = write(shipped, { trading: { ...trading, vendor: "acme-2" } });
  expect(joinBatches([first, elsewhere])).toBeNull();
});
