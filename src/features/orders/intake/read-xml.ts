import { SaxesParser } from "saxes";
import { refuse } from "#features/orders/intake/refuse.ts";
import { checkOrder, readCountry } from "#features/orders/rules.ts";
import type {
  Order,
  OrderBilling,
  OrderDocument,
  OrderLine,
  ShipTo,
  XmlTrading,
} from "#features/orders/types.ts";

type Element = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  text: string;
};

/** Documents of a CommerceHub file, and what each one's order says of its sender; nothing of a file that can't be read. */
export type ReadXml = { documents: readonly OrderDocument[]; tradings: readonly XmlTrading[] };

/** More than any order has inside each other. */
const MAX_DEPTH = 40;

/**
 * Reads the orders (`hubOrder`) of a CommerceHub XML file. A file that isn't well-formed is refused as a whole, since a part of
 * it may be missing; entities of its own are refused, too.
 * @see facts of four public CommerceHub clients
 */
export function readXml(bytes: Uint8Array): ReadXml {
  const root = parse(
    Buffer.from(bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, ""),
  );
  if (typeof root === "string") return refuseFile(root);
  const orders = findAll(root, "hubOrder");
  if (orders.length === 0) return refuseFile("This XML file has no orders: there is no hubOrder in it.");
  const counted = findAll(root, "messageCount")[0]?.text.trim() ?? "";
  const isCut = counted !== "" && Number(counted) !== orders.length;
  const missing = `messageCount is ${counted}, but the file has ${orders.length} orders, so a part may be missing. Ask the sender for the whole file.`;
  return {
    documents: isCut ? refuseEach(orders, missing) : orders.map(readOrder),
    tradings: orders.map((order) => ({
      format: "xml",
      merchant: textIn(order, "participatingParty"),
      vendor: textIn(order, "sendersIdForReceiver"),
    })),
  };
}

const refuseFile = (problem: string): ReadXml => ({ documents: [refuse("", [problem])], tradings: [] });

const refuseEach = (orders: readonly Element[], problem: string) =>
  orders.map((order) => refuse(textIn(order, "poNumber"), [problem]));

/** A fault of a file, as a sentence. It ends the parser, which would else report each one of a million. */
class XmlFault extends Error {}

/** @returns a sentence for a file that can't be read */
function parse(text: string): Element | string {
  try {
    return parseElements(text);
  } catch (error) {
    if (error instanceof XmlFault) return error.message;
    throw error;
  }
}

/** @throws XmlFault at the first fault */
function parseElements(text: string): Element {
  const top: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new XmlFault(
      `This XML file can't be read: ${error.message.replace(/^\d+:\d+: /, "")} (line ${parser.line}, column ${parser.column}).`,
    );
  });
  parser.on("doctype", (doctype) => {
    if (/<!ENTITY/i.test(doctype))
      throw new XmlFault("This XML file defines entities of its own, which aren't read.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) throw new XmlFault("This XML file has too many elements inside each other.");
    const element: Element = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  return top;
}

const find = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name);

/** Elements of a name, at any depth. */
const findAll = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));

const textIn = (element: Element | undefined, ...names: string[]): string => {
  for (const name of names) {
    const text = find(element, name)?.text.replaceAll(/\s+/g, " ").trim();
    if (text) return text;
  }
  return "";
};

/** A text whose line breaks are meant. */
const linesIn = (element: Element | undefined, name: string): string =>
  (find(element, name)?.text ?? "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .join("\n")
    .trim();

function readOrder(hubOrder: Element): OrderDocument {
  const header = find(hubOrder, "poHdrData");
  const poNumber = textIn(hubOrder, "poNumber");
  if (/cancel/i.test(textIn(header, "poTypeCode")) || find(hubOrder, "cancelOrder"))
    return { kind: "cancellation", poNumber, store: "" };
  const lines = findAll(hubOrder, "lineItem");
  const counted = textIn(hubOrder, "lineCount");
  if (counted !== "" && Number(counted) !== lines.length)
    return refuse(poNumber, [`lineCount is ${counted}, but the order has ${lines.length} lines.`]);
  const place = find(hubOrder, "shipTo")?.attributes["personPlaceID"];
  const places = findAll(hubOrder, "personPlace");
  const consignee = places.find(({ attributes }) => attributes["personPlaceID"] === place);
  if (!consignee)
    return refuse(poNumber, ["The order's shipTo names a personPlace that the order doesn't have."]);
  const order: Order = {
    poNumber,
    customerOrder: textIn(hubOrder, "custOrderNumber") || textIn(header, "custOrderNumber"),
    orderDate: readDay(textIn(hubOrder, "orderDate")),
    shipBy: readDay(lines.map((line) => textIn(line, "expectedShipDate")).find(Boolean) ?? ""),
    cancelAfter: readDay(textIn(header, "cancelAfterDate")),
    shipTo: readPlace(consignee),
    serviceCode:
      textIn(hubOrder, "shippingCode") ||
      (lines.map((line) => textIn(line, "shippingCode")).find(Boolean) ?? ""),
    references: [],
    giftMessage: linesIn(header, "giftMessage"),
    vendorMessage: linesIn(header, "vendorMessage"),
    lines: lines.map(readLine),
    ...(/^(y|yes|true|1)$/i.test(textIn(header, "sigRequiredFlag")) ? { isSignatureRequired: true } : {}),
    billing: readBilling(hubOrder, { header, lines, places }),
  };
  const problems = checkOrder(order);
  return problems.length > 0 ? refuse(poNumber, problems) : { kind: "order", poNumber, order };
}

/** The hub's facts for an invoice. Terms are attributes or elements, depending on the merchant. */
function readBilling(
  hubOrder: Element,
  {
    header,
    lines,
    places,
  }: { header: Element | undefined; lines: readonly Element[]; places: readonly Element[] },
): OrderBilling {
  const terms = find(header, "discountTerms") ?? find(hubOrder, "discountTerms");
  const term = (name: string) => terms?.attributes[name] ?? textIn(terms, name);
  const billTo = find(hubOrder, "billTo")?.attributes["personPlaceID"];
  const payer = places.find(({ attributes }) => attributes["personPlaceID"] === billTo);
  const vendor = textIn(header, "apVendor");
  return {
    orderType: textIn(header, "poTypeCode"),
    currency:
      textIn(header, "offerCurrency") ||
      (lines.map((line) => textIn(line, "offerCurrency")).find(Boolean) ?? ""),
    terms: terms
      ? {
          type: "",
          basis: "3",
          discountPercent: term("discPercent"),
          discountDate: "",
          discountDays: term("discDaysDue"),
          netDate: "",
          netDays: term("netDaysDue"),
          description: terms.text.trim(),
        }
      : null,
    charges: [],
    parties: [
      ...(payer
        ? [
            {
              kind: "BT",
              name: textIn(payer, "name1"),
              idQualifier: "",
              id: textIn(payer, "partnerPersonPlaceId"),
            },
          ]
        : []),
      ...(vendor === "" ? [] : [{ kind: "RE", name: "", idQualifier: "92", id: vendor }]),
    ],
    expectedTotal: textIn(header, "balanceDue"),
  };
}

function readPlace(place: Element): ShipTo {
  return {
    name: textIn(place, "name1"),
    attention: textIn(find(place, "personPlaceData"), "attnLine"),
    lines: ["address1", "address2", "address3"].map((name) => textIn(place, name)).filter(Boolean),
    city: textIn(place, "city"),
    state: textIn(place, "state"),
    zip: textIn(place, "postalCode"),
    country: readCountry(textIn(place, "country")),
    phone: textIn(place, "dayPhone"),
  };
}

const readLine = (element: Element): OrderLine => {
  const line = textIn(element, "orderLineNumber", "merchantLineNumber");
  const merchantLine = textIn(element, "merchantLineNumber");
  return {
    line,
    ...(merchantLine === "" || merchantLine === line ? {} : { merchantLine }),
    ...readProduct(element),
  };
};

const readProduct = (line: Element) => ({
  buyerSku: textIn(line, "merchantSKU"),
  vendorSku: textIn(line, "vendorSKU"),
  upc: textIn(line, "UPC"),
  description: textIn(line, "description"),
  quantity: textIn(line, "qtyOrdered"),
  unit: textIn(line, "unitOfMeasure"),
  unitCost: textIn(line, "unitCost"),
});

/** "20261126" or "2026-11-26" */
function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? [];
  return year && month && day && !Number.isNaN(Date.parse(`${year}-${month}-${day}`))
    ? `${year}-${month}-${day}`
    : null;
}
