import fc from "fast-check";
import { expect, test } from "vitest";
import { readXml } from "#features/orders/intake/read-xml.ts";

const hubOrder = (
  number: string,
  {
    lines = 1,
    lineCount,
    zip = "89506",
    more = "",
  }: { lines?: number; lineCount?: number; zip?: string; more?: string } = {},
) => `
  <hubOrder transactionID="T${number}">
    <participatingParty roleType="merchant" participationCode="From:">hearth</participatingParty>
    <orderId>${number}</orderId><lineCount>${lineCount ?? lines}</lineCount><poNumber>${number}</poNumber><orderDate>20261126</orderDate>
    <shipTo personPlaceID="PP1"/><billTo personPlaceID="PP2"/><shippingCode>UPSN_CG</shippingCode>
    <custOrderNumber>W${number}</custOrderNumber>
    <poHdrData><cancelAfterDate>20261210</cancelAfterDate><giftMessage>To &amp; from</giftMessage>${more}</poHdrData>
    ${Array.from(
      { length: lines },
      (_, at) => `<lineItem><lineItemId>${at + 1}</lineItemId><orderLineNumber>${at + 1}</orderLineNumber>
      <qtyOrdered>2</qtyOrdered><unitOfMeasure>EA</unitOfMeasure><UPC>614141007349</UPC><description>Faucet</description>
      <merchantSKU>1001</merchantSKU><vendorSKU>F-7</vendorSKU><unitCost>12.50</unitCost><expectedShipDate>20261128</expectedShipDate></lineItem>`,
    ).join("")}
    <personPlace personPlaceID="PP2"><name1>Store 12</name1></personPlace>
    <personPlace personPlaceID="PP1"><name1>Jane Doe</name1><address1>12 Main Street</address1><city>Reno</city><state>NV</state>
      <postalCode>${zip}</postalCode><country>US</country><dayPhone>775-555-0101</dayPhone></personPlace>
  </hubOrder>`;
const file = (...orders: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<OrderMessageBatch>${orders.join("")}</OrderMessageBatch>`;
const read = (text: string) => readXml(Buffer.from(text)).documents;

test("OI-01 orders in a CommerceHub file are read with their consignee and lines", () => {
  const [first, second, third] = read(file(hubOrder("1"), hubOrder("2", { lines: 3 }), hubOrder("3")));
  expect([first?.kind, second?.kind, third?.kind]).toEqual(["order", "order", "order"]);
  expect(first).toEqual({
    kind: "order",
    poNumber: "1",
    order: {
      poNumber: "1",
      customerOrder: "W1",
      orderDate: "2026-11-26",
      shipBy: "2026-11-28",
      cancelAfter: "2026-12-10",
      shipTo: {
        name: "Jane Doe",
        attention: "",
        lines: ["12 Main Street"],
        city: "Reno",
        state: "NV",
        zip: "89506",
        country: "US",
        phone: "775-555-0101",
      },
      serviceCode: "UPSN_CG",
      references: [],
      giftMessage: "To & from",
      vendorMessage: "",
      lines: [
        {
          line: "1",
          buyerSku: "1001",
          vendorSku: "F-7",
          upc: "614141007349",
          description: "Faucet",
          quantity: "2",
          unit: "EA",
          unitCost: "12.50",
        },
      ],
      billing: {
        orderType: "",
        currency: "",
        terms: null,
        charges: [],
        parties: [{ kind: "BT", name: "Store 12", idQualifier: "", id: "" }],
        expectedTotal: "",
      },
    },
  });
});

test("OI-05 OI-06 OI-08 wrong orders in a CommerceHub file are refused one by one, a truncated file as a whole; a cancellation is read as one", () => {
  const good = file(
    hubOrder("1"),
    hubOrder("2", { lineCount: 4 }),
    hubOrder("3", { zip: "x" }),
    hubOrder("4", { more: "<poTypeCode>cancel</poTypeCode>" }),
  );
  expect(read(good)).toMatchObject([
    { kind: "order" },
    { kind: "refused", poNumber: "2", problems: ["lineCount is 4, but the order has 1 lines."] },
    {
      kind: "refused",
      poNumber: "3",
      problems: ['The ship-to ZIP code is "x". A ZIP code has 5 or 9 digits.'],
    },
    { kind: "cancellation", poNumber: "4" },
  ]);
  const cut = read(good.slice(0, -200));
  expect(cut).toMatchObject([{ kind: "refused", poNumber: "" }]);
  expect(read("<html><body>Not found</body></html>")).toMatchObject([{ kind: "refused" }]);
  expect(
    read(`<!DOCTYPE a [<!ENTITY x "y">]><OrderMessageBatch>${hubOrder("1")}</OrderMessageBatch>`),
  ).toMatchObject([
    { kind: "refused", problems: ["This XML file defines entities of its own, which aren't read."] },
  ]);
});

test("OI-05 UO-15 a file without orders, and an order without a consignee, are refused with the reason", () => {
  const refused = (text: string) =>
    read(text).map((document) => (document.kind === "refused" ? document.problems : document.kind));
  expect(refused(file())).toEqual([["This XML file has no orders: there is no hubOrder in it."]]);
  expect(
    refused(file(hubOrder("1").replace('shipTo personPlaceID="PP1"', 'shipTo personPlaceID="PP9"'))),
  ).toEqual([["The order's shipTo names a personPlace that the order doesn't have."]]);
});

test("OI-06 a damaged CommerceHub file is refused or read correctly, never read in part", () => {
  const text = file(hubOrder("1", { lines: 2 }), hubOrder("2"), hubOrder("3"));
  const whole = read(text);
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(40),
      fc.constantFrom("", "<", "&", "x", "</", "\0"),
      (at, length, put) => {
        const damaged = text.slice(0, at) + put + text.slice(at + length);
        const documents = read(damaged);
        expect(documents.length).toBeGreaterThan(0);
        for (const document of documents)
          if (document.kind === "order") expect(document.order.lines.length).toBeGreaterThan(0);
        if (documents.some(({ kind }) => kind === "refused") || damaged === text) return;
        // A file that is still well-formed has all of its orders and lines.
        expect(documents).toHaveLength(whole.length);
      },
    ),
    { numRuns: 2_000, seed: 7 },
  );
});

test.each([
  ["elements inside each other", "<a>", "This XML file has too many elements inside each other."],
  ["faults", "<a></b>", "unexpected close tag"],
  ["entities that are not there", "&nothing;", "text data outside of root node"],
])("OI-09 900 kB of %s are refused within 50 ms", (_what, part, sentence) => {
  const bytes = Buffer.from(part.repeat(900_000 / part.length));
  const before = process.threadCpuUsage();
  const { documents } = readXml(bytes);
  const { user, system } = process.threadCpuUsage(before);
  expect(documents).toMatchObject([{ kind: "refused", problems: [expect.stringContaining(sentence)] }]);
  expect((user + system) / 1_000).toBeLessThan(50);
});

test.each([
  [40, "This XML file has no orders"],
  [41, "This XML file has too many elements inside each other."],
])("OI-09 elements inside each other are refused from a depth of 41 on: %i", (depth, sentence) => {
  const { documents } = readXml(Buffer.from("<a>".repeat(depth) + "</a>".repeat(depth)));
  expect(documents).toMatchObject([{ kind: "refused", problems: [expect.stringContaining(sentence)] }]);
});
