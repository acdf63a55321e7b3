/** What a column of the template holds; the order is that of the template. */
export type FieldKind = "text" | "code" | "date" | "decimal" | "money" | "yesno";

export type FieldSpec = {
  header: string;
  kind: FieldKind;
  /** Values of `invoice` fields belong to the whole invoice, those of `line` fields to the row. */
  level: "invoice" | "line" | "grouping";
  /** Longest text QuickBooks keeps. */
  max?: number;
  /** Names other importers give the column, as `headerKey` writes them. */
  synonyms: readonly string[];
};

const address = (
  side: "Bill" | "Ship",
  part: string,
  max: number,
  synonyms: readonly string[],
): FieldSpec => ({
  header: `${side} ${part}`,
  kind: part === "Postal Code" ? "code" : "text",
  level: "invoice",
  max,
  synonyms,
});

const sides = (names: readonly string[], prefixes: readonly string[]) =>
  prefixes.flatMap((prefix) => names.map((name) => prefix + name));
const BILL = ["bill", "billto", "billing", "billaddr", "billaddress", "billingaddress"];
const SHIP = ["ship", "shipto", "shipping", "shipaddr", "shipaddress", "shippingaddress"];
const line = (number: number) => [
  `line${number}`,
  `address${number}`,
  `addressline${number}`,
  `addr${number}`,
  `street${number}`,
  ...(number === 1 ? ["address", "addr", "street"] : []),
];
const STATE = ["state", "stateprovince", "province", "countrysubdivisioncode", "region"];
const POSTAL_CODE = ["postalcode", "zip", "zipcode", "postcode", "postal"];

/**
 * The columns of the template. Synonyms: the import of QuickBooks itself, SaasAnt, Transaction Pro and Zed Axis.
 */
export const FIELDS = {
  invoiceNo: {
    header: "Invoice No",
    kind: "code",
    level: "grouping",
    max: 21,
    synonyms: [
      "invoicenumber",
      "invoice",
      "invno",
      "docnumber",
      "documentnumber",
      "docno",
      "refnumber",
      "refno",
      "referencenumber",
      "num",
      "number",
      "transactionnumber",
    ],
  },
  group: {
    header: "Group",
    kind: "code",
    level: "grouping",
    max: 100,
    synonyms: ["invoicegroup", "groupkey", "batchkey"],
  },
  customer: {
    header: "Customer",
    kind: "text",
    level: "invoice",
    max: 500,
    synonyms: [
      "customername",
      "customerfullname",
      "customerref",
      "customerrefname",
      "displayname",
      "client",
      "clientname",
      "billtoname",
      "name",
      "customerjob",
      "customerproject",
    ],
  },
  invoiceDate: {
    header: "Invoice Date",
    kind: "date",
    level: "invoice",
    synonyms: ["date", "txndate", "transactiondate", "docdate", "invdate"],
  },
  dueDate: { header: "Due Date", kind: "date", level: "invoice", synonyms: ["duedate", "due", "paymentdue"] },
  terms: {
    header: "Terms",
    kind: "text",
    level: "invoice",
    max: 31,
    synonyms: ["term", "salesterm", "salestermref", "salesterms", "paymentterms", "termsref"],
  },
  poNumber: {
    header: "PO Number",
    kind: "code",
    level: "invoice",
    max: 31,
    synonyms: [
      "po",
      "pono",
      "purchaseorder",
      "purchaseorderno",
      "purchaseordernumber",
      "ponumber",
      "customerpo",
    ],
  },
  item: {
    header: "Item",
    kind: "text",
    level: "line",
    max: 500,
    synonyms: [
      "itemname",
      "itemref",
      "itemproductservice",
      "productservice",
      "product",
      "service",
      "productorservice",
      "productservicename",
      "sku",
      "itemsku",
      "lineitem",
      "linesalesitemref",
      "salesitem",
      "itemcode",
      "itemno",
      "itemnumber",
    ],
  },
  description: {
    header: "Description",
    kind: "text",
    level: "line",
    max: 4000,
    synonyms: [
      "itemdescription",
      "linedescription",
      "linedesc",
      "desc",
      "productservicedescription",
      "productdescription",
    ],
  },
  qty: {
    header: "Qty",
    kind: "decimal",
    level: "line",
    synonyms: ["quantity", "itemquantity", "itemqty", "lineqty", "linequantity", "productservicequantity"],
  },
  rate: {
    header: "Rate",
    kind: "decimal",
    level: "line",
    synonyms: [
      "price",
      "unitprice",
      "itemrate",
      "itemprice",
      "lineunitprice",
      "lineprice",
      "linerate",
      "salesprice",
      "productservicerate",
    ],
  },
  amount: {
    header: "Amount",
    kind: "money",
    level: "line",
    synonyms: [
      "lineamount",
      "itemamount",
      "linetotal",
      "extendedprice",
      "extension",
      "extamount",
      "productserviceamount",
    ],
  },
  serviceDate: {
    header: "Service Date",
    kind: "date",
    level: "line",
    synonyms: ["itemservicedate", "lineservicedate", "servicedon", "productservicedate"],
  },
  className: {
    header: "Class",
    kind: "text",
    level: "line",
    max: 500,
    synonyms: ["classname", "classref", "lineclass", "itemclass", "lineclassref", "productserviceclass"],
  },
  location: {
    header: "Location",
    kind: "text",
    level: "invoice",
    max: 500,
    synonyms: ["department", "departmentref", "locationname", "departmentname"],
  },
  taxable: {
    header: "Taxable",
    kind: "yesno",
    level: "line",
    synonyms: [
      "itemtaxcode",
      "taxcode",
      "linetaxable",
      "salestaxcode",
      "linetaxcode",
      "salestaxcoderef",
      "linesalestaxcode",
      "ustaxcode",
    ],
  },
  shipVia: {
    header: "Ship Via",
    kind: "text",
    level: "invoice",
    max: 31,
    synonyms: ["shipmethod", "shipmethodname", "shipmethodref", "shippingmethod", "carrier", "shipvia"],
  },
  shipDate: {
    header: "Ship Date",
    kind: "date",
    level: "invoice",
    synonyms: ["shippingdate", "shippeddate", "dateshipped", "shipon"],
  },
  trackingNo: {
    header: "Tracking No",
    kind: "code",
    level: "invoice",
    max: 31,
    synonyms: ["tracking", "trackingnum", "trackingnumber", "trackno"],
  },
  billLine1: address("Bill", "Line 1", 500, sides(line(1), BILL)),
  billLine2: address("Bill", "Line 2", 500, sides(line(2), BILL)),
  billLine3: address("Bill", "Line 3", 500, sides(line(3), BILL)),
  billLine4: address("Bill", "Line 4", 500, sides(line(4), BILL)),
  billCity: address("Bill", "City", 255, sides(["city", "town"], BILL)),
  billState: address("Bill", "State", 255, sides(STATE, BILL)),
  billPostalCode: address("Bill", "Postal Code", 30, sides(POSTAL_CODE, BILL)),
  billCountry: address("Bill", "Country", 255, sides(["country"], BILL)),
  shipLine1: address("Ship", "Line 1", 500, sides(line(1), SHIP)),
  shipLine2: address("Ship", "Line 2", 500, sides(line(2), SHIP)),
  shipLine3: address("Ship", "Line 3", 500, sides(line(3), SHIP)),
  shipLine4: address("Ship", "Line 4", 500, sides(line(4), SHIP)),
  shipCity: address("Ship", "City", 255, sides(["city", "town"], SHIP)),
  shipState: address("Ship", "State", 255, sides(STATE, SHIP)),
  shipPostalCode: address("Ship", "Postal Code", 30, sides(POSTAL_CODE, SHIP)),
  shipCountry: address("Ship", "Country", 255, sides(["country"], SHIP)),
  email: {
    header: "Email",
    kind: "text",
    level: "invoice",
    max: 100,
    synonyms: ["billemail", "customeremail", "emailaddress", "billingemail"],
  },
  customerMemo: {
    header: "Customer Memo",
    kind: "text",
    level: "invoice",
    max: 1000,
    synonyms: [
      "customermessage",
      "message",
      "msg",
      "customermsg",
      "messageoninvoice",
      "messagedisplayedoninvoice",
      "notetocustomer",
    ],
  },
  privateNote: {
    header: "Private Note",
    kind: "text",
    level: "invoice",
    max: 4000,
    synonyms: ["memo", "privatememo", "statementmemo", "memoonstatement", "internalnote", "note", "notes"],
  },
  currency: {
    header: "Currency",
    kind: "code",
    level: "invoice",
    max: 3,
    synonyms: ["currencycode", "currencyref"],
  },
} as const satisfies Record<string, FieldSpec>;

export type Field = keyof typeof FIELDS;

export const ALL_FIELDS = Object.keys(FIELDS) as readonly Field[];

export function specOf(field: Field): FieldSpec {
  return FIELDS[field];
}

export function fieldHeader(field: Field): string {
  return FIELDS[field].header;
}
