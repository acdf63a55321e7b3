import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readX12 } from "#features/orders/intake/read-x12.ts";
import { readXml } from "#features/orders/intake/read-xml.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";

/**
 * Elements of orders that are read and not kept, with the reason. All others change the order, or refuse it: each element of a
 * full order is changed below, and those that changed nothing are here. A segment without a place is ignored whole.
 */
const IGNORED_X12: Readonly<Record<string, string>> = {
  BEG04: "a release of a blanket order, which drop ships are not",
  BEG06: "the retailer's contract, which no document of ours repeats",
  BEG07: "asks for an 855, which the retailer's own file decides",
  CSH: "says whether back orders are wanted, which a user decides",
  CUR01: "whose currency it is: always the buyer's",
  CUR03: "an exchange rate; an order in another currency than USD isn't billed",
  DTM03: "a time of day; orders are due by the day",
  DTM04: "the zone of that time",
  FOB: "who pays the freight, which the retailer's own file says",
  ITD08: "the discount as an amount, which the percent gives",
  ITD09: "a date of deferred terms, which no retailer here has",
  ITD10: "an amount of deferred terms",
  ITD11: "a percent of deferred terms",
  ITD13: "a day of the month of deferred terms",
  N202: "a second name line; a UPS label has one",
  N901: "the kind of a note, whose words say it",
  N903: "a note's own text; its messages are kept",
  PER: "the retailer's buyer, whom nothing here writes to",
  PID: "a description of the whole order; lines have their own",
  PKG: "packaging in words",
  PO112: "a further product id of a kind that is there already",
  PO113: "its value",
  REF03: "a description of a reference",
  SAC03: "the agency of a code of its own",
  SAC04: "that code; X12's own is kept",
  SAC06: "what the percent is of: always the goods",
  SAC09: "the unit of a rate",
  SAC10: "a quantity of a rate",
  SAC11: "a second quantity of a rate",
  SAC13: "a reference of the allowance or charge",
  SAC14: "an option of the allowance or charge",
  TAX: "a tax id; goods for resale aren't taxed",
  TD1: "the retailer's idea of packages; a user enters the cartons",
  TD501: "the place of a carrier on the way; a parcel has one",
  TD502: "how the carrier is named",
  TD503: "the carrier, which the service says",
  TD504: "a parcel's way of transport",
  TD506: "completeness, which is ours to say",
  TD512: "the service level beside a routing that names the service",
  "consignee PER01": "what the contact is for",
  "consignee PER02": "the contact's name; the label has the consignee's",
  "consignee REF": "a reference of the consignee alone",
  "line CTP": "the consumer's price, which is not billed",
  "line DTM": "a date of a line; an order leaves by its own",
  "line MSG": "a message on a line; the order's are printed",
  "line PID01": "the kind of a description",
  "line PID02": "the characteristic that it describes",
  "line PO4": "the item's own packing",
  "line REF": "a reference of a line",
  "line TD5": "a service of a line; an order has one",
  "payer N3": "the payer's address, which no document of ours repeats",
};

/** The same of CommerceHub's XML, by the name of the element. */
const IGNORED_XML: Readonly<Record<string, string>> = {
  lineItemId: "the hub's number of a line; its place in the order is kept",
  orderId: "the hub's number of the order; the retailer's is kept",
  partnerID: "the sender of a batch; each order names its own",
};

/** An order with every segment and element that retailers send. */
const ORDER: readonly [place: string, segment: string][] = [
  ["", "BEG*00*DS*80001*R1*20261126*C1*AC"],
  ["", "CUR*BY*USD*1.500"],
  ["", "REF*CO*W155*Order"],
  ["", "PER*BD*Ann*TE*7755550142*EM*ann@example.com"],
  ["", "TAX*1"],
  ["", "FOB*CC"],
  ["", "CSH*SC"],
  ["", "SAC*C*D240*VI*0001*1250*3*5*10*EA*1*2*06*R5*O1*Freight"],
  ["", "ITD*01*3*2*20261210*10*20261230*30*500*20261230*5*3*Net thirty*15"],
  ["", "DTM*010*20261203*0900*ET"],
  ["", "PID*F*08***Rush"],
  ["", "PKG*F"],
  ["", "TD1*CTN25*2****G*12*LB"],
  ["", "TD5*O*2*UPSN*U*UPSN_CG*CC******CG"],
  ["", "N9*ZZ*Gift*Note"],
  ["", "MSG*Happy birthday"],
  ["", "N1*BT*Payables*92*0121"],
  ["payer ", "N3*1 Hill Road"],
  ["", "N1*ST*Jane Doe*92*S1"],
  ["", "N2*Attention Ann*Second"],
  ["", "N3*12 Main Street*Apartment 4"],
  ["", "N4*Reno*NV*89506*US"],
  ["consignee ", "REF*ZZ*R9"],
  ["consignee ", "PER*OC*Jane*TE*7755550143"],
  ["", "PO1*1*2*EA*12.50*PE*SK*1001234*VN*F-77*UP*614141007349*CB*55"],
  ["line ", "CTP*RS*RTL*19.99"],
  ["line ", "PID*F*08***Kitchen faucet"],
  ["line ", "PO4*1"],
  ["line ", "REF*ZZ*R7"],
  ["line ", "SAC*C*D240***5"],
  ["line ", "DTM*010*20261204"],
  ["line ", "TD5*O*2*UPSN*U*UPSN_3D"],
  ["line ", "MSG*Handle with care"],
];

/** The same value but for its last letter or digit. */
const change = (value: string) =>
  value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) =>
    /\d/.test(last) ? String((Number(last) + 1) % 10) : last === "A" ? "B" : "A",
  );

test("each element of an X12 order is kept, refused, or ignored for a reason that is listed", () => {
  const read = (segments: readonly string[]) => {
    const set = ["ST*850*0001", ...segments, "CTT*1", `SE*${segments.length + 3}*0001`];
    const [found] = readX12(Buffer.from(sampleFile({ sets: [set] })), () => retailer, new Date(0));
    return JSON.stringify(found?.documents);
  };
  const segments = ORDER.map(([, segment]) => segment);
  const whole = read(segments);
  expect(whole).toMatch(/"kind":"order"/);
  const same = ORDER.flatMap(([place, segment], at) => {
    const elements = segment.split("*");
    const [name = ""] = elements;
    const places = elements.flatMap((value, element) => (element > 0 && value !== "" ? element : []));
    const unread = places.filter(
      (element) =>
        read(segments.with(at, elements.with(element, change(elements[element] ?? "")).join("*"))) === whole,
    );
    return unread.length === places.length
      ? [`${place}${name}`]
      : unread.map((element) => `${place}${name}${String(element).padStart(2, "0")}`);
  });
  expect([...new Set(same)].toSorted()).toEqual(Object.keys(IGNORED_X12).toSorted());
});

test("each element of a CommerceHub order is kept, refused, or ignored for a reason that is listed", () => {
  const text = readFileSync(
    new URL("../../../../test/corpus/thread/h32-signature-required.xml", import.meta.url),
    "utf8",
  )
    // Elements that occur twice, and the payer's address.
    .replace(/(<name1>Mike Roe<\/name1>).*?(<\/personPlace>)/, "$1$2")
    .replace(/(<poHdrData>)<custOrderNumber>\w+<\/custOrderNumber>/, "$1")
    .replace(/(<unitCost>[\d.]+<\/unitCost>)<shippingCode>\w+<\/shippingCode>/, "$1")
    .replace(
      "</poHdrData>",
      '<vendorMessage>Careful</vendorMessage><cancelAfterDate>20261210</cancelAfterDate><offerCurrency>USD</offerCurrency><apVendor>60012345</apVendor><balanceDue>19.00</balanceDue><discountTerms discPercent="2">Net</discountTerms></poHdrData>',
    );
  const read = (xml: string) => JSON.stringify(readXml(Buffer.from(xml)));
  const whole = read(text);
  const same = [...text.matchAll(/<(\w+)([^<>]*)>([^<>]+)</g)].flatMap(
    ({ index, 1: name = "", 2: attributes = "", 3: value = "" }) => {
      const from = index + name.length + attributes.length + 2;
      const other = text.slice(0, from) + change(value) + text.slice(from + value.length);
      return read(other) === whole ? [name] : [];
    },
  );
  expect([...new Set(same)].toSorted()).toEqual(Object.keys(IGNORED_XML).toSorted());
});
